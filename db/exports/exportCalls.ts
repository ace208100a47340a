import type { InferEntity } from '@mikro-orm/core';
import { microsOf } from '../archive/months.ts';
import { writeParquet, type Column, type Value } from '../archive/parquetFile.ts';
import { CALL_UNITS } from '../catalog/catalogFile.ts';
import type { Request } from '../entities/ledger.ts';
import { joinArchived, type Span } from '../postgres/archive.ts';
import { exactTimeSql } from '../postgres/page.ts';
import type { Bound, Rows } from '../postgres/rows.ts';
import { projectIdOf } from '../workspaces/defaultProject.ts';

type Call = Pick<
  InferEntity<typeof Request>,
  | 'id'
  | 'startedAt'
  | 'settledAt'
  | 'status'
  | 'cancelled'
  | 'product'
  | 'model'
  | 'route'
  | 'keyId'
  | 'projectId'
  | 'upstream'
  | 'attempts'
  | 'firstByteMs'
  | 'durationMs'
  | 'streamBytes'
  | 'finishReason'
  | 'cachedTokens'
  | 'reasoningTokens'
  | 'usage'
  | 'costNanos'
> & { exactTime: string };

/** A later change of a bill: without what is counted or measured of its call, which is in the call's own row. */
type Change = Pick<
  Call,
  'id' | 'startedAt' | 'settledAt' | 'product' | 'model' | 'route' | 'keyId' | 'projectId' | 'upstream' | 'costNanos'
>;

/** A row of the export: a call, or a change of the bill of a call of an earlier month. */
type Row = Change & Partial<Call> & { kind: 'call' | 'refund' | 'correction'; bookedAt: Date };

/** The columns of the export, each with its value. */
const COLUMNS: [Column, (row: Row) => Value | undefined][] = [
  [{ name: 'id', kind: 'text' }, ({ id }) => id],
  [{ name: 'kind', kind: 'text' }, ({ kind }) => kind],
  [{ name: 'started_at', kind: 'time' }, ({ startedAt }) => microsOf(startedAt)],
  [{ name: 'settled_at', kind: 'time' }, ({ settledAt }) => microsOf(settledAt)],
  [{ name: 'booked_at', kind: 'time' }, ({ bookedAt }) => microsOf(bookedAt)],
  [{ name: 'status', kind: 'int' }, ({ status }) => status],
  [{ name: 'cancelled', kind: 'bool' }, ({ cancelled }) => cancelled],
  [{ name: 'product', kind: 'text' }, ({ product }) => product],
  [{ name: 'model', kind: 'text' }, ({ model }) => model],
  [{ name: 'route', kind: 'text' }, ({ route }) => route],
  [{ name: 'key_id', kind: 'text' }, ({ keyId }) => keyId],
  [{ name: 'project_id', kind: 'text' }, ({ projectId }) => projectIdOf(projectId)],
  [{ name: 'upstream', kind: 'text' }, ({ upstream }) => upstream],
  [{ name: 'attempts', kind: 'int' }, ({ attempts }) => attempts],
  [{ name: 'first_byte_ms', kind: 'int' }, ({ firstByteMs }) => firstByteMs],
  [{ name: 'duration_ms', kind: 'int' }, ({ durationMs }) => durationMs],
  [{ name: 'stream_bytes', kind: 'int' }, ({ streamBytes }) => streamBytes],
  [{ name: 'finish_reason', kind: 'text' }, ({ finishReason }) => finishReason],
  [{ name: 'cached_tokens', kind: 'int' }, ({ cachedTokens }) => cachedTokens],
  [{ name: 'reasoning_tokens', kind: 'int' }, ({ reasoningTokens }) => reasoningTokens],
  ...CALL_UNITS.map((unit): [Column, (row: Row) => Value | undefined] => [
    { name: `units_${unit}`, kind: 'double' },
    ({ usage }) => usage?.[unit],
  ]),
  [{ name: 'cost_nanos', kind: 'bigint' }, ({ costNanos }) => costNanos],
];

const DAY_MS = 86_400_000;
const PAGE_ROWS = 5_000;

/**
 * The ended calls of a month of a workspace as one Parquet file, by time, with a column for each unit: as much as the rows see. A call has the
 * cost of the end of its month; what changed it later is a row of its own in the month in which it was booked, as in the ledger. The file is
 * read while it is sent, by pages; a day of an archived month is fetched once for each of its pages.
 */
