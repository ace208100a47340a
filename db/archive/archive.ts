import { escapeIdentifier } from 'pg';
import type { Archive, Span, Wanted } from '../postgres/archive.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { ArchiveFile, ArchiveFiles } from './archiveFiles.ts';
import { readEntries } from './archivedEntries.ts';
import { columnsOf } from './datasets.ts';
import { dayOf, microsOf, monthOfId } from './months.ts';
import type { ParquetFile, RowGroup, Value } from './parquetFile.ts';

/** Reads archived months for those who read rows. */
export function createArchive(files: ArchiveFiles | undefined): Archive | undefined {
  if (!files) return undefined;
  return {
    async linesOf(client, { accountId, first, last }) {
      const lines = new Map<bigint, string>();
      for (const stored of await filesOf(client, 'entries', accountId)) {
        const file = await files.open(stored);
        const near = file.groups.filter(
          (group) => holds(group, 'account_id', [accountId, accountId]) && holds(group, 'sequence', [first, last]),
        );
        for (const group of near)
          for (const { account, sequence, line } of await readEntries(file, {
            first: group.first,
            end: group.first + group.rows,
          }))
            if (account === accountId && sequence >= first && sequence <= last) lines.set(sequence, line);
      }
      return lines;
    },
    hasMonths: async (client) => (await client.query(MONTHS)).rowCount! > 0,
    async parts({ client, workspaceId }, within) {
      const found: Required<Span>[] = [];
      for (const stored of await filesWithin(client, workspaceId, within)) {
        if (stored.dataset !== 'requests') continue;
        const file = await files.open(stored);
        for (const group of file.groups.filter((one) => isWithin(one, workspaceId, within))) found.push(timeOf(group));
      }
      return joined(found);
    },
    async workspaceOf(client, id) {
      const month = monthOfId(id);
      if (month === undefined) return undefined;
      for (const stored of await filesToRead(client, REQUEST_FILES, [dayOf(month)])) {
        const found = await findOwner(await files.open(stored), id);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    async join({ client, workspaceId }, wanted) {
      const stored = await wantedFiles(client, workspaceId, wanted);
      if (stored.length === 0) return;
      await client.query(PREPARE);
      const into = {
        requests: await columnsOf(client, 'requests'),
        entries: await columnsOf(client, 'ledger_entries'),
      };
      for (const one of stored) {
        const columns = into[one.dataset as keyof typeof into];
        const file = await files.open(one);
        for await (const rows of readOf(file, one.dataset, workspaceId, reached(wanted)))
          await insert(client, {
            dataset: one.dataset as keyof typeof TABLES,
            columns,
            names: file.columns,
            rows,
          });
      }
      await client.query(PLACE);
      if ('within' in wanted) await client.query(ANALYZE);
    },
  };
}

const MONTHS = `select from archive_moves where state in ('archived', 'dropped') limit 1`;

// Outside of a transaction this says nothing.
const AWAIT_STORE = `select set_config('idle_in_transaction_session_timeout', '60s', true)`;

/** The files that a statement finds. The transaction may then wait for the store, which may be slow. */
async function filesToRead(client: Queryable, statement: string, values: unknown[]): Promise<ArchiveFile[]> {
  const { rows } = await client.query<ArchiveFile>(statement, values);
  if (rows.length > 0) await client.query(AWAIT_STORE);
  return rows;
}

const FILES = `
select f.key, to_char(f.month, 'YYYY-MM') as month, f.dataset, f.part, f.rows, f.bytes::float8 as bytes, f.last_at as "lastAt"
from archive_files f join archive_moves m on m.month = f.month and m.state in ('archived', 'dropped')
where f.rows > 0 and f.dataset = $1 and f.first_value <= $2 collate "C" and f.last_value >= $2 collate "C" and ($3::date[] is null or f.month = any ($3))
order by f.month, f.part`;

async function filesOf(
  client: Queryable,
  dataset: string,
  value: string,
  months: string[] | null = null,
): Promise<ArchiveFile[]> {
  return filesToRead(client, FILES, [dataset, value, months?.map(dayOf) ?? null]);
}

const REQUEST_FILES = `
select f.key, f.bytes::float8 as bytes from archive_files f join archive_moves m on m.month = f.month and m.state in ('archived', 'dropped')
where f.rows > 0 and f.dataset = 'requests' and f.month = $1 order by f.part`;

async function findOwner(file: ParquetFile, id: string): Promise<string | undefined> {
  for (const group of file.groups.filter((one) => holds(one, 'id', [id, id]))) {
    const range = { first: group.first, end: group.first + group.rows };
    const at = (await file.read({ ...range, columns: ['id'] })).findIndex(([one]) => one === id);
    if (at === -1) continue;
    const [row] = await file.read({ first: group.first + at, end: group.first + at + 1, columns: ['workspace_id'] });
    return row![0] as string;
  }
  return undefined;
}

/** A bill is corrected within this time. */
const CORRECTED_MS = 3_600_000;

/**
 * The files of a workspace's calls and entries within a time. A call is never billed before the month of its id, and may be billed long
 * after it: its file says how late. A file that was stored before files said so is opened.
 */
async function filesWithin(client: Queryable, workspaceId: string, { from, to }: Span): Promise<ArchiveFile[]> {
  const found = await filesOfWorkspace(client, workspaceId, null);
  const first = from && new Date(from.getTime() - CORRECTED_MS);
  const last = to?.toISOString().slice(0, 7);
  return found.filter(
    ({ month, lastAt }) => (!first || lastAt === null || lastAt >= first) && (last === undefined || month <= last),
  );
}

/** The files of entries with one that was booked after this time for a call that began before it: there are hardly any. */
async function filesBookedAfter(client: Queryable, workspaceId: string, time: Date): Promise<ArchiveFile[]> {
  const found = await filesOfWorkspace(client, workspaceId, null);
  const month = time.toISOString().slice(0, 7);
  return found.filter((one) => one.dataset === 'entries' && one.month < month && (one.lastAt ?? time) >= time);
}

async function filesOfWorkspace(
  client: Queryable,
  workspaceId: string,
  months: string[] | null,
): Promise<ArchiveFile[]> {
  const requests = await filesOf(client, 'requests', workspaceId, months);
  if (requests.length === 0) return [];
  const { rows } = await client.query<{ id: string }>('select id from accounts where workspace_id = $1', [workspaceId]);
  return [...requests, ...(await filesOf(client, 'entries', rows[0]?.id ?? '', months))];
}

function wantedFiles(client: Queryable, workspaceId: string, wanted: Wanted): Promise<ArchiveFile[]> {
  if ('within' in wanted) return filesWithin(client, workspaceId, wanted.within);
  if ('bookedAfter' in wanted) return filesBookedAfter(client, workspaceId, wanted.bookedAfter);
  const months = new Set(wanted.ids.map(monthOfId).filter((one) => one !== undefined));
  return filesOfWorkspace(client, workspaceId, [...months]);
}

/** Whether a row of a group may have a value between these two. */
function holds({ between }: RowGroup, column: string, [least, most]: [Value, Value]): boolean {
  const known = between[column];
  return !known || (known.least! <= most! && known.most! >= least!);
}

function isWithin(group: RowGroup, workspaceId: string, { from, to }: Span): boolean {
  const time = group.between.settled_at ? 'settled_at' : 'created_at';
  const known = group.between[time];
  const isNear =
    !known ||
    ((from === undefined || (known.most as bigint) >= microsOf(from)) &&
      (to === undefined || (known.least as bigint) < microsOf(to)));
  return isNear && holds(group, 'workspace_id', [workspaceId, workspaceId]);
}

function timeOf({ between: { settled_at: known } }: RowGroup): Required<Span> {
  const ms = (micros: Value) => Number((micros as bigint) / 1000n);
  return { from: new Date(ms(known!.least)), to: new Date(ms(known!.most) + 1) };
}

/** The times of groups, the newest first, without a gap or an overlap. */
function joined(times: Required<Span>[]): Required<Span>[] {
  const starts = [...new Set(times.map(({ from }) => from.getTime()))].toSorted((one, other) => other - one);
  let to = Math.max(...times.map((one) => one.to.getTime()));
  return starts.map((from) => {
    const part = { from: new Date(from), to: new Date(to) };
    to = from;
    return part;
  });
}

/** The wanted rows of a workspace in a file, a row group at a time. */
async function* readOf(
  file: ParquetFile,
  dataset: string,
  workspaceId: string,
  wanted: Wanted,
): AsyncGenerator<Value[][]> {
  const id = dataset === 'requests' ? 'id' : 'subject';
  const [workspaceAt, idAt] = [file.columns.indexOf('workspace_id'), file.columns.indexOf(id)];
  const isOwn = (row: Value[]) => row[workspaceAt] === workspaceId;
  for (const group of file.groups) {
    const range = { first: group.first, end: group.first + group.rows };
    if (!('ids' in wanted)) {
      const within = 'within' in wanted ? wanted.within : { from: wanted.bookedAfter };
      if (isWithin(group, workspaceId, within)) yield (await file.read(range)).filter(isOwn);
      continue;
    }
    const ids = new Set<Value>(wanted.ids);
    if (![...ids].some((one) => holds(group, id, [one, one])) || !isWithin(group, workspaceId, {})) continue;
    // The ids alone first: of most groups no row is wanted, and of the others one.
    const column = await file.read({ ...range, columns: [id] });
    const places = column.flatMap(([one], at) => (ids.has(one!) ? [group.first + at] : []));
    for (const first of places)
      yield (await file.read({ first, end: first + 1 })).filter((row) => isOwn(row) && ids.has(row[idAt]!));
  }
}

/** A bill that was corrected is described with its call, which ended a little before. */
const reached = (wanted: Wanted): Wanted =>
  'within' in wanted && wanted.within.from
    ? { within: { ...wanted.within, from: new Date(wanted.within.from.getTime() - CORRECTED_MS) } }
    : wanted;

const TABLES = { requests: 'archived_requests', entries: 'archived_entries' } as const;

const PREPARE = `
create temp table if not exists archived_requests (like public.requests including defaults, primary key (id)) on commit drop;
create temp table if not exists archived_entries (like public.ledger_entries including defaults, primary key (subject, kind)) on commit drop;
create temp table if not exists archived_legs (like public.ledger_entries including defaults, primary key (subject, kind)) on commit drop;
create index if not exists archived_requests_index on archived_requests (workspace_id, settled_at desc, id desc);
create index if not exists archived_entries_index on archived_entries (account_id, sequence);
create or replace temp view requests as select * from public.requests union all select * from archived_requests;
create or replace temp view ledger_legs as select * from public.ledger_legs union all select * from archived_legs;
create or replace temp view ledger_entries as select * from public.ledger_entries union all select * from archived_entries`;

// Which rows become visible is decided here and not by the views, so that these are planned like a divided table: by indexes of each part.
// Readers limited to projects see the calls of these alone, as by the table's policy. A row that is still in the database is not read
// twice, and stays until the end of the transaction, which locks its table.
const VISIBLE = {
  requests: `not exists (select from public.requests r where r.id = v.id) and (coalesce(current_setting('app.project_ids', true), '') = ''
    or v.project_id = any (string_to_array(current_setting('app.project_ids', true), ',')))`,
  entries: 'not exists (select from public.ledger_entries e where e.subject = v.subject and e.kind = v.kind)',
} as const;

// A call's row has its debit, as far as it had it in the database; other entries are legs. So is a debit until its call is read.
const PLACE = `
update pg_temp.archived_requests q set transaction_id = e.transaction_id, leg = e.leg, account_id = e.account_id, debited_nanos = -e.amount_nanos,
  balance_after_nanos = e.balance_after_nanos, hash = e.hash
from pg_temp.archived_entries e where e.subject = q.id and e.kind = 'debit' and q.sequence is not null and q.account_id is null;
insert into pg_temp.archived_legs select * from pg_temp.archived_entries e where e.kind <> 'debit' or not exists (
  select from pg_temp.archived_requests q where q.id = e.subject and q.sequence is not null) on conflict do nothing;
delete from pg_temp.archived_legs l using pg_temp.archived_requests q
where l.kind = 'debit' and q.id = l.subject and q.sequence is not null`;

// Without statistics, a statement about a month's rows would be planned as one about a few.
const ANALYZE = 'analyze pg_temp.archived_requests, pg_temp.archived_entries, pg_temp.archived_legs';

interface Insert {
  dataset: keyof typeof TABLES;
  columns: Awaited<ReturnType<typeof columnsOf>>;
  /** Of the file. */
  names: string[];
  rows: Value[][];
}

/** Inserts rows of a file. A column that the file lacks, because it is newer, gets its default. */
async function insert(client: Queryable, { dataset, columns, names, rows }: Insert): Promise<void> {
  if (rows.length === 0) return;
  const kept = columns.filter(({ name }) => names.includes(name));
  const values = kept.map(({ name, kind }) => {
    const at = names.indexOf(name);
    return rows.map((row) =>
      kind === 'bytes' && row[at] !== null ? Buffer.from(row[at] as Uint8Array).toString('hex') : textOf(row[at]!),
    );
  });
  const list = kept.map(({ name }) => escapeIdentifier(name)).join(', ');
  const selected = kept.map(({ name, kind, type }) => fromText(`v.${escapeIdentifier(name)}`, kind, type)).join(', ');
  const unnested = kept.map((_, at) => `$${at + 1}::text[]`).join(', ');
  await client.query(
    `insert into pg_temp.${TABLES[dataset]} (${list}) select ${selected} from unnest(${unnested}) v(${list})
      where ${VISIBLE[dataset]} on conflict do nothing`,
    values,
  );
}

const textOf = (value: Value): string | null => (value === null ? null : String(value));

function fromText(column: string, kind: string, type: string): string {
  if (kind === 'time') return `timestamptz 'epoch' + ${column}::bigint * interval '1 microsecond'`;
  return kind === 'bytes' ? `decode(${column}, 'hex')` : `${column}::${type}`;
}
