import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openArchiveFiles } from '../../../db/archive/archiveFiles.ts';
import { moveMonth } from '../../../db/archive/moveMonth.ts';
import { signDays } from '../../../db/bill/signDays.ts';
import { beginMonths } from '../../../ops/bench/growth/pastMonths.ts';
import { makeAccount } from '../../support/account.ts';
import { daysFromNow, sealingKeys } from '../../support/billDays.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { makeFolder } from '../../support/folder.ts';
import { billOf, settleAgain } from '../../support/ledger.ts';
import { idAt, monthFromNow } from '../../support/months.ts';
import { lateSettlement } from '../ledger/lateSettlement.ts';

const db = await setTestDatabase();
const folder = await makeFolder();
const owner = new Client(ownerUrlOf(db.url));
await owner.connect();
afterAll(async () => {
  await owner.end();
  await db.close();
  await folder.remove();
});

/** More than a month has: the clock of a test workspace goes from day to day. */
const DAYS = 70;

test('calls of a month that were billed on many days are archived and compared with all of these', async () => {
  const month = monthFromNow(-2);
  await beginMonths(owner, month);
  const spender = await makeAccount(db, { balanceNanos: 1_000_000n, isTest: true });
  for (let day = 1; day <= DAYS; day += 1) {
    await owner.query('update workspaces set clock_seconds = $2, clock_target_seconds = $2 where id = $1', [
      spender.workspaceId,
      day * 86_400,
    ]);
    const requestId = idAt(new Date(Date.parse(month) + day), 'day');
    const bill = billOf(spender, 100n, { requestId });
    await settleAgain(db, lateSettlement(bill, { hold: 'none', cost: 100n, charge: 100n }));
  }
  await signDays(db.everywhere, sealingKeys, { now: daysFromNow(DAYS + 2) });
  const mover = { everywhere: db.everywhere, files: openArchiveFiles({ folder: folder.path }), holder: 'one' };
  expect(await moveMonth(mover, month.slice(0, 7))).toBe('archived');
});

test('a month that has not ended is refused, and leaves no trace that blocks it later', async () => {
  const months = [0, 1, 14].map(monthFromNow);
  const mover = { everywhere: db.everywhere, files: openArchiveFiles({ folder: folder.path }), holder: 'one' };
  for (const month of months)
    await expect(moveMonth(mover, month.slice(0, 7))).rejects.toThrow('has not ended two days ago');
  const { rowCount } = await owner.query('select from archive_moves where month = any($1::date[])', [months]);
  expect(rowCount).toBe(0);
});
