import { afterAll, expect, test } from '@jest/globals';
import { readAccountStatement } from '../../../db/accounting/statement.ts';
import { openArchiveFiles } from '../../../db/archive/archiveFiles.ts';
import { createArchive } from '../../../db/archive/archive.ts';
import { moveMonth } from '../../../db/archive/moveMonth.ts';
import { closeDays } from '../../../db/bill/closeDays.ts';
import { readReceipts } from '../../../db/bill/receipts.ts';
import { signDays } from '../../../db/bill/signDays.ts';
import { readStatementLines } from '../../../db/bill/statementLines.ts';
import { openDatabase, type Database } from '../../../db/database.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { dropMonth } from '../../../db/ledger/months.ts';
import { beginMonths } from '../../../ops/bench/growth/pastMonths.ts';
import { makeAccount } from '../../support/account.ts';
import { daysFromNow, sealingKeys } from '../../support/billDays.ts';
import { setTestDatabase } from '../../support/database.ts';
import { makeFolder } from '../../support/folder.ts';
import { billOf, settleAgain } from '../../support/ledger.ts';
import { idAt, monthFromNow } from '../../support/months.ts';
import { withOwner } from '../../support/pastCalls.ts';
import { lateSettlement } from '../ledger/lateSettlement.ts';

// The clock of a test workspace is a year ahead: the days of its entries are still to come.
const AHEAD_DAYS = 400;
const MONTH = monthFromNow(-2);
let calls = 0;

const db = await setTestDatabase();
const folder = await makeFolder();
await withOwner(db.url, (owner) => beginMonths(owner, MONTH));
const spender = await makeAccount(db, { balanceNanos: 1_000_000n, isTest: true });
afterAll(async () => {
  await db.close();
  await folder.remove();
});

// To an hour after midnight, also when it is midnight now.
const moveClock = (days: number) =>
  withOwner(db.url, (owner) =>
    owner.query('update workspaces set clock_seconds = $2, clock_target_seconds = $2 where id = $1', [
      spender.workspaceId,
      Math.round((daysFromNow(days).getTime() - Date.now()) / 1_000),
    ]),
  );
for (const days of [AHEAD_DAYS, AHEAD_DAYS + 1]) await callAt(days);

/** A call with an id of the month, billed so many days ahead. */
async function callAt(days: number): Promise<void> {
  await moveClock(days);
  const requestId = idAt(new Date(Date.parse(MONTH) + calls), 'ahead');
  calls += 1;
  const bill = billOf(spender, 100n, { requestId });
  await settleAgain(db, lateSettlement(bill, { hold: 'none', cost: 100n, charge: 100n }));
}

const files = () => openArchiveFiles({ folder: folder.path });
const move = () => moveMonth({ everywhere: db.everywhere, files: files(), holder: 'one' }, MONTH.slice(0, 7));
const monthOf = (days: number) => daysFromNow(days).toISOString().slice(0, 7);
const statementOf = (days: number, from: Database = db) =>
  readAccountStatement(from.read(spender.workspaceId), { ...spender, month: monthOf(days) });
async function linesOf(days: number, from: Database = db): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readStatementLines(from.everywhere, spender, monthOf(days))) lines.push(line);
  return lines;
}
const openArchived = () =>
  openDatabase({ url: db.url, spends: false, archive: createArchive(files()), onError: failAtOnce });
function failAtOnce(error: unknown): never {
  throw error;
}

test('the day on which its clock stands is open, and holds its month back', async () => {
  await signDays(db.everywhere, sealingKeys, { now: daysFromNow(1) });
  await expect(move()).rejects.toThrow(/are not signed/);
});

test('an entry that comes after its day was closed belongs to the next one', async () => {
  await moveClock(AHEAD_DAYS + 2);
  await signDays(db.everywhere, sealingKeys);
  await callAt(AHEAD_DAYS + 1);
  await moveClock(AHEAD_DAYS + 4);
  await signDays(db.everywhere, sealingKeys);
  const { rows } = await db.pool.query<{ day: string; last: string }>(
    `select to_char(day, 'YYYY-MM-DD') as day, last_sequence as last from bill_days where place is null order by 1`,
  );
  const dayOf = (days: number) => daysFromNow(days).toISOString().slice(0, 10);
  expect(rows).toEqual([
    { day: dayOf(AHEAD_DAYS), last: '2' },
    { day: dayOf(AHEAD_DAYS + 1), last: '3' },
    { day: dayOf(AHEAD_DAYS + 2), last: '4' },
  ]);
});

test('a day that has ended by its clock is closed: the month is archived, and every answer stays the same', async () => {
  const before = [await statementOf(AHEAD_DAYS), await linesOf(AHEAD_DAYS)];
  expect(await move()).toBe('archived');
  await dropMonth(db.pool, MONTH);
  const archived = await openArchived();
  expect([await statementOf(AHEAD_DAYS, archived), await linesOf(AHEAD_DAYS, archived)]).toEqual(before);
  const [pending] = await readReceipts(archived.everywhere, spender, [3n]);
  expect([JSON.parse(pending!.leaf).sequence, pending!.placed]).toEqual([3, null]);
  await archived.close();
});

test('its root is signed when the day comes, with what was closed', async () => {
  await signDays(db.everywhere, sealingKeys, { now: daysFromNow(AHEAD_DAYS + 3) });
  const archived = await openArchived();
  const [receipt] = await readReceipts(archived.everywhere, spender, [3n]);
  expect(receipt!.placed!.day.index).toBe(0);
  await archived.close();
  const { violations } = await checkInvariants(db.pool);
  expect(violations.filter(({ rule }) => rule === 'the ledger is what was signed')).toEqual([]);
});

test('the accounts are looked for in as much time as those of a day that is signed', async () => {
  const sql = `select current_setting('statement_timeout') as most`;
  const most = await db.everywhere.transaction(async (tx) => {
    await closeDays(tx, 5);
    return (await tx.client.query<{ most: string }>(sql)).rows[0]!.most;
  });
  expect(most).toBe('1min');
});
