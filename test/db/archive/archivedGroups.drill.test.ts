import { afterAll, expect, test } from '@jest/globals';
import { explain } from '../../../db/accounting/explanation.ts';
import { listRequests } from '../../../db/accounting/requests.ts';
import { readAccountStatement } from '../../../db/accounting/statement.ts';
import { createArchive } from '../../../db/archive/archive.ts';
import type { ArchiveFiles } from '../../../db/archive/archiveFiles.ts';
import type { ParquetFile, RowGroup, Value } from '../../../db/archive/parquetFile.ts';
import type { Database } from '../../../db/database.ts';
import { listLedgerEntries } from '../../../db/ledger/ledgerEntries.ts';
import { readLedgerTotals } from '../../../db/ledger/ledgerTotals.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { monthAgo, OWN, setArchive } from './archiveStage.ts';

const AS_EARLIER = `
create temporary table earlier as select * from ledger_entries where kind = 'debit' and sequence % 3 = 0;
insert into ledger_legs select * from earlier;
update requests set transaction_id = null, leg = null, account_id = null, debited_nanos = null, sequence = null, balance_after_nanos = null, hash = null
where id in (select subject from earlier)`;

const { db, files, moveUpTo, openWith, close } = await setArchive({
  calls: 2_000,
  prepare: async (owner) => {
    // As of the last release: the debits of some calls are rows of their own.
    await owner.query('set session_replication_role = replica');
    await owner.query(AS_EARLIER);
    await owner.query('reset session_replication_role');
  },
});
afterAll(close);

/** Groups of calls and of entries end at different rows: calls are sorted by workspace, entries by account, and some calls have none. */
const CALLS_OF_GROUP = 41;
const ENTRIES_OF_GROUP = 59;

const opened = new Map<string, Promise<ParquetFile>>();
/** The archive as if so few rows were in a group that a workspace has several in a month. */
const smallGroups: ArchiveFiles = {
  ...files,
  open: (stored) => {
    const size = stored.key.includes('entries') ? ENTRIES_OF_GROUP : CALLS_OF_GROUP;
    const file = opened.get(stored.key) ?? files.open(stored).then((one) => regrouped(one, size));
    opened.set(stored.key, file);
    return file;
  },
};

async function regrouped(file: ParquetFile, size: number): Promise<ParquetFile> {
  const rows = await file.read({ first: 0, end: file.rows });
  const groups = Array.from({ length: Math.ceil(rows.length / size) }, (_, nth) => {
    const some = rows.slice(nth * size, (nth + 1) * size);
    const between = file.columns.map((name, at) => [name, betweenOf(some.map((row) => row[at]!))] as const);
    return {
      first: nth * size,
      rows: some.length,
      between: Object.fromEntries(between.filter(([, one]) => one)),
    } as RowGroup;
  });
  return { ...file, groups };
}

function betweenOf(values: Value[]) {
  const known = values.filter((one) => one !== null);
  if (known.length === 0) return undefined;
  const [least, most] = [
    known.reduce((one, other) => (other < one ? other : one)),
    known.reduce((one, other) => (other > one ? other : one)),
  ];
  return { least, most };
}

const MOVED = monthAgo(2);

async function answersOf({ read }: Pick<Database, 'read'>) {
  const rows = read(OWN.workspaceId);
  const { rows: calls } = await listRequests(rows, {}, { after: null, limit: 1_000 });
  const within = { from: new Date(`${MOVED}-01`), to: new Date(`${monthAgo(1)}-01`) };
  return {
    calls: calls.map(({ id, ledgerEntryIds }) => ({ id, ledgerEntryIds })),
    entries: (await listLedgerEntries(rows, { ...OWN, before: null, limit: 1_000 })).entries,
    totals: await readLedgerTotals(rows, { ...OWN, filter: within }),
    statements: [
      await readAccountStatement(rows, { ...OWN, month: MOVED }),
      await readAccountStatement(rows, { ...OWN, month: monthAgo(1) }),
    ],
    explained: await Promise.all(
      calls.slice(-20).map(({ id }) => explain(rows, OWN.accountId, { type: 'request', id })),
    ),
  };
}

test('calls and entries of many groups are answered as before they were archived', async () => {
  const before = await answersOf(db);
  expect(before.calls).toHaveLength(500);
  expect(before.calls.filter(({ ledgerEntryIds }) => ledgerEntryIds.length !== 1)).toEqual([]);
  await moveUpTo(MOVED);
  const other = await openWith(createArchive(smallGroups));
  expect(await answersOf(other)).toEqual(before);
  await other.close();
  await expectSoundLedger(db);
});
