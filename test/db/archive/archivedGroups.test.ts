import { afterAll, expect, test } from '@jest/globals';
import { listRequests } from '../../../db/accounting/requests.ts';
import { createArchive } from '../../../db/archive/archive.ts';
import type { ArchiveFiles } from '../../../db/archive/archiveFiles.ts';
import type { ParquetFile, RowGroup, Value } from '../../../db/archive/parquetFile.ts';
import { listLedgerEntries } from '../../../db/ledger/ledgerEntries.ts';
import type { Rows } from '../../../db/postgres/rows.ts';
import { monthAgo, OWN, setArchive } from './archiveStage.ts';

const { db, files, moveUpTo, openWith, close } = await setArchive({ calls: 2_000 });
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

const callsOf = async (rows: Rows) =>
  (await listRequests(rows, {}, { after: null, limit: 1_000 })).rows.map(({ id, ledgerEntryIds }) => ({
    id,
    ledgerEntryIds,
  }));
const entriesOf = async (rows: Rows) =>
  (await listLedgerEntries(rows, { accountId: OWN.accountId, before: null, limit: 1_000 })).entries;

test('calls and entries of many groups are listed as before they were archived', async () => {
  const before = [await callsOf(db.read(OWN.workspaceId)), await entriesOf(db.read(OWN.workspaceId))];
  expect(before[0]).toHaveLength(500);
  await moveUpTo(monthAgo(2));
  const other = await openWith(createArchive(smallGroups));
  expect(await callsOf(other.read(OWN.workspaceId))).toEqual(before[0]);
  expect(await entriesOf(other.read(OWN.workspaceId))).toEqual(before[1]);
  await other.close();
});
