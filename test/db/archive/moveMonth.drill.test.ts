import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, test } from '@jest/globals';
import { explain } from '../../../db/accounting/explanation.ts';
import { readLatency } from '../../../db/accounting/callLatency.ts';
import { readRequestTotals } from '../../../db/accounting/requestTotals.ts';
import { readUsageReport } from '../../../db/accounting/usageReport.ts';
import { readLedgerTotals } from '../../../db/ledger/ledgerTotals.ts';
import { findRequest, listRequests } from '../../../db/accounting/requests.ts';
import { exportCalls } from '../../../db/exports/exportCalls.ts';
import { exportWorkspace } from '../../../db/exports/exportWorkspace.ts';
import { nextMonthOf, readAccountStatement } from '../../../db/accounting/statement.ts';
import { createArchive } from '../../../db/archive/archive.ts';
import { type ArchiveFiles, openArchiveFiles } from '../../../db/archive/archiveFiles.ts';
import { moveMonth } from '../../../db/archive/moveMonth.ts';
import { monthOf } from '../../../db/archive/months.ts';
import { verifyMonth } from '../../../db/archive/verifyMonth.ts';
import { readReceipts } from '../../../db/bill/receipts.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { signDays } from '../../../db/bill/signDays.ts';
import { readStatementLines } from '../../../db/bill/statementLines.ts';
import { listLedgerEntries } from '../../../db/ledger/ledgerEntries.ts';
import { openDatabase } from '../../../db/database.ts';
import { accountIdOf, fill, workspaceIdOf } from '../../../ops/bench/growth/fill.ts';
import { daysFromNow, sealingKeys, tamper } from '../../support/billDays.ts';
import { makeDatabase, ownerUrlOf } from '../../support/database.ts';
import { makeFolder } from '../../support/folder.ts';
import { readMonths } from '../../support/months.ts';

// 3,000 calls of a thousand workspaces in 90 days; the first one has 500 of them.
const CALLS = 3_000;
const months = [3, 2, 1].map((ago) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 7);
});
const own = { workspaceId: workspaceIdOf(0), accountId: accountIdOf(0) };

const folder = await makeFolder();
const database = await makeDatabase();
const owner = new Client({ connectionString: ownerUrlOf(database.url) });
await owner.connect();
await fill(owner, CALLS, () => {});
await owner.end();
const files = openArchiveFiles({ folder: folder.path });
const db = await openDatabase({ url: database.url, archive: createArchive(files), spends: false, onError: () => {} });
await signDays(db.everywhere, sealingKeys, { now: daysFromNow(0) });
const known = (await readMonths(db.everywhere)).map(({ month }) => month.slice(0, 7));
/** All but the last of them, and the months before, which have no call: months are dropped in their order. */
const moved = known.filter((month) => month <= months[1]!);

afterAll(async () => {
  await db.close();
  await database.drop();
  await folder.remove();
});

/** What the first workspace is answered about its months. */
async function answers() {
  const rows = db.read(own.workspaceId);
  const lines: string[] = [];
  for (const month of months) for await (const line of readStatementLines(db.everywhere, own, month)) lines.push(line);
  const statements = [];
  for (const month of months) statements.push(await readAccountStatement(rows, { ...own, month }));
  const listed: string[] = [];
  const pages = [];
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof listRequests>> = await listRequests(rows, {}, { after, limit: 90 });
    pages.push(page);
    listed.push(...page.rows.map(({ id }) => id));
    after = page.next;
    if (after === null) break;
  }
  const entries = [];
  for (let before: Parameters<typeof listLedgerEntries>[1]['before'] = null; ;) {
    const page = await listLedgerEntries(rows, { ...own, before, limit: 90 });
    entries.push(page);
    if (!page.next) break;
    before = page.next;
  }
  const ids = [listed.at(-1)!, listed.at(-30)!, listed[250]!, listed[0]!];
  const found = [];
  for (const id of ids) {
    found.push(await findRequest(rows, id), await explain(rows, own.accountId, { type: 'request', id }));
    const entryId = (await findRequest(rows, id))!.ledgerEntryIds[0]!;
    found.push(await explain(rows, own.accountId, { type: 'entry', id: entryId }));
  }
  const range = {
    from: new Date(Date.parse(`${months[0]}-02T03:20:00Z`)),
    to: new Date(Date.parse(`${months[1]}-20T07:40:00Z`)),
  };
  const day = {
    from: new Date(Date.parse(`${months[1]}-05T00:00:00Z`)),
    to: new Date(Date.parse(`${months[1]}-06T00:00:00Z`)),
  };
  const reports = [
    await readUsageReport(rows, { ...range, groupBy: ['day', 'model'] }),
    await readUsageReport(rows, { ...day, groupBy: ['minute'] }),
    await readLatency(rows, { ...range, groupBy: ['model'] }),
    await readRequestTotals(rows, {}),
    await readRequestTotals(rows, range),
    await readLedgerTotals(rows, { ...own, filter: range }),
    await listRequests(rows, { ...range, model: 'ledgerline-text-2' }, { after: null, limit: 30 }),
    await listLedgerEntries(rows, { ...own, before: null, limit: 30, filter: { to: range.to } }),
  ];
  const exported: Buffer[] = [];
  await exportWorkspace(rows, async (bytes) => void exported.push(Buffer.from(bytes)));
  // In another order: rows of the database come first.
  const archived = Buffer.concat(exported)
    .toString()
    .split(/[\n\0]+/)
    .filter((line) => line.startsWith('{'))
    .toSorted();
  const parquet: Buffer[] = [];
  for (const month of months) {
    const span = { from: new Date(`${month}-01`), to: new Date(nextMonthOf(month)) };
    for await (const bytes of exportCalls(rows, span)) parquet.push(Buffer.from(bytes));
  }
  const receipts = await readReceipts(db.everywhere, own, [1n, 2n, 5n, 140n, 260n, 400n, 501n]);
  return {
    lines,
    statements,
    pages,
    entries,
    found,
    receipts,
    reports,
    archived,
    parquet: Buffer.concat(parquet).toString('base64'),
    count: listed.length,
  };
}

