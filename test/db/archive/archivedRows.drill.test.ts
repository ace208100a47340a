import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { explain } from '../../../db/accounting/explanation.ts';
import { findRequest, listRequests } from '../../../db/accounting/requests.ts';
import { readAccountStatement } from '../../../db/accounting/statement.ts';
import { readUsageReport } from '../../../db/accounting/usageReport.ts';
import { createArchive } from '../../../db/archive/archive.ts';
import { DATASETS } from '../../../db/archive/datasets.ts';
import { monthOf } from '../../../db/archive/months.ts';
import { verifyMonth } from '../../../db/archive/verifyMonth.ts';
import { readReceipts } from '../../../db/bill/receipts.ts';
import { signDays } from '../../../db/bill/signDays.ts';
import { readStatementLines } from '../../../db/bill/statementLines.ts';
import type { Database } from '../../../db/database.ts';
import { eraseWorkspace, listDueErasures } from '../../../db/erasure/eraseWorkspace.ts';
import { orderErasure } from '../../../db/erasure/erasures.ts';
import { exportWorkspace } from '../../../db/exports/exportWorkspace.ts';
import { readInvoiceContent } from '../../../db/invoices/invoiceLines.ts';
import { findInvoice, listInvoices } from '../../../db/invoices/invoices.ts';
import { issueInvoices } from '../../../db/invoices/issueInvoices.ts';
import { findLedgerEntry, listLedgerEntries } from '../../../db/ledger/ledgerEntries.ts';
import { readLedgerTotals } from '../../../db/ledger/ledgerTotals.ts';
import { findAnywhere } from '../../../db/search/findAnywhere.ts';
import { findNamed } from '../../../db/search/findNamed.ts';
import { accountIdOf, keyIdOf, workspaceIdOf } from '../../../ops/bench/growth/fill.ts';
import { daysFromNow, sealingKeys } from '../../support/billDays.ts';
import { failAtOnce, TEST_ISSUER } from '../../support/issuer.ts';
import { withOwner } from '../../support/pastCalls.ts';
import { monthAgo, OWN, setArchive } from './archiveStage.ts';

const [BEFORE, MOVED, KEPT] = [monthAgo(3), monthAgo(2), monthAgo(1)];
/** Has some calls of each month. */
const OTHER = { workspaceId: workspaceIdOf(1), accountId: accountIdOf(1) };
/** In every field that may name a person. */
const NAME = 'Erika-Mustermann';

const stage = await setArchive({
  calls: 2_000,
  prepare: async (owner) => {
    await owner.query(`update workspaces set name = '${NAME}' where id = '${OWN.workspaceId}'`);
    await owner.query(
      `update api_keys set name = '${NAME}', prefix = 'sk_${NAME}' where workspace_id = '${OWN.workspaceId}'`,
    );
    await owner.query('alter table requests disable trigger user');
    await owner.query(
      `insert into projects (id, workspace_id, name) values ('prj_own', '${OWN.workspaceId}', '${NAME}')`,
    );
    await owner.query(`update requests set project_id = 'prj_own' where workspace_id = '${OWN.workspaceId}'`);
    await owner.query('alter table requests enable trigger user');
  },
});
const { db, url, files, folder, mover, moveUpTo, openWith, close } = stage;
afterAll(close);

const by = { keyId: null, requestId: 'req_test' };
const contentOf = (month: string) =>
  db.write(OWN.workspaceId).transaction((tx) => readInvoiceContent(tx, { accountId: OWN.accountId, month }));
const idsOf = async (month: string, { workspaceId } = OWN) => {
  const { first, end } = monthOf(month);
  const sql = 'select id from requests where id >= $1 and id < $2 and workspace_id = $3 order by id';
  return (await db.pool.query<{ id: string }>(sql, [first, end, workspaceId])).rows.map(({ id }) => id);
};

/** Without the headers of the tar, which have its time. */
const rowsIn = (tar: Buffer) =>
  tar
    .toString()
    .split(/[\n\0]+/)
    .filter((line) => line.startsWith('{'));

