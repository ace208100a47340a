import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../../support/sources.ts';
import { buildForTests } from '../packages/buildForTests.ts';
import { makeNpmProject, type NpmProject } from '../packages/npmProject.ts';
import { setSnippetStage, type SnippetStage } from './snippetStage.ts';

let stage: SnippetStage;
let project: NpmProject;

beforeAll(async () => {
  await buildForTests();
  stage = await setSnippetStage();
  project = await makeNpmProject(`${stage.url}/clients/ledgerline.tgz`);
  const { version } = JSON.parse(readText('node_modules/openai/package.json')) as { version: string };
  await project.run('npm', ['install', '--no-audit', '--no-fund', `openai@${version}`]);
  await stage.writeTable(project.path);
}, 600_000);
afterAll(async () => {
  await project?.remove();
  await stage?.close();
});

const PROGRAMS = ['run', 'stream', 'answer', 'files', 'pages', 'errors', 'costs', 'vendor'] as const;

test('the program of the quick start works as it is written', async () => {
  const [script, printed] = stage.expected.run;
  stage.upstream.script(script);
  await project.write('start.mjs', await stage.textOf('ledgerline-typescript.mjs'));
  const { LEDGERLINE_BASE_URL: BASE_URL, LEDGERLINE_API_KEY: API_KEY } = stage.env;
  expect(await project.node('start.mjs', { BASE_URL, API_KEY })).toMatch(printed);
});

test.each(PROGRAMS)('the program %s of the guide works as it is written', async (name) => {
  const [script, printed] = stage.expected[name];
  stage.upstream.script(script);
  await project.write(`${name}.mjs`, await stage.textOf(`clients/${name}.mjs`));
  expect(await project.node(`${name}.mjs`, stage.env)).toMatch(printed);
  if (name === 'files') expect(await readFile(join(project.path, 'total.md'), 'utf8')).toBe('Total: 42');
});

test('the programs that verify bills work as they are written', async () => {
  stage.upstream.script({ text: 'Rain.' });
  const requestId = await stage.writeBill(project.path);
  for (const name of ['receipt', 'statement'])
    await project.write(`${name}.mjs`, await stage.textOf(`clients/${name}.mjs`));
  expect(await project.run(process.execPath, ['receipt.mjs', requestId], stage.env)).toMatch(/^debit -\d+ /);
  expect(await project.node('statement.mjs', stage.env)).toMatch(/signedSequence: \d+/);
});