const mover = (more = {}) => ({ everywhere: db.everywhere, files, holder: 'one', ...more });

/** The archive, with what happens after each stored object. */
const watched = (after: (key: string) => void): ArchiveFiles => ({
  ...files,
  store: {
    ...files.store,
    put: async (key, bytes) => {
      await files.store.put(key, bytes);
      after(key);
    },
  },
});

test('two of three months move, and every answer stays the same', async () => {
  const before = await answers();
  expect(before.count).toBe(500);
  // A process dies after each object that it stores, before the database knows of it.
  const killed = watched((key) => {
    throw new Error(`killed after ${key}`);
  });
  for (const month of moved) {
    const one = { partRows: 400, files: killed };
    const objects = months.includes(month) ? 3 : 1;
    for (let died = 0; died < objects; died += 1)
      await expect(moveMonth(mover(one), month)).rejects.toThrow('killed after');
    const [[state, error]] = await stateOf(month);
    expect([state, error]).toEqual(['writing', expect.stringContaining('killed after')]);
    expect(await moveMonth(mover({ partRows: 400 }), month)).toBe('archived');
    // Repeated: nothing happens.
    expect(await moveMonth(mover({ holder: 'other' }), month)).toBe('archived');
  }
  expect(await answers()).toEqual(before);
  const checked = await checkInvariants(db.pool, { signedDays: null });
  expect(checked.violations).toEqual([]);
  for (const month of moved) {
    // Readers that began before it was archived have ended.
    await db.pool.query(`update archive_moves set archived_at = now() - interval '3 minutes' where month = $1`, [
      `${month}-01`,
    ]);
    expect(await moveMonth(mover(), month)).toBe('dropped');
  }
  const left = `select count(*)::int as calls from requests where id < $1`;
  expect((await db.pool.query(left, [monthOf(months[2]!).first])).rows).toEqual([{ calls: 0 }]);
  expect(await checkInvariants(db.pool, { signedDays: null })).toEqual(checked);
  expect(await answers()).toEqual(before);
  // The ninety days of calls may begin after the first of the three months.
  const verified = await Promise.all(moved.map((month) => verifyMonth(mover(), month)));
  for (const { calls, days } of verified) expect(days > 0).toBe(calls > 0);
  const remaining = (await db.pool.query<{ calls: number }>('select count(*)::int as calls from requests')).rows[0]!;
  expect(verified.reduce((sum, { calls }) => sum + calls, 0)).toBe(CALLS - remaining.calls);
}, 600_000);

async function stateOf(month: string): Promise<[[string, string | null]]> {
  const { rows } = await db.pool.query<{ state: string; error: string | null }>(
    'select state, error from archive_moves where month = $1',
    [`${month}-01`],
  );
  return [[rows[0]!.state, rows[0]!.error]];
}

test('one process at a time moves a month', async () => {
  await db.pool.query(`update archive_moves set holder = 'first', held_until = now() + interval '1 minute'`);
  expect(await moveMonth(mover({ holder: 'second' }), moved[0]!)).toBe('held');
  await db.pool.query(`update archive_moves set held_until = now() - interval '1 second'`);
  expect(await moveMonth(mover({ holder: 'second' }), moved[0]!)).toBe('dropped');
});

test('a changed file is named, and so is an entry that is not what was signed', async () => {
  const month = months[1]!;
  const { rows } = await db.pool.query<{ key: string }>(
    `select key from archive_files where month = $1 and dataset = 'entries' and part = 1`,
    [`${month}-01`],
  );
  const { key } = rows[0]!;
  const path = join(folder.path, key);
  const whole = await readFile(path);
  const changed = Buffer.from(whole);
  changed[whole.length >> 1]! ^= 1;
  await writeFile(path, changed);
  await expect(verifyMonth(mover(), month)).rejects.toThrow(`${key} is not as written`);
  await writeFile(path, whole);
  await tamper(database.url, `update bill_days set leaf = replace(leaf, '"entries_root":"', '"entries_root":"0')`);
  await expect(verifyMonth(mover(), month)).rejects.toThrow('are not those that were signed');
});
