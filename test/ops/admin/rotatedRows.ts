import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { openToolSecrets } from '../../../db/agents/toolSecrets.ts';
import { openExportUrl, saveAuditExport } from '../../../db/auditExports/auditExports.ts';
import { openSigner } from '../../../db/bill/signingKeys.ts';
import { createContentBox } from '../../../db/contents/contentBox.ts';
import { openContent, sealContent } from '../../../db/contents/contents.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { keyOwnerOf } from '../../../db/liveCatalog/composeCatalog.ts';
import { readPlugins, registerPlugin } from '../../../db/plugins/plugins.ts';
import { setPluginSecrets } from '../../../db/plugins/pluginSecrets.ts';
import { readVersions } from '../../../db/rotation/secretVersions.ts';
import { createSealingKey, parseCatalogKeys, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { openSecretBox, sealForWorker } from '../../../db/sealing/secretBox.ts';
import { insertEndpoint } from '../../../db/webhooks/endpoints.ts';
import { makeAccount } from '../../support/account.ts';

/** The variables with keys. */
export interface Keys {
  PLUGIN_SECRETS_KEY: string;
  CATALOG_SECRETS_KEY: string;
  CONTENTS_KEY: string;
}

export const makeKeys = (): Keys => ({
  PLUGIN_SECRETS_KEY: createSealingKey(),
  CATALOG_SECRETS_KEY: createSealingKey(),
  CONTENTS_KEY: createSealingKey(),
});

/** The keys of one after those of the other. */
export const both = (first: Keys, second: Keys): Keys =>
  Object.fromEntries(
    Object.entries(first).map(([name, key]) => [name, `${key},${second[name as keyof Keys]}`]),
  ) as unknown as Keys;

const by = { keyId: null, requestId: newId('req') };
const EXPORT_URL = 'https://key:secret@store.example/bucket';
const SEARCH = [{ plugin_id: 'search', version: '1.0' }];
const signInOwnerOf = (workspaceId: string) => JSON.stringify([workspaceId, 'search', 'sign-in']);
const toolOwnerOf = (agentId: string) => JSON.stringify([agentId, 'http tools']);

export type Rows = Awaited<ReturnType<typeof makeRows>>;

/** One row or more of everything that is sealed, under these keys; and many contents. */
export async function makeRows(db: Database, keys: Keys, { contents = 5 } = {}) {
  const { everywhere } = db;
  const sealing = parseSealingKeys(keys.PLUGIN_SECRETS_KEY);
  const { workspaceId, keyId } = await makeAccount(db);
  const rows = db.write(workspaceId);
  await openSigner(everywhere, sealing);
  await openSecretBox(everywhere, sealing);
  const signIn = { clientId: 'ours', clientSecret: 'c1ient' };
  const headers = { 'x-team': 'ours' };
  const plugin = { id: 'search', version: '1.0', name: 'Search', url: 'https://tools.example/mcp' };
  await registerPlugin(everywhere, sealing, { ...plugin, headers, signIn });
  const endpoint = { url: 'https://example.com/', eventTypes: [], description: null, disabled: false };
  await insertEndpoint(rows, { id: 'we_1', by, ...endpoint });
  await setPluginSecrets(rows, by, { pluginId: 'search', values: { api_key: 'p1ugin' } });
  const signedIn = await sealForWorker(everywhere, 'tokens', signInOwnerOf(workspaceId));
  await db.pool.query(
    `insert into plugin_sign_ins (workspace_id, plugin_id, plugin_version, url, issuer, state, sealed, user_id)
     values ($1, 'search', '1.0', 'https://tools.example/mcp', 'https://issuer.example', 'connected', $2, 'user_1')`,
    [workspaceId, signedIn],
  );
  const tool = [{ sealed: await sealForWorker(everywhere, 'whsec_tool', toolOwnerOf('agent_1')), expiresAt: null }];
  await db.pool.query(`insert into agent_tool_secrets (agent_id, workspace_id, secrets) values ('agent_1', $1, $2)`, [
    workspaceId,
    JSON.stringify(tool),
  ]);
  await db.pool.query(
    `insert into catalog_changes (kind, name, change, sealed_key, key_last4, changed_by, changer)
     values ('upstream', 'vendor', '{}', $1, 'ndor', 'user', 'user_1')`,
    [parseCatalogKeys(keys.CATALOG_SECRETS_KEY).seal('sk-vendor', keyOwnerOf('vendor'))],
  );
  await db.pool.query(
    `insert into identity_providers (id, workspace_id, kind, name, issuer, configuration, sealed_secret)
     values ('idp_1', $1, 'oidc', 'Company', 'https://id.example', '{}', $2)`,
    [workspaceId, parseCatalogKeys(keys.CATALOG_SECRETS_KEY).seal('idp-secret', 'identity provider idp_1')],
  );
  await saveAuditExport(rows, rows.workspaceId, { url: EXPORT_URL, target: 'bucket', period: 'hour', by });
  const box = createContentBox(keys.CONTENTS_KEY);
  for (let nth = 0; nth < contents; nth += 1) {
    const id = `req_${String(nth).padStart(5, '0')}`;
    await db.pool.query(
      `insert into request_contents (request_id, workspace_id, key_id, sealed, created_at, expires_at)
       values ($1, $2, $3, $4, now(), now() + interval '30 days')`,
      [id, workspaceId, keyId, await sealContent(box, workspaceId, id, `content ${nth}`)],
    );
  }
  const [version] = await readVersions(db.pool, 'accounts');
  const key = Buffer.from(version!.value).toString('hex');
  await db.pool.query(
    `insert into two_factors (id, user_id, secret, backup_codes) values ('tfa_1', 'user_1', $1, $2)`,
    [await symmetricEncrypt({ key, data: 'totp' }), await symmetricEncrypt({ key, data: '["code"]' })],
  );
  return { workspaceId };
}

/** Everything that `makeRows` sealed, opened with these keys alone: throws where one of them does not open it. */
export async function openRows(db: Database, keys: Keys, { workspaceId }: Rows) {
  const sealing = parseSealingKeys(keys.PLUGIN_SECRETS_KEY);
  const secrets = await openSecretBox(db.everywhere, sealing);
  await openSigner(db.everywhere, sealing);
  const one = async (text: string) => (await db.pool.query<{ sealed: string }>(text)).rows[0]!.sealed;
  const [plugin] = await readPlugins(db.everywhere, sealing, SEARCH);
  const box = createContentBox(keys.CONTENTS_KEY);
  const kept = await db.pool.query<{ id: string; sealed: Buffer }>(
    'select request_id as id, sealed from request_contents order by 1',
  );
  return {
    header: plugin!.headers['x-team'],
    client: plugin!.signIn!.clientSecret,
    webhook: secrets
      .open(await one(`select secrets -> 0 ->> 'sealed' as sealed from webhook_endpoints`), 'we_1')
      .slice(0, 6),
    plugin: secrets.open(
      await one('select sealed from plugin_secrets'),
      JSON.stringify([workspaceId, 'search', 'api_key']),
    ),
    signIn: secrets.open(await one('select sealed from plugin_sign_ins'), signInOwnerOf(workspaceId)),
    tool: await openToolSecrets(db.everywhere, secrets, 'agent_1'),
    upstream: parseCatalogKeys(keys.CATALOG_SECRETS_KEY).open(
      await one('select sealed_key as sealed from catalog_changes'),
      keyOwnerOf('vendor'),
    ),
    provider: parseCatalogKeys(keys.CATALOG_SECRETS_KEY).open(
      await one('select sealed_secret as sealed from identity_providers'),
      'identity provider idp_1',
    ),
    auditExport: openExportUrl(secrets, {
      workspaceId,
      sealedUrl: await one('select sealed_url as sealed from audit_exports'),
    }),
    contents: await Promise.all(kept.rows.map(({ id, sealed }) => openContent(box, workspaceId, id, sealed))),
  };
}

export const expectedRows = (contents = 5) => ({
  header: 'ours',
  client: 'c1ient',
  webhook: 'whsec_',
  plugin: 'p1ugin',
  signIn: 'tokens',
  tool: ['whsec_tool'],
  upstream: 'sk-vendor',
  provider: 'idp-secret',
  auditExport: EXPORT_URL,
  contents: Array.from({ length: contents }, (_, nth) => `content ${nth}`),
});

/** The second factor, decrypted with the newest version of the secret alone. */
export async function openSecondFactor(db: Database): Promise<string> {
  const [newest] = await readVersions(db.pool, 'accounts');
  const { rows } = await db.pool.query<{ secret: string }>('select secret from two_factors');
  const keys = new Map([[newest!.version, Buffer.from(newest!.value).toString('hex')]]);
  return symmetricDecrypt({ key: { keys, currentVersion: newest!.version }, data: rows[0]!.secret });
}