export async function* exportCalls(rows: Rows, month: { from: Date; to: Date }): AsyncGenerator<Uint8Array> {
  const file = writeParquet(COLUMNS.map(([column]) => column));
  for (let day = month.from.getTime(); day < month.to.getTime(); day += DAY_MS) {
    const within = { from: new Date(day), to: new Date(Math.min(day + DAY_MS, month.to.getTime())) };
    const changes = await rows.transaction((tx) => readChanges(tx, within, month.from));
    if (changes.length > 0) file.add(changes.map(valuesOf));
    for (let last: Call | undefined, isWhole = false; !isWhole;) {
      const calls = await rows.transaction((tx) => readPage(tx, { within, month, last }));
      const booked = calls.map((call) => ({ ...call, kind: 'call' as const, bookedAt: call.settledAt }));
      if (calls.length > 0) file.add(booked.map(valuesOf));
      yield file.take();
      last = calls.at(-1);
      isWhole = calls.length < PAGE_ROWS;
    }
  }
  yield file.end();
}

const valuesOf = (row: Row): Value[] => COLUMNS.map(([, valueOf]) => valueOf(row) ?? null);

interface Page {
  /** A day. */
  within: Required<Span>;
  month: Required<Span>;
  last: Call | undefined;
}

/** The calls of a day after the last one read. By its time and id, because its row may have been pruned. */
async function readPage(tx: Bound, { within, month, last }: Page): Promise<Call[]> {
  await joinArchived(tx, within, { bookedAfter: month.to });
  const { rows } = await tx.client.query<Call & { costNanos: string }>(PAGE, [
    tx.workspaceId,
    within.from,
    within.to,
    last?.id ?? null,
    last?.exactTime ?? null,
    month.from,
    month.to,
  ]);
  return rows.map((row) => ({ ...row, costNanos: BigInt(row.costNanos) }));
}

const CALLED = `q.id, q.started_at as "startedAt", q.settled_at as "settledAt", q.product, q.model, q.route, q.key_id as "keyId",
  q.project_id as "projectId", q.upstream`;

// Raw: an entity of each of 5,000 calls would stop the process, which answers others meanwhile, for most of a second.
const PAGE = `
with later as materialized (
  select e.subject, sum(e.amount_nanos) as nanos from ledger_legs e join requests q on q.id = e.subject
  where e.workspace_id = $1 and e.kind in ('refund', 'correction') and e.created_at >= $7 and q.settled_at >= $6 and q.settled_at < $7
  group by e.subject)
select ${CALLED}, ${exactTimeSql('q.settled_at')} as "exactTime", q.status, q.cancelled, q.attempts, q.first_byte_ms as "firstByteMs",
  q.duration_ms as "durationMs", q.stream_bytes as "streamBytes", q.finish_reason as "finishReason", q.cached_tokens as "cachedTokens",
  q.reasoning_tokens as "reasoningTokens", q.usage, (q.cost_nanos + coalesce(l.nanos, 0))::bigint as "costNanos"
from requests q left join later l on l.subject = q.id
where q.workspace_id = $1 and q.settled_at >= $2 and q.settled_at < $3
  and ($4::text is null or (q.settled_at, q.id) > ($5::timestamptz, $4))
order by q.settled_at, q.id limit ${PAGE_ROWS}`;

/** What was booked on a day for calls of earlier months: a few, of answers that a crash cut at the end of a month. */
async function readChanges(tx: Bound, within: Required<Span>, since: Date): Promise<Row[]> {
  await joinArchived(tx, within);
  const values = [tx.workspaceId, within.from, within.to, since];
  const { rows: absent } = await tx.client.query<{ id: string }>(ABSENT, values.slice(0, 3));
  if (absent.length > 0) await tx.archive.join(tx, { ids: absent.map(({ id }) => id) });
  const { rows } = await tx.client.query<Row & { costNanos: string }>(CHANGES, values);
  return rows.map((row) => ({ ...row, costNanos: BigInt(row.costNanos) }));
}

const BOOKED = `e.workspace_id = $1 and e.kind in ('refund', 'correction') and e.created_at >= $2 and e.created_at < $3`;

const ABSENT = `select e.subject as id from ledger_legs e where ${BOOKED} and not exists (select from requests q where q.id = e.subject)`;

const CHANGES = `
select ${CALLED}, e.kind, e.created_at as "bookedAt", -e.amount_nanos as "costNanos"
from ledger_legs e join requests q on q.id = e.subject where ${BOOKED} and q.settled_at < $4 order by e.created_at, e.subject`;
