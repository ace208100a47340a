import { afterAll, describe, expect, test } from '@jest/globals';
import { setGuardStage } from '../../support/guardStage.ts';
import { buildForTests } from './buildForTests.ts';
import { nodes } from './installedVersions.ts';
import { makeNpmProject, programText } from './npmProject.ts';

await buildForTests();
const stage = await setGuardStage();
const { secret } = await stage.account({ creditUsd: '1' });
const env = { LEDGERLINE_BASE_URL: stage.url, LEDGERLINE_API_KEY: secret };
afterAll(() => stage.close());

describe.each(nodes)('on Node $version', ({ version, program }) => {
  test('the package is installed and works, and so does its command line', async () => {
    const project = await makeNpmProject(`${stage.url}/clients/ledgerline.tgz`, { node: program });
    await project.write('program.mjs', programText('onNode.mjs'));
    const [own, ...found] = JSON.parse(await project.node('program.mjs', env)) as unknown[];
    expect(found).toEqual(['list', true, 'string']);
    expect(String(own)).toMatch(new RegExp(`^v${version}\\.`));
    expect(await project.run('npx', ['ledgerline', '--help'])).toContain('whoami');
    await project.remove();
  });
});

test('a release that is still in use is among those that were tried', () => {
  expect(nodes.map(({ version }) => version)).toContain(process.versions.node.split('.')[0]);
});
