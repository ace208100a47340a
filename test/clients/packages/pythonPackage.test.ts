import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clientWheel } from '../../../api/docs/pages/clientWheel.ts';
import { setGuardStage, type GuardStage } from '../../support/guardStage.ts';
import { describeWithPython } from '../withPython.ts';
import { buildForTests } from './buildForTests.ts';
import { useWheel } from './pythonProject.ts';

describeWithPython('the package for Python as a customer gets it', () => {
  let stage: GuardStage;
  beforeAll(async () => {
    await buildForTests();
    stage = await setGuardStage();
  }, 600_000);
  afterAll(() => stage?.close());

  test('pip installs it from the address of the guides, and its calls are answered and refused', async () => {
    const { secret } = await stage.account({ creditUsd: '1' });
    const env = { LEDGERLINE_BASE_URL: stage.url, LEDGERLINE_API_KEY: secret };
    const found = await useWheel(`${stage.url}/clients/${clientWheel}`, 'python3', env);
    expect(found).toEqual(['list', 401, expect.stringMatching(/^3\.\d+$/)]);
  }, 600_000);
});
