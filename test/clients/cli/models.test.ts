import { afterAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundleCommandLine } from '../../../clients/typescript/bundle.ts';
import { setCatalogStage } from '../../api/catalog/catalogStage.ts';
import { startVendor } from '../../api/starters/vendorDouble.ts';
import { makeFolder } from '../../support/folder.ts';

const key = 'sk-vendor-of-the-terminal-8Zq1';
const stage = await setCatalogStage();
const vendor = await startVendor({ key, models: ['real-1'] });
const home = await makeFolder();
const program = join(home.path, 'cli.mjs');
await bundleCommandLine(program);
afterAll(async () => {
  await home.remove();
  await vendor.stop();
  await stage.close();
});

/** Runs the command line with a key of Ledgerline; `input` is what it reads of stdin. */
async function run(args: string[], { by = stage.ada.secret, input = '' } = {}) {
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    XDG_CONFIG_HOME: home.path,
    LEDGERLINE_BASE_URL: stage.api.url,
    LEDGERLINE_API_KEY: by,
  };
  const child = spawn(process.execPath, [program, ...args], { cwd: home.path, env });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number, stdout, stderr };
}

const add = (more: string[] = [], input = key) =>
  run(['models', 'add', 'real-1', '--address', vendor.url, '--key-stdin', ...more], { input });

test('models are listed with the price of a million tokens', async () => {
  const listed = await run(['models', '--json']);
  expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ id: 'ledgerline-text-1', kind: 'text' }));
  expect((await run(['models', 'list', '--kind', 'text'])).stdout).toMatch(/ledgerline-text-1 .*\$0\.30 .*\$2\.50/);
});

// As tokens, sound would seem to cost nothing.
test('models of sound are listed with the price of its units, and no price of tokens', async () => {
  const listed = async (kind: string) => (await run(['models', 'list', '--kind', kind])).stdout;
  const [speech, transcription] = await Promise.all([listed('speech'), listed('transcription')]);
  expect(speech).toMatch(/- +- +\$[\d.]+ for 1M characters/);
  expect(transcription).toMatch(/- +- +\$[\d.]+ a minute/);
  expect(speech + transcription).not.toContain('$0.00 ');
});

test('a wrong key is told and nothing is kept; a model without a list price needs one', async () => {
  const wrong = await add(['--price', '1/4'], 'sk-wrong');
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toMatch(/refuses this key \(401\)[^]*Nothing was kept/);
  const unpriced = await add();
  expect(unpriced).toMatchObject({ code: 2 });
  expect(unpriced.stderr).toContain('--price 0.5/2');
  expect((await stage.db.pool.query('select name from catalog_changes')).rows).toEqual([]);
});

test('a vendor’s model is tried, sold at its price and used by agents, by one command', async () => {
  const added = await add(['--price', '1/4']);
  expect(added).toMatchObject({ code: 0 });
  expect(added.stderr).toContain('It answered “Paris”');
  expect(added.stdout).toMatch(/real-1 is sold: input \$1\.00, output \$4\.00 for 1M tokens/);
  const used = await run(['models', 'use', 'real-1', '--json']);
  expect(JSON.parse(used.stdout)).toMatchObject({ model: 'real-1', chosen_by: 'Ada' });
  for (const printed of [added.stdout, added.stderr]) expect(printed).not.toContain(key);
});

test('a key that is no operator’s is told who can do it', async () => {
  const refused = await run(['models', 'use', 'real-1'], { by: stage.customer.secret });
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(refused.stderr).toContain('Only operators of the installation give agents a model');
  expect(refused.stderr).toContain('/operate/agent-model');
});

test.each([
  [['models', 'add', 'x', '--vendor', 'nobody'], 'There is no vendor nobody: openai,'],
  [['models', 'add', 'x', '--vendor', 'openai'], '--key-stdin'],
  [['models', 'add', 'x', '--price', 'much'], 'input/output'],
  [['models', 'add', 'x', '--vendor', 'openai', '--address', 'http://host/v1'], 'not both'],
  [['init', 'poet', '--model'], '--model needs the id'],
])('%j is refused as a wrong usage', async (args, told) => {
  const refused = await run(args);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain(told);
});

test('without a model to fetch that is said', async () => {
  const refused = await run(['models', 'fetch']);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain('There is no model to fetch here.');
});
