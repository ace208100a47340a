import type { z } from 'zod';
import { conflict, notFound, validationError } from '../../base/errors/requestErrors.ts';
import type { OidcConfiguration, SamlConfiguration } from '../../db/entities/singleSignOn.ts';
import {
  enforceProvider,
  readProvider,
  removeProvider,
  saveProvider,
  type ProviderRow,
  type StatedProvider,
} from '../../db/singleSignOn/providers.ts';
import { acsUrlOf, redirectUrlOf, spEntityIdOf } from '../guard/providerUrls.ts';
import { actorOf, type Handler } from '../context.ts';
import { requireLive } from '../guard/testMode.ts';
import type { Services } from '../services.ts';
import { discoverOidc, fetchMetadata, readMetadata } from './discover.ts';
import type { EnforcedBody, ProviderAnswer, ProviderBody, ProviderState } from './schema.ts';

type Role = z.infer<typeof ProviderAnswer>['default_role'];

/** `GET /console/v1/single-sign-on`: the identity provider of the workspace. */
export function retrieveProvider({ db, config }: Services): Handler {
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const provider = await readProvider(db.read(workspaceId), workspaceId);
    ctx.body = {
      object: 'single_sign_on',
      provider: provider && present(provider, config.publicUrl),
      can_seal: config.catalogKeys !== null,
    } satisfies z.infer<typeof ProviderState>;
  };
}

/** `PUT /console/v1/single-sign-on`: sets it. Throws 400 `provider_unusable`, 409 `no_sealing_key`, and 422 for a missing secret. */
export function setProvider({ db, config }: Services): Handler<z.output<typeof ProviderBody>> {
  return async (ctx) => {
    requireLive(ctx);
    const keys = config.catalogKeys;
    if (keys === null) throw conflict('no_sealing_key', 'Secrets cannot be stored: CATALOG_SECRETS_KEY is not set.');
    const stated = await statedIn(ctx.state.input, config.singleSignOn);
    const saved = await saveProvider(db.write(ctx.state.key.workspaceId), { stated, by: actorOf(ctx), keys });
    if (saved === 'no_secret') throw missing('client_secret');
    ctx.body = present(saved, config.publicUrl);
  };
}

async function statedIn(
  input: z.output<typeof ProviderBody>,
  permitted: Services['config']['singleSignOn'],
): Promise<StatedProvider> {
  const { kind, name, groups_name: groupsName, group_roles: groupRoles, default_role: defaultRole } = input;
  const common = { kind, name, groupsName, groupRoles, defaultRole };
  if (input.kind === 'oidc') {
    const found = await discoverOidc(input.issuer, permitted);
    const configuration = { clientId: input.client_id, scopes: input.scopes, ...found };
    return { ...common, issuer: input.issuer, configuration, secret: input.client_secret };
  }
  const { metadata_xml: sent, metadata_url: address } = input;
  if (sent === undefined && address === undefined) throw missing('metadata_xml');
  const { metadata, entityId } = await readMetadata(sent ?? (await fetchMetadata(address!, permitted)));
  const configuration = { metadata, emailAttribute: input.email_attribute, nameAttribute: input.name_attribute };
  return { ...common, issuer: entityId, configuration };
}

const missing = (name: string) => validationError([{ loc: ['body', name], msg: 'Field required', type: 'missing' }]);

/** `PATCH /console/v1/single-sign-on`: whether members must use it. Throws 404, and 409 `not_tested` or `no_domain`. */
export function changeEnforcement({ db, config }: Services): Handler<z.output<typeof EnforcedBody>> {
  return async (ctx) => {
    requireLive(ctx);
    const { enforced } = ctx.state.input;
    const changed = await enforceProvider(db.write(ctx.state.key.workspaceId), { enforced, by: actorOf(ctx) });
    if (changed === false) throw noProvider();
    if (changed === 'not_tested')
      throw conflict('not_tested', 'Try the provider first: whoever enforces one that fails locks everybody out.');
    if (changed === 'no_domain')
      throw conflict('no_domain', 'Prove a mail domain first: only its members must use it.');
    ctx.body = present(changed, config.publicUrl);
  };
}

/** `DELETE /console/v1/single-sign-on`: removes it, and ends its sessions. Throws 404 `provider_not_found`. */
export function deleteProvider({ db }: Services): Handler {
  return async (ctx) => {
    requireLive(ctx);
    if (!(await removeProvider(db.write(ctx.state.key.workspaceId), actorOf(ctx)))) throw noProvider();
    ctx.body = { object: 'single_sign_on', provider: null, deleted: true };
  };
}

const noProvider = () => notFound('The workspace has no identity provider.', 'provider_not_found');

function present(row: ProviderRow, publicUrl: string): z.infer<typeof ProviderAnswer> {
  const isOidc = row.kind === 'oidc';
  const { clientId, scopes } = row.configuration as OidcConfiguration;
  const { emailAttribute, nameAttribute } = row.configuration as SamlConfiguration;
  return {
    id: row.id,
    object: 'identity_provider',
    kind: row.kind,
    name: row.name,
    issuer: row.issuer,
    client_id: isOidc ? clientId : null,
    scopes: isOidc ? scopes : null,
    email_attribute: isOidc ? null : emailAttribute,
    name_attribute: isOidc ? null : nameAttribute,
    groups_name: row.groupsName,
    group_roles: row.groupRoles as { group: string; role: NonNullable<Role> }[],
    default_role: row.defaultRole as Role,
    enforced: row.enforced,
    tested_at: row.testedAt?.toISOString() ?? null,
    last_trial: row.trial && { ...row.trial, role: row.trial.role as Role },
    redirect_url: isOidc ? redirectUrlOf(publicUrl, row.id) : acsUrlOf(publicUrl, row.id),
    entity_id: isOidc ? null : spEntityIdOf(publicUrl, row.id),
    created_at: row.createdAt.toISOString(),
  };
}