const invoiced = [await contentOf(MOVED), await contentOf(KEPT)];
const ids = await idsOf(MOVED);
const [id] = ids as [string];
const { ledgerEntryIds } = (await findRequest(db.read(OWN.workspaceId), id))!;
const entryId = ledgerEntryIds[0]!;
const sequence = BigInt(entryId.slice(`le_${OWN.accountId.slice('acct_'.length)}`.length));
const statementOf = (month: string) =>
  readAccountStatement(db.read(OTHER.workspaceId), { accountId: OTHER.accountId, month });
// As by a machine that was away when its answer was not sent.
await db.pool.query(`select ledger_refund($1, 'hold_none', 503)`, [(await idsOf(MOVED, OTHER))[0]]);
await signDays(db.everywhere, sealingKeys, { now: daysFromNow(2) });
const refunded = await statementOf(monthAgo(0));
await moveUpTo(MOVED);

test('a statement names what was refunded in its month, although the call is of an archived one', async () => {
  expect(refunded.spend.every(({ product }) => product !== null)).toBe(true);
  expect(await statementOf(monthAgo(0))).toEqual(refunded);
});

describe('a search by id', () => {
  test('finds an archived call and its entry, for its workspace alone', async () => {
    expect(await findNamed(db.read(OWN.workspaceId), ['request', 'run'], id)).toMatchObject([
      { object: 'request', id },
    ]);
    expect(await findNamed(db.read(OTHER.workspaceId), ['request', 'run'], id)).toEqual([]);
    expect(await findNamed(db.read(OWN.workspaceId, ['prj_other']), ['request'], id)).toEqual([]);
    expect(await findNamed(db.read(OWN.workspaceId, ['prj_own']), ['request'], id)).toMatchObject([{ id }]);
  });

  test('of an operator says whose they are, and leaves that in the audit', async () => {
    const found = (text: string) => findAnywhere(db.everywhere, { text, ids: [], by });
    const { workspaceId } = OWN;
    expect(await found(id)).toEqual([{ object: 'request', id, name: '', workspaceId, workspaceName: NAME }]);
    expect(await found(entryId)).toMatchObject([{ object: 'ledger_entry', id: entryId, workspaceId }]);
    expect(await found(`${id.slice(0, -4)}none`)).toEqual([]);
    expect(await found(`${entryId}999999`)).toEqual([]);
    const sql = `select subject_id as id from audit_entries where workspace_id = $1 and action = 'find_by_id' order by created_at, id`;
    expect((await db.pool.query(sql, [workspaceId])).rows).toEqual([{ id }, { id: entryId }]);
  });
});

