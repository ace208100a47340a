import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setGuardStage, type GuardStage } from '../../support/guardStage.ts';
import { buildForTests } from './buildForTests.ts';
import { makeNpmProject, programText, type NpmProject } from './npmProject.ts';

// The package as a customer gets it: npm install http://…/clients/ledgerline.tgz in an empty project.
let stage: GuardStage;
let project: NpmProject;
let env: Record<string, string>;

beforeAll(async () => {
  await buildForTests();
  stage = await setGuardStage();
  project = await makeNpmProject(`${stage.url}/clients/ledgerline.tgz`);
  const { secret } = await stage.account({ creditUsd: '1' });
  env = { LEDGERLINE_BASE_URL: stage.url, LEDGERLINE_API_KEY: secret };
}, 600_000);
afterAll(async () => {
  await project?.remove();
  await stage?.close();
});

test('a program imports it, and its calls are answered and refused', async () => {
  await project.write('program.mjs', programText('firstCalls.mjs'));
  expect(JSON.parse(await project.node('program.mjs', env))).toEqual(['list', true, 401]);
});

test.each(['nodenext', 'bundler'] as const)('its types are found by the resolution %s', async (resolution) => {
  await project.write('typed.ts', programText('typed.txt'));
  await expect(project.check('typed.ts', resolution)).resolves.toBe('');
});

test('its command line is there, and asks the installation', async () => {
  expect(await project.run('npx', ['ledgerline', '--help'])).toContain('whoami');
  expect(await project.run('npx', ['ledgerline', 'whoami', '--json'], env)).toContain('"balance"');
});

test('it carries the licences of what its command line is made of', async () => {
  const text = await readFile(join(project.path, 'node_modules/ledgerline/dist/licences.txt'), 'utf8');
  for (const name of ['commander', '@clack/prompts', 'jsonc-parser']) expect(text).toContain(`${name} `);
  expect(text).toContain('Permission is hereby granted');
});

test('it installs two packages at most, and the lock file names its checksum', async () => {
  const text = await readFile(join(project.path, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, { integrity: string; dependencies?: object }> };
  const { data } = (await (await stage.ask('/clients')).json()) as { data: { language: string; integrity: string }[] };
  expect(Object.keys(packages['node_modules/ledgerline']!.dependencies!).length).toBeLessThanOrEqual(2);
  expect(packages['node_modules/ledgerline']!.integrity).toBe(data[0]!.integrity);
});
