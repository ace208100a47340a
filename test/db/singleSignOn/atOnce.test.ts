import { afterAll, expect, test } from '@jest/globals';
import { removeAuditExport } from '../../../db/auditExports/auditExports.ts';
import { newId } from '../../../db/ids.ts';
import { disconnectPlugin } from '../../../db/plugins/pluginSignIns.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { removeDomain } from '../../../db/singleSignOn/mailDomains.ts';
import { removeProvider, saveProvider } from '../../../db/singleSignOn/providers.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { countLockWaits } from '../../support/lockWaits.ts';
import { until } from '../../support/until.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const BY = { keyId: null, requestId: 'req_test' };
const keys = parseSealingKeys(createSealingKey());

/** Does both while a row is locked, so that both have begun before one ends. */
async function bothAtOnce<T>(
  locked: [sql: string, values: unknown[]],
  one: () => Promise<T>,
  other = one,
): Promise<T[]> {
  const blocker = await db.pool.connect();
  try {
    await blocker.query('begin');
    await blocker.query(...locked);
    const both = [one(), other()];
    await until(async () => (await countLockWaits(db)) === 2);
    await blocker.query('rollback');
    return await Promise.all(both);
  } finally {
    blocker.release();
  }
}

async function auditsOf(workspaceId: string): Promise<string[]> {
  const sql = 'select action from audit_entries where workspace_id = $1 order by action';
  return (await db.pool.query(sql, [workspaceId])).rows.map(({ action }) => action as string);
}

const stated = (name: string) => ({
  kind: 'oidc' as const,
  name,
  issuer: 'https://idp.example',
  configuration: { client_id: 'a' } as never,
  groupsName: null,
  groupRoles: [],
  defaultRole: null,
  secret: 'secret',
});

test('a provider that is set twice at once is added and then changed; removed twice, it is audited once', async () => {
  const { workspaceId } = await makeAccount(db);
  const rows = db.write(workspaceId);
  const turn: [string, unknown[]] = [
    'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    [`identity provider of ${workspaceId}`],
  ];
  const save = (name: string) => () => saveProvider(rows, { stated: stated(name), by: BY, keys });
  const [one, other] = await bothAtOnce(turn, save('One'), save('Other'));
  expect(one).toMatchObject({ id: (other as { id: string }).id });
  const row: [string, unknown[]] = ['select from identity_providers where workspace_id = $1 for update', [workspaceId]];
  const removed = await bothAtOnce(row, () => removeProvider(rows, BY));
  expect(removed.filter(Boolean)).toHaveLength(1);
  expect(await auditsOf(workspaceId)).toEqual([
    'add_identity_provider',
    'change_identity_provider',
    'remove_identity_provider',
  ]);
});

test('the last two domains, given up at once, end the enforcement', async () => {
  const { workspaceId } = await makeAccount(db);
  const rows = db.write(workspaceId);
  const provider = await saveProvider(rows, { stated: stated('One'), by: BY, keys });
  await db.pool.query('update identity_providers set tested_at = now(), enforced = true where id = $1', [
    (provider as { id: string }).id,
  ]);
  const ids = [newId('dom'), newId('dom')];
  const domains = `insert into mail_domains (id, workspace_id, domain, token, verified_at) select id, $2, id || '.example', 't', now() from unnest($1::text[]) id`;
  await db.pool.query(domains, [ids, workspaceId]);
  const giveUp = (id: string) => () => removeDomain(rows, { id, by: BY });
  const held: [string, unknown[]] = ['select from mail_domains where id = any ($1) for update', [ids]];
  expect(await bothAtOnce(held, giveUp(ids[0]!), giveUp(ids[1]!))).toEqual([true, true]);
  const { rows: left } = await db.pool.query('select enforced from identity_providers where workspace_id = $1', [
    workspaceId,
  ]);
  expect(left).toEqual([{ enforced: false }]);
});

test('an export of the audit and a sign-in to a plugin that are ended twice at once are audited once', async () => {
  const { workspaceId } = await makeAccount(db);
  const rows = db.write(workspaceId);
  await db.pool.query(
    `insert into audit_exports (workspace_id, target, sealed_url, period, exported_until) values ($1, 't', 's', 'day', now())`,
    [workspaceId],
  );
  const exported: [string, unknown[]] = ['select from audit_exports where workspace_id = $1 for update', [workspaceId]];
  const removed = await bothAtOnce(exported, () => removeAuditExport(rows, workspaceId, BY));
  expect(removed.filter(Boolean)).toHaveLength(1);
  await db.pool.query(
    `insert into plugin_sign_ins (workspace_id, plugin_id, plugin_version, user_id, state, url, issuer, sealed)
     values ($1, 'plug', '1', 'user_1', 'connected', 'https://a.example', 'https://a.example', 's')`,
    [workspaceId],
  );
  const signedIn: [string, unknown[]] = [
    'select from plugin_sign_ins where workspace_id = $1 for update',
    [workspaceId],
  ];
  expect(await bothAtOnce(signedIn, () => disconnectPlugin(rows, BY, 'plug'))).toEqual([true, true]);
  expect(await auditsOf(workspaceId)).toEqual(['disconnect_plugin', 'remove_audit_export']);
});
