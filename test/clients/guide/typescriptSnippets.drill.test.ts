import { afterAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../../support/sources.ts';
import { buildForTests } from '../packages/buildForTests.ts';
import { makeNpmProject, programText } from '../packages/npmProject.ts';
import { setSnippetStage } from './snippetStage.ts';

// The package as a customer gets it: npm install http://…/clients/ledgerline.tgz in an empty project.

await buildForTests();
const stage = await setSnippetStage();
const project = await makeNpmProject(`${stage.url}/clients/ledgerline.tgz`);
const { version } = JSON.parse(readText('node_modules/openai/package.json')) as { version: string };
await project.run('npm', ['install', '--no-audit', '--no-fund', `openai@${version}`]);
await stage.writeTable(project.path);
afterAll(async () => {
  await project.remove();
  await stage.close();
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

describe('the package', () => {
  test('is imported by a program, and its calls are answered and refused', async () => {
    await project.write('program.mjs', programText('firstCalls.mjs'));
    expect(JSON.parse(await project.node('program.mjs', stage.env))).toEqual(['list', true, 401]);
  });

  test.each(['nodenext', 'bundler'] as const)('has types that are found by the resolution %s', async (resolution) => {
    await project.write('typed.ts', programText('typed.txt'));
    await expect(project.check('typed.ts', resolution)).resolves.toBe('');
  });

  test('has a command line, which asks the installation', async () => {
    expect(await project.run('npx', ['ledgerline', '--help'])).toContain('whoami');
    expect(await project.run('npx', ['ledgerline', 'whoami', '--json'], stage.env)).toContain('"balance"');
  });

  test('carries the licences of what its command line is made of', async () => {
    const text = await readFile(join(project.path, 'node_modules/ledgerline/dist/licences.txt'), 'utf8');
    for (const name of ['commander', '@clack/prompts', 'jsonc-parser']) expect(text).toContain(`${name} `);
    expect(text).toContain('Permission is hereby granted');
  });

  test('installs two packages at most, and the lock file names its checksum', async () => {
    const text = await readFile(join(project.path, 'package-lock.json'), 'utf8');
    const { packages } = JSON.parse(text) as { packages: Record<string, { integrity: string; dependencies?: object }> };
    const { data } = (await (await stage.ask('/clients')).json()) as {
      data: { language: string; integrity: string }[];
    };
    expect(Object.keys(packages['node_modules/ledgerline']!.dependencies!).length).toBeLessThanOrEqual(2);
    expect(packages['node_modules/ledgerline']!.integrity).toBe(data[0]!.integrity);
  });
});
