import type { z } from 'zod';
import {
  changeNamespace,
  findNamespace,
  isReservedName,
  isReservedProvider,
  shownNamespace,
  verifyNamespace,
  type NamespaceRow,
} from '../../db/agents/namespaces.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { notFound, validationError, validationErrorAt } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';
import type { NamespaceBody, VerificationBody } from './publisherSchema.ts';
import type { Namespace } from './publisherAnswers.ts';
import { SEGMENT } from '../../base/agentNames.ts';

/** `GET /v1/publisher/namespaces/{name}`: the provider of its agents. 404 `namespace_not_found`. */
export function retrieveNamespace({ db }: Services): Handler {
  return async (ctx) => {
    ctx.body = presentNamespace(await read(db, ctx));
  };
}

/** `PATCH /v1/publisher/namespaces/{name}`: changes the provider shown for its agents. A change resets the verification. */
export function patchNamespace({ db }: Services): Handler<z.output<typeof NamespaceBody>> {
  return async (ctx) => {
    const name = nameIn(ctx);
    const { workspaceId } = ctx.state.key;
    const { provider_name: providerName, website } = ctx.state.input;
    if (providerName !== undefined && isReservedProvider(providerName) && !isReservedName(name))
      throw reservedProvider(providerName);
    if (!(await changeNamespace(db.write(workspaceId), { name, providerName, website }))) throw namespaceNotFound(name);
    ctx.body = presentNamespace(await read(db, ctx));
  };
}

/** `POST /console/v1/namespaces/{name}/verify`: records that an operator has verified the publisher; audited. */
export function verifyProvider({ db }: Services): Handler<z.output<typeof VerificationBody>> {
  return async (ctx) => {
    const name = nameIn(ctx);
    const { verified } = ctx.state.input;
    const row = await verifyNamespace(db.everywhere, { name, verified, by: actorOf(ctx) });
    if (!row) throw namespaceNotFound(name);
    ctx.body = presentNamespace(row);
  };
}

function nameIn({ state }: Context): string {
  const name = state.params.name!;
  if (SEGMENT.test(name)) return name;
  throw validationErrorAt(
    ['path', 'name'],
    'A name has lowercase letters and digits, in groups joined by single hyphens.',
  );
}

async function read(db: Services['db'], ctx: Context): Promise<NamespaceRow> {
  const name = nameIn(ctx);
  const row = await findNamespace(db.read(ctx.state.key.workspaceId), name);
  if (!row) throw namespaceNotFound(name);
  return row;
}

const reservedProvider = (name: string) =>
  validationError(
    [{ loc: ['body', 'provider_name'], msg: `The name '${name}' reads as another party’s.`, type: 'value_error' }],
    'name_reserved',
  );

const namespaceNotFound = (name: string) => notFound(`No namespace with the name '${name}'.`, 'namespace_not_found');

const presentNamespace = ({
  name,
  providerName,
  website,
  verified,
  createdAt,
}: NamespaceRow): z.infer<typeof Namespace.schema> => ({
  name: shownNamespace(name),
  object: 'publisher.namespace',
  provider_name: providerName,
  website: website ?? null,
  verified,
  created_at: createdAt.toISOString(),
});
