import type { InferEntity } from '@mikro-orm/core';
import { writeParquet, type Column, type Value } from '../archive/parquetFile.ts';
import { CALL_UNITS } from '../catalog/catalogFile.ts';
import type { Request } from '../entities/ledger.ts';
import { joinArchived } from '../postgres/archive.ts';
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

/** The columns of an exported call, each with its value. */
const COLUMNS: [Column, (call: Call) => Value][] = [
  [{ name: 'id', kind: 'text' }, ({ id }) => id],
  [{ name: 'started_at', kind: 'time' }, ({ startedAt }) => microsOf(startedAt)],
  [{ name: 'settled_at', kind: 'time' }, ({ settledAt }) => microsOf(settledAt)],
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
  ...CALL_UNITS.map((unit): [Column, (call: Call) => Value] => [
    { name: `units_${unit}`, kind: 'double' },
    ({ usage }) => usage[unit] ?? null,
  ]),
  [{ name: 'cost_nanos', kind: 'bigint' }, ({ costNanos }) => costNanos],
];

const microsOf = (at: Date): bigint => BigInt(at.getTime()) * 1000n;

const DAY_MS = 86_400_000;
const PAGE_ROWS = 5_000;

/**
 * The ended calls of a workspace in a time as one Parquet file, by time, with a column for each unit: as much as the rows see. It is read
 * while it is sent, by pages; a day of an archived month is fetched once for each of its pages.
 */
export async function* exportCalls(rows: Rows, { from, to }: { from: Date; to: Date }): AsyncGenerator<Uint8Array> {
  const file = writeParquet(COLUMNS.map(([column]) => column));
  for (let day = from.getTime(); day < to.getTime(); day += DAY_MS) {
    const span = { from: new Date(day), to: new Date(Math.min(day + DAY_MS, to.getTime())) };
    for (let last: Call | undefined, isWhole = false; !isWhole;) {
      const calls = await rows.transaction((tx) => readPage(tx, span, last));
      if (calls.length > 0) file.add(calls.map((call) => COLUMNS.map(([, valueOf]) => valueOf(call) ?? null)));
      yield file.take();
      last = calls.at(-1);
      isWhole = calls.length < PAGE_ROWS;
    }
  }
  yield file.end();
}

/** The calls of a day after the last one read. By its time and id, because its row may have been pruned. */
async function readPage(tx: Bound, span: { from: Date; to: Date }, last: Call | undefined): Promise<Call[]> {
  await joinArchived(tx, span);
  const { rows } = await tx.client.query<Call & { costNanos: string }>(PAGE, [
    tx.workspaceId,
    span.from,
    span.to,
    last?.id ?? null,
    last?.exactTime ?? null,
  ]);
  return rows.map((row) => ({ ...row, costNanos: BigInt(row.costNanos) }));
}

// Raw: an entity of each of 5,000 calls would stop the process, which answers others meanwhile, for most of a second.
const PAGE = `
select id, ${exactTimeSql('settled_at')} as "exactTime", started_at as "startedAt", settled_at as "settledAt", status, cancelled, product, model, route, key_id as "keyId", project_id as "projectId",
  upstream, attempts, first_byte_ms as "firstByteMs", duration_ms as "durationMs", stream_bytes as "streamBytes", finish_reason as "finishReason",
  cached_tokens as "cachedTokens", reasoning_tokens as "reasoningTokens", usage, cost_nanos as "costNanos"
from requests where workspace_id = $1 and settled_at >= $2 and settled_at < $3
  and ($4::text is null or (settled_at, id) > ($5::timestamptz, $4))
order by settled_at, id limit ${PAGE_ROWS}`;
