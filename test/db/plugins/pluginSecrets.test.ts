import { afterAll, expect, test } from '@jest/globals';
import { readPlugins, registerPlugin } from '../../../db/plugins/plugins.ts';
import { resealPluginSecrets, setPluginSecrets, withSecrets } from '../../../db/plugins/pluginSecrets.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { openSecretBox } from '../../../db/sealing/secretBox.ts';
import { setTestDatabase } from '../../support/database.ts';

const canary = 'canary-5Kd2Wq8R';
const workspaceId = 'ws_own';
const [oldKey, newKey] = [createSealingKey(), createSealingKey()];
const by = { keyId: 'key_1', requestId: 'req_1' };
const db = await setTestDatabase();
afterAll(() => db.close());

const boxOf = (keys: string) => openSecretBox(db.everywhere, parseSealingKeys(keys));
const sealed = async () => (await db.pool.query('select sealed from plugin_secrets order by plugin_id')).rows;

/** The header that a worker with these keys sends. */
async function headerBy(keys: string, workspace = workspaceId): Promise<string> {
  const wanted = [{ plugin_id: 'mailer', version: '1.0' }];
  const plugins = await readPlugins(db.everywhere, parseSealingKeys(keys), wanted);
  const [mailer] = await withSecrets(db.everywhere, await boxOf(keys), { workspaceId: workspace, plugins });
  return mailer!.headers['x-mail-key']!;
}

test('secrets of the old key stay readable beside the new key, and are resealed by it', async () => {
  const secrets = [{ name: 'api_key', description: '', header: 'x-mail-key', template: 'Key {}' }];
  const mailer = { id: 'mailer', version: '1.0', name: 'Mailer', url: 'https://mail.example/mcp', headers: {} };
  await registerPlugin(db.everywhere, parseSealingKeys(oldKey), { ...mailer, secrets });
  await boxOf(oldKey);
  expect(await setPluginSecrets(db.write(workspaceId), by, { pluginId: 'mailer', values: { api_key: canary } })).toBe(
    true,
  );
  const byOldKey = await sealed();
  const { rows } = await db.pool.query(
    `select key_id, subject_id, detail from audit_entries where action = 'set_plugin_secrets'`,
  );
  expect(rows).toEqual([{ key_id: 'key_1', subject_id: 'mailer', detail: { names: ['api_key'] } }]);

  // A worker starts with both keys.
  const both = await boxOf(`${newKey},${oldKey}`);
  expect(await headerBy(`${newKey},${oldKey}`)).toBe(`Key ${canary}`);
  expect(await sealed()).toEqual(byOldKey);
  await resealPluginSecrets(db.everywhere, both);
  const byNewKey = await sealed();
  expect(byNewKey).not.toEqual(byOldKey);
  expect(JSON.stringify(byNewKey)).not.toContain('canary');
  // Once is enough.
  await resealPluginSecrets(db.everywhere, both);
  expect(await sealed()).toEqual(byNewKey);

  expect(await headerBy(newKey)).toBe(`Key ${canary}`);
  await expect(headerBy(oldKey)).rejects.toThrow(/it was sealed for the key [0-9a-f]{8}, which PLUGIN_SECRETS_KEY/);
});

test('a secret whose key is lost stays as it is when others are resealed', async () => {
  await boxOf(createSealingKey());
  await setPluginSecrets(db.write(workspaceId), by, { pluginId: 'other', values: { api_key: canary } });
  const before = await sealed();
  const third = createSealingKey();
  await resealPluginSecrets(db.everywhere, await boxOf(`${third},${newKey}`));
  const after = await sealed();
  expect([after[0], after[1]]).toEqual([expect.not.objectContaining(before[0]), before[1]]);
  expect(await headerBy(third)).toBe(`Key ${canary}`);
});

test("a copy in another workspace's row cannot be opened", async () => {
  const copy = `insert into plugin_secrets (workspace_id, plugin_id, name, sealed) select 'ws_other', plugin_id, name, sealed from plugin_secrets where plugin_id = 'mailer'`;
  await db.pool.query(copy);
  const third = createSealingKey();
  const keys = `${third},${newKey}`;
  await boxOf(keys);
  await setPluginSecrets(db.write(workspaceId), by, { pluginId: 'mailer', values: { api_key: canary } });
  await db.pool.query(
    `update plugin_secrets c set sealed = o.sealed from plugin_secrets o where c.workspace_id = 'ws_other' and o.workspace_id = $1 and o.plugin_id = c.plugin_id`,
    [workspaceId],
  );
  expect(await headerBy(keys)).toBe(`Key ${canary}`);
  await expect(headerBy(keys, 'ws_other')).rejects.toThrow('the secret api_key for mailer');
});

test('a copied or changed secret does not stop the others from being resealed', async () => {
  const [before, after] = [createSealingKey(), createSealingKey()];
  await boxOf(before);
  await setPluginSecrets(db.write(workspaceId), by, { pluginId: 'mailer', values: { api_key: canary } });
  await setPluginSecrets(db.write('ws_third'), by, { pluginId: 'mailer', values: { api_key: canary } });
  const copy = `update plugin_secrets c set sealed = o.sealed from plugin_secrets o where c.workspace_id = 'ws_other' and o.workspace_id = 'ws_third'`;
  await db.pool.query(copy);
  await db.pool.query(`update plugin_secrets set sealed = left(sealed, -4) || 'AAAA' where workspace_id = 'ws_third'`);
  await resealPluginSecrets(db.everywhere, await boxOf(`${after},${before}`));
  expect(await headerBy(after)).toBe(`Key ${canary}`);
  await expect(headerBy(`${after},${before}`, 'ws_other')).rejects.toThrow('the secret api_key for mailer');
  await expect(headerBy(`${after},${before}`, 'ws_third')).rejects.toThrow('the secret api_key for mailer');
});
