import { z } from 'zod';
import { changeNamespace, findNamespace, verifyNamespace, type NamespaceRow } from '../../db/agents/namespaces.ts';
import type { Context, Handler } from '../context.ts';
import { notFound, validationError } from '../errors/requestErrors.ts';
import type { Services } from '../services.ts';
import { SEGMENT } from './schema.ts';
import type { Namespace } from './publisherAnswers.ts';

/** What a publisher says of itself. Members that are sent replace those that were there. */
export const NamespaceBody = z.strictObject({
  provider_name: z.string().trim().min(1).max(100).optional(),
  website: z
    .url({ protocol: /^https$/ })
    .max(500)
    .nullable()
    .optional(),
});

/** An operator has made sure who stands behind a namespace, or takes it back. */
export const VerificationBody = z.strictObject({ verified: z.boolean().default(true) });

/** `GET /v1/publisher/namespaces/{name}`: whose name stands before the agents' own. 404 `namespace_not_found`. */
export function retrieveNamespace({ db }: Services): Handler {
  return async (ctx) => {
    ctx.body = presentNamespace(await read(db, ctx));
  };
}

/** `PATCH /v1/publisher/namespaces/{name}`: changes what agents show of their provider. What an operator had verified has to be verified anew. */
export function patchNamespace({ db }: Services): Handler {
  return async (ctx) => {
    const name = nameIn(ctx);
    const { workspaceId } = ctx.state.key;
    const { provider_name: providerName, website } = ctx.state.input as z.output<typeof NamespaceBody>;
    if (!(await changeNamespace(db.write(workspaceId), { name, providerName, website }))) throw namespaceNotFound(name);
    ctx.body = presentNamespace(await read(db, ctx));
  };
}

/** `POST /console/v1/namespaces/{name}/verify`: says that an operator has made sure who it is; audited. */
export function verifyProvider({ db }: Services): Handler {
  return async (ctx) => {
    const name = nameIn(ctx);
    const { verified } = ctx.state.input as z.output<typeof VerificationBody>;
    const by = { keyId: ctx.state.key.keyId, requestId: ctx.state.requestId };
    const row = await verifyNamespace(db.everywhere, { name, verified, by });
    if (!row) throw namespaceNotFound(name);
    ctx.body = presentNamespace(row);
  };
}

function nameIn({ state }: Context): string {
  const name = state.params.name!;
  if (SEGMENT.test(name)) return name;
  throw validationError([
    {
      loc: ['path', 'name'],
      msg: 'Lowercase letters and digits, in groups joined by single hyphens.',
      type: 'value_error',
    },
  ]);
}

async function read(db: Services['db'], ctx: Context): Promise<NamespaceRow> {
  const name = nameIn(ctx);
  const row = await findNamespace(db.read(ctx.state.key.workspaceId), name);
  if (!row) throw namespaceNotFound(name);
  return row;
}

const namespaceNotFound = (name: string) => notFound(`No namespace with the name '${name}'.`, 'namespace_not_found');

const presentNamespace = ({
  name,
  providerName,
  website,
  verified,
  createdAt,
}: NamespaceRow): z.infer<typeof Namespace.schema> => ({
  name,
  object: 'publisher.namespace',
  provider_name: providerName,
  website: website ?? null,
  verified,
  created_at: createdAt.toISOString(),
});
