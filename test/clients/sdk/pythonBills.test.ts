import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signDays } from '../../../db/bill/signDays.ts';
import { setStage } from '../../api/platform/stage.ts';
import { makeAccount } from '../../support/account.ts';
import { daysFromNow, sealingKeys } from '../../support/billDays.ts';
import { describeWithPython } from '../withPython.ts';
import { installPackage, type PythonPackage } from './pythonPackage.ts';

let stage: Awaited<ReturnType<typeof setStage>>;
let installed: PythonPackage;

describeWithPython('the package for Python', () => {
  beforeAll(async () => {
    installed = await installPackage();
    stage = await setStage();
  }, 600_000);
  afterAll(async () => {
    await stage?.close();
    await installed?.remove();
  });

  test('verifies receipts and statements, and refuses each change of them', async () => {
    const { secret } = await makeAccount(stage.db, { creditUsd: '10' });
    const requests = [await stage.chat(secret), await stage.chat(secret)];
    await stage.db.ledger.posted();
    await signDays(stage.db.everywhere, sealingKeys, { now: daysFromNow(1) });
    const seen = await installed.run('check_bills.py', {
      LEDGERLINE_BASE_URL: stage.api.url,
      LEDGERLINE_API_KEY: secret,
      REQUESTS: JSON.stringify(requests),
    });
    expect(seen).toEqual({
      sequence: 3,
      signed: 3,
      missed: [],
      alien: expect.stringMatching(/^row \d+: no published key/),
    });
  });
});
