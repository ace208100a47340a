import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readPlugins } from '../../db/agents/readPlugins.ts';
import { setTestDatabase } from '../support/database.ts';
import { runAdmin } from './runAdmin.ts';

let db: Awaited<ReturnType<typeof setTestDatabase>>;
beforeAll(async () => {
  db = await setTestDatabase();
});
afterAll(() => db.close());

const admin = (...args: string[]) => runAdmin(['plugins', ...args], { DATABASE_URL: db.url });
const search = ['--id', 'search', '--version', '1.0'];
const wanted = [{ plugin_id: 'search', version: '1.0' }];
const added = ['add', ...search, '--name', 'Search', '--url', 'https://tools.example/mcp'];

test('a plugin is there once it is registered, with what is sent to it, until it is disabled', async () => {
  await expect(readPlugins(db.pool, wanted)).rejects.toThrow('search');
  const made = await admin(...added, '--header', 'Authorization: Bearer s3cret', '--header', 'x-team: a: b');
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  const headers = { authorization: 'Bearer s3cret', 'x-team': 'a: b' };
  expect(await readPlugins(db.pool, wanted)).toEqual([
    { id: 'search', version: '1.0', url: 'https://tools.example/mcp', headers },
  ]);
  const listed = await admin('list', '--json');
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { id: 'search', version: '1.0', name: 'Search', header_names: ['authorization', 'x-team'], disabled_at: null },
  ]);
  expect(made.stdout + listed.stdout + (await admin('list')).stdout).not.toContain('s3cret');
  expect((await admin('disable', ...search)).exitCode).toBe(0);
  await expect(readPlugins(db.pool, wanted)).rejects.toThrow('search');
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
])('%j is refused with the option that is wrong, without repeating a secret', async (args, option) => {
  const refused = await admin(...args);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(option) });
  expect(refused.stderr).not.toContain('s3cret');
});