describe('without the archive', () => {
  let bare: Database;
  const lastOf = (month: string) => new Date(Date.parse(`${month}-28T12:00:00Z`));
  const within = { from: lastOf(MOVED), to: new Date(Date.parse(`${MOVED}-28T16:20:00Z`)) };
  const drained = async (lines: AsyncIterable<unknown>) => {
    for await (const _ of lines);
  };
  const reads: Record<string, () => Promise<unknown>> = {
    'a call': () => findRequest(bare.read(OWN.workspaceId), id),
    'an explanation': () => explain(bare.read(OWN.workspaceId), OWN.accountId, { type: 'request', id }),
    'an entry': () => findLedgerEntry(bare.read(OWN.workspaceId), OWN.accountId, entryId),
    'a list of calls': () => listRequests(bare.read(OWN.workspaceId), {}, { after: null, limit: 500 }),
    'a list of entries': () => listLedgerEntries(bare.read(OWN.workspaceId), { ...OWN, before: null, limit: 1_000 }),
    'a statement': () => readAccountStatement(bare.read(OWN.workspaceId), { ...OWN, month: MOVED }),
    'the balance at the begin of the next month': () =>
      readAccountStatement(bare.read(OWN.workspaceId), { ...OWN, month: KEPT }),
    'lines of a statement': () => drained(readStatementLines(bare.everywhere, OWN, MOVED)),
    'a receipt': () => readReceipts(bare.everywhere, OWN, [sequence]),
    'a report': () => readUsageReport(bare.read(OWN.workspaceId), { ...within, groupBy: ['minute'] }),
    'an export': () => exportWorkspace(bare.read(OWN.workspaceId), async () => {}),
    'a search': () => findNamed(bare.read(OWN.workspaceId), ['request'], id),
    'a search of an operator': () => findAnywhere(bare.everywhere, { text: id, ids: [], by }),
  };

  test.each(Object.keys(reads))('%s fails, and says what to set', async (name) => {
    bare ??= await openWith(undefined);
    await expect(reads[name]!()).rejects.toThrow(/in the archive of months: set ARCHIVE_FOLDER or FILES_S3_URL/);
  });

  test('what needs no archived row is answered', async () => {
    bare ??= await openWith(undefined);
    const rows = bare.read(OWN.workspaceId);
    expect((await listRequests(rows, {}, { after: null, limit: 20 })).rows).toHaveLength(20);
    expect((await listLedgerEntries(rows, { ...OWN, before: null, limit: 20 })).entries).toHaveLength(20);
    // Payments are of no month of calls.
    const filter = { kind: 'topup' };
    expect((await listLedgerEntries(rows, { ...OWN, before: null, limit: 20, filter })).entries).toHaveLength(1);
    expect(await readLedgerTotals(rows, { ...OWN, filter })).toMatchObject({ count: 1 });
    expect((await readAccountStatement(rows, { ...OWN, month: monthAgo(0) })).openingNanos).toBeGreaterThan(0n);
    expect(await findNamed(rows, ['request'], (await idsOf(KEPT))[0]!)).toHaveLength(1);
    await bare.close();
  });
});

test('a store that takes longer than a transaction may be idle is waited for', async () => {
  let waitMs = 0;
  const slow = await openWith(
    createArchive({
      ...files,
      open: async (stored) => {
        await sleep(waitMs);
        waitMs = 0;
        return files.open(stored);
      },
    }),
  );
  const reads: ((from: Database) => Promise<unknown>)[] = [
    ({ everywhere }) => findAnywhere(everywhere, { text: id, ids: [], by }),
    ({ everywhere }) => readReceipts(everywhere, OWN, [sequence]),
    ({ read }) => listRequests(read(OWN.workspaceId), {}, { after: null, limit: 1_000 }),
  ];
  for (const read of reads) {
    waitMs = IDLE_MS;
    expect(await read(slow)).toEqual(await read(db));
    // The store was asked.
    expect(waitMs).toBe(0);
  }
  await slow.close();
});

/** Longer than `idle_in_transaction_session_timeout` of the platform's sessions. */
const IDLE_MS = 2_500;

test('an invoice for a dropped month says what it said before, and the next one opens where it closes', async () => {
  // Of all workspaces this one alone has no invoice yet.
  await db.pool.query('update invoice_series set begins_after = $1', [BEFORE]);
  await db.pool.query('insert into invoice_marks (workspace_id, month) select id, $1 from workspaces where id <> $2', [
    KEPT,
    OWN.workspaceId,
  ]);
  // Due are both months, also in the ten minutes after the end of the last one.
  await withOwner(url, async (owner) => {
    await owner.query('alter table workspaces drop constraint workspaces_mode_check');
    await owner.query('update workspaces set clock_seconds = 600 where id = $1', [OWN.workspaceId]);
  });
  const bare = await openWith(undefined);
  const failures: unknown[] = [];
  await issueInvoices(bare, TEST_ISSUER, { onFailure: (error) => failures.push(error) });
  await bare.close();
  expect(failures).toEqual([expect.objectContaining({ message: expect.stringContaining('set ARCHIVE_FOLDER') })]);
  expect(await issueInvoices(db, TEST_ISSUER, failAtOnce)).toBe(2);
  const rows = db.read(OWN.workspaceId);
  const { rows: listed } = await listInvoices(rows, { after: null, limit: 10 });
  const issued = [(await findInvoice(rows, listed[1]!.id))!, (await findInvoice(rows, listed[0]!.id))!];
  expect(issued.map(({ month, sequence: number }) => [month, number])).toEqual([
    [MOVED, 1n],
    [KEPT, 2n],
  ]);
  expect(issued[0]!.usageNanos).toBeGreaterThan(0n);
  expect(issued[1]!.openingNanos).toBe(issued[0]!.closingNanos);
  for (const [at, invoice] of issued.entries()) expect(invoice).toMatchObject(invoiced[at]!);
});

