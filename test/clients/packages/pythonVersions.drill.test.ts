import { afterAll, describe, expect, test } from '@jest/globals';
import { clientWheel } from '../../../api/docs/pages/clientWheel.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { buildForTests } from './buildForTests.ts';
import { pythons } from './installedVersions.ts';
import { useWheel } from './pythonProject.ts';

await buildForTests();
const stage = await setGuardStage();
const { secret } = await stage.account({ creditUsd: '1' });
const env = { LEDGERLINE_BASE_URL: stage.url, LEDGERLINE_API_KEY: secret };
afterAll(() => stage.close());

describe.each(pythons)('on Python $version', ({ version, program }) => {
  test('the package is installed and works', async () => {
    const found = await useWheel(`${stage.url}/clients/${clientWheel}`, program, env);
    expect(found).toEqual(['list', 401, version]);
  }, 600_000);
});

test('each release that was found is one that the package is for', () => {
  expect(pythons.every(({ version }) => Number(version.split('.')[1]) >= 10)).toBe(true);
});
