import { afterAll, expect, test } from '@jest/globals';
import { readPlugins } from '../../../db/plugins/plugins.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { setTestDatabase } from '../../support/database.ts';
import { runAdmin } from './runAdmin.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const PLUGIN_SECRETS_KEY = createSealingKey();
const keys = parseSealingKeys(PLUGIN_SECRETS_KEY);
const admin = (...args: string[]) => runAdmin(['plugins', ...args], { DATABASE_URL: db.url, PLUGIN_SECRETS_KEY });
const storedHeaders = async () => JSON.stringify((await db.pool.query('select headers from plugins')).rows);
const search = ['--id', 'search', '--version', '1.0'];
const wanted = [{ plugin_id: 'search', version: '1.0' }];
const added = ['add', ...search, '--name', 'Search', '--url', 'https://tools.example/mcp'];

test('a registered plugin is available with its headers until it is disabled', async () => {
  await expect(readPlugins(db.everywhere, keys, wanted)).rejects.toThrow('search');
  const made = await admin(...added, '--header', 'Authorization: Bearer s3cret', '--header', 'x-team: a: b');
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  const headers = { authorization: 'Bearer s3cret', 'x-team': 'a: b' };
  expect(await readPlugins(db.everywhere, keys, wanted)).toEqual([
    { id: 'search', version: '1.0', url: 'https://tools.example/mcp', headers, secrets: [] },
  ]);
  const listed = await admin('list', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { id: 'search', version: '1.0', name: 'Search', header_names: ['authorization', 'x-team'], disabled_at: null },
  ]);
  expect(made.stdout + listed.stdout + (await admin('list')).stdout).not.toContain('s3cret');
  expect((await admin('disable', ...search)).exitCode).toBe(0);
  await expect(readPlugins(db.everywhere, keys, wanted)).rejects.toThrow('search');
  expect(await admin('disable', ...search)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('no active plugin'),
  });
});

test.each([
  [['add', '--id', 'Search', '--version', '1', '--name', 'S', '--url', 'https://x.example'], '--id'],
  [['add', ...search, '--name', 'S', '--url', 'file:///etc'], '--url'],
  [[...added, '--header', 'Bearer s3cret'], '--header'],
  [['add', '--id', 'x'], '--version'],
  [[...added, '--sign-in-client-secret', 's3cret'], '--sign-in'],
  [[...added, '--sign-in', '--sign-in-client-secret', 's3cret'], '--sign-in-client-id'],
  [[...added, '--sign-in', '--header', 'Authorization: Bearer s3cret'], 'authorization'],
])('%j is refused with the invalid option, without repeating a secret', async (args, option) => {
  const refused = await admin(...args);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(option) });
  expect(refused.stderr).not.toContain('s3cret');
});

test("a credential is stored encrypted, and encrypted again by the variable's first key", async () => {
  await admin(...added, '--header', 'Authorization: Bearer s3cret');
  const first = await storedHeaders();
  expect(first).toContain('"authorization":{"sealed":"v1.');
  expect(first).not.toContain('s3cret');
  const rotated = { DATABASE_URL: db.url, PLUGIN_SECRETS_KEY: `${createSealingKey()},${PLUGIN_SECRETS_KEY}` };
  expect(await runAdmin(['plugins', 'seal', '--json'], rotated)).toMatchObject({
    exitCode: 0,
    stdout: '{"sealed":1}\n',
  });
  expect(await storedHeaders()).not.toBe(first);
  await expect(readPlugins(db.everywhere, keys, wanted)).rejects.toThrow('which PLUGIN_SECRETS_KEY does not hold');
  const [current] = rotated.PLUGIN_SECRETS_KEY.split(',');
  expect(await readPlugins(db.everywhere, parseSealingKeys(current!), wanted)).toMatchObject([
    { headers: { authorization: 'Bearer s3cret' } },
  ]);
  expect((await runAdmin(['plugins', 'seal', '--json'], rotated)).stdout).toBe('{"sealed":0}\n');
});

test("a plugin's client is registered for sign-ins, with its secret encrypted, and encrypted again", async () => {
  const [issuer, scope] = ['https://auth.example', 'notes offline_access'];
  const client = ['--sign-in-client-id', 'ours', '--sign-in-client-secret', 's3cret'];
  const options = ['--sign-in', '--sign-in-issuer', issuer, '--sign-in-scope', scope];
  expect(await admin(...added, ...options, ...client)).toMatchObject({ exitCode: 0, stderr: '' });
  const stored = async () => JSON.stringify((await db.pool.query('select sign_in from plugins')).rows);
  const first = await stored();
  expect(first).not.toContain('s3cret');
  const signIn = { issuer, scope, clientId: 'ours', clientSecret: 's3cret' };
  expect(await readPlugins(db.everywhere, keys, wanted)).toMatchObject([{ signIn }]);
  const rotated = { DATABASE_URL: db.url, PLUGIN_SECRETS_KEY: `${createSealingKey()},${PLUGIN_SECRETS_KEY}` };
  expect((await runAdmin(['plugins', 'seal', '--json'], rotated)).stdout).toBe('{"sealed":1}\n');
  expect(await stored()).not.toBe(first);
  const current = parseSealingKeys(rotated.PLUGIN_SECRETS_KEY.split(',')[0]!);
  expect(await readPlugins(db.everywhere, current, wanted)).toMatchObject([{ signIn }]);
});

test.each(['', 'A'.repeat(44)])('without a strong key (%j) no plugin is registered', async (weak) => {
  const env = { DATABASE_URL: db.url, DATA_DIR: '/nowhere', PLUGIN_SECRETS_KEY: weak };
  const refused = await runAdmin(['plugins', ...added, '--header', 'x-key: s3cret'], env);
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('PLUGIN_SECRETS_KEY: must be 32 random bytes in base64'),
  });
  expect(refused.stderr).not.toMatch(/s3cret|AAAA/);
});