describe('an erasure', () => {
  const keysOf = async () =>
    (await db.pool.query<{ key: string }>('select key from archive_files where rows > 0 order by key')).rows;
  const hashes = async () => {
    const keys = await keysOf();
    return Promise.all(
      keys.map(async ({ key }) =>
        createHash('sha256')
          .update(await readFile(join(folder, key)))
          .digest('hex'),
      ),
    );
  };
  const answersOf = async ({ workspaceId, accountId }: typeof OWN) => {
    const rows = db.read(workspaceId);
    const lines: string[] = [];
    for await (const line of readStatementLines(db.everywhere, { workspaceId, accountId }, MOVED)) lines.push(line);
    return { lines, statement: await readAccountStatement(rows, { accountId, month: MOVED }) };
  };
  const answersOfOther = async () => {
    const rows = db.read(OTHER.workspaceId);
    const listed = await listRequests(rows, {}, { after: null, limit: 50 });
    const oldest = listed.rows.at(-1)!.id;
    const exported: Buffer[] = [];
    await exportWorkspace(rows, async (bytes) => void exported.push(Buffer.from(bytes)));
    const explained = await explain(rows, OTHER.accountId, { type: 'request', id: oldest });
    return { ...(await answersOf(OTHER)), listed, explained, exported: rowsIn(Buffer.concat(exported)) };
  };

  test('finds nothing personal in archived rows: ids, models, quantities, amounts and times', async () => {
    const columns: Record<string, Set<string>> = Object.fromEntries(DATASETS.map((name) => [name, new Set<string>()]));
    for (const { key } of await keysOf()) {
      const { rows } = await db.pool.query<{ bytes: number; dataset: string }>(
        'select bytes::float8 as bytes, dataset from archive_files where key = $1',
        [key],
      );
      const file = await files.open({ key, bytes: rows[0]!.bytes });
      for (const column of file.columns) columns[rows[0]!.dataset]!.add(column);
      for (const row of await file.read({ first: 0, end: file.rows }))
        expect(row.map(String).filter((value) => value.includes(NAME))).toEqual([]);
    }
    // A new column is archived, too: it must not be one that an erasure has to empty.
    expect(
      Object.fromEntries(Object.entries(columns).map(([name, found]) => [name, [...found].toSorted()])),
    ).toMatchSnapshot();
  });

  test('leaves the files as they are, and every answer about them', async () => {
    const [before, own, other] = [await hashes(), await answersOf(OWN), await answersOfOther()];
    await orderErasure(db.everywhere, { workspaceId: OWN.workspaceId, by });
    await db.pool.query('update erasures set due_at = now()');
    const due = (await listDueErasures(db)).find(({ workspaceId }) => workspaceId === OWN.workspaceId)!;
    expect(
      await eraseWorkspace(db, due, {
        deleteHistories: async () => 0,
        endPayments: async () => {},
        onProgress: () => {},
      }),
    ).toBe(true);
    expect(await hashes()).toEqual(before);
    expect((await verifyMonth(mover, MOVED)).days).toBeGreaterThan(0);
    expect(await answersOfOther()).toEqual(other);
    // Its bills are kept, with what was archived; the names beside them are gone.
    const erased = await answersOf(OWN);
    expect(erased.lines).toEqual(own.lines);
    expect({ ...erased.statement, projects: [] }).toEqual({ ...own.statement, projects: [] });
    expect(erased.statement.projects.map(({ name }) => name)).toEqual(['erased']);
    const call = (await findRequest(db.read(OWN.workspaceId), id))!;
    expect(call.key).toMatchObject({ name: 'erased', prefix: 'erased' });
    expect([keyIdOf(0), keyIdOf(1_000), keyIdOf(2_000)]).toContain(call.keyId);
  });
});
