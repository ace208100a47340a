import type { InferEntity } from '@mikro-orm/core';
import type { PoolClient } from 'pg';
import type { BatchPart } from '../entities/batch.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { Rows } from '../postgres/rows.ts';

type Everywhere = Rows<undefined>;

export type BatchPartRow = InferEntity<typeof BatchPart>;

/** A new part: lines from `fromLine` to `toLine` (exclusive) for one model of an upstream. */
export type NewBatchPart = Pick<
  BatchPartRow,
  | 'id'
  | 'batchId'
  | 'workspaceId'
  | 'upstream'
  | 'model'
  | 'endpoint'
  | 'fromLine'
  | 'fromByte'
  | 'toLine'
  | 'sizeBytes'
  | 'holdId'
  | 'heldNanos'
>;

/** Stores a part within the transaction that holds its money. */
export async function insertPart(
  everywhere: Everywhere,
  client: PoolClient,
  part: NewBatchPart,
): Promise<BatchPartRow> {
  const { em, BatchPart } = await everywhere.within(client);
  await em.insert(BatchPart, part);
  return em.findOneOrFail(BatchPart, { id: part.id });
}

/** The open part of a batch. There is at most one. */
export const findOpenPart = (everywhere: Everywhere, batchId: string): Promise<BatchPartRow | null> =>
  everywhere.statement(({ em, BatchPart }) => em.findOne(BatchPart, { batchId, endedAt: null }));

/** For each model, up to which line a batch was sent to its upstream, or refused there. */
export async function readSentTo(everywhere: Everywhere, batchId: string): Promise<Map<string, number>> {
  const parts = await everywhere.statement(({ em, BatchPart }) =>
    em.find(BatchPart, { batchId }, { orderBy: { toLine: 'asc' } }),
  );
  return new Map(parts.map((part) => [targetOf(part), part.toLine]));
}

/** The common data of a part's lines. */
export const targetOf = ({ upstream, model }: Pick<BatchPartRow, 'upstream' | 'model'>): string =>
  `${upstream} ${model}`;

/** The upstream has accepted the part. */
export async function markPartSent(
  everywhere: Everywhere,
  id: string,
  sent: { upstreamBatchId: string; upstreamFileId: string | null },
): Promise<void> {
  await everywhere.statement(({ em, BatchPart }) => em.nativeUpdate(BatchPart, { id }, sent));
}

/** Its end was requested at the upstream. */
export async function markPartCancelled(everywhere: Everywhere, id: string): Promise<void> {
  await everywhere.statement(({ em, BatchPart, sql }) =>
    em.nativeUpdate(BatchPart, { id }, { cancelledAt: sql.now() }),
  );
}

/** Everything the upstream has answered is stored. */
export async function markPartAnswered(everywhere: Everywhere, id: string): Promise<void> {
  await everywhere.statement(({ em, BatchPart, sql }) => em.nativeUpdate(BatchPart, { id }, { answeredAt: sql.now() }));
}

// No line has a higher number.
const LINE_MAX = 2_147_483_647;

/**
 * Ends a part: `release` releases its hold in the same transaction, and its lines without a result run like any other. `isRefused`: no
 * later line of its model is sent there.
 */
export function endPart(
  everywhere: Everywhere,
  { id, holdId }: Pick<BatchPartRow, 'id' | 'holdId'>,
  {
    isRefused = false,
    release,
  }: { isRefused?: boolean; release: (client: Queryable, holdId: string) => Promise<void> },
): Promise<void> {
  return everywhere.transaction(async ({ em, client, BatchPart, sql }) => {
    const ended = { endedAt: sql.now(), ...(isRefused && { toLine: LINE_MAX }) };
    if ((await em.nativeUpdate(BatchPart, { id, endedAt: null }, ended)) === 0) return;
    await release(client, holdId);
  });
}

// Of one upkeep.
const LEFT_MAX = 100;

/** Ends open parts of batches that have ended, of which earlier versions left some with the money that they hold. Returns how many. */
export async function endLeftParts(
  everywhere: Everywhere,
  release: (client: Queryable, holdId: string) => Promise<void>,
): Promise<number> {
  const { rows: left } = await everywhere.statement(({ client }) =>
    client.query<Pick<BatchPartRow, 'id' | 'holdId'>>(LEFT, [LEFT_MAX]),
  );
  for (const part of left) await endPart(everywhere, part, { release });
  return left.length;
}

// Raw: one statement over two tables.
const LEFT = `
select p.id, p.hold_id as "holdId" from batch_parts p join batches b on b.id = p.batch_id
where p.ended_at is null and b.ended_at is not null order by p.id limit $1`;

/** A part that is at its upstream, with its batch's state by the database's clock. */
export interface WatchedPart {
  part: BatchPartRow;
  ageSeconds: number;
  /** The batch was cancelled, or its time is over. */
  isEnding: boolean;
  /** That was so long ago that its upstream is no longer waited for. */
  isGivenUp: boolean;
}

// An upstream may take ten minutes to cancel a batch.
const GIVE_UP_MINUTES = 15;

/** Reads a part. Null: it has ended. */
export async function readWatchedPart(everywhere: Everywhere, id: string): Promise<WatchedPart | null> {
  return everywhere.statement(async ({ em, client, BatchPart }) => {
    const part = await em.findOne(BatchPart, { id, endedAt: null });
    if (!part) return null;
    const { rows } = await client.query<Omit<WatchedPart, 'part'>>(STATE, [id, GIVE_UP_MINUTES]);
    return { part, ...rows[0]! };
  });
}

// Raw: by the database's clock.
const STATE = `
select extract(epoch from now() - p.created_at)::int as "ageSeconds",
  least(b.cancelling_at, b.expires_at) <= now() as "isEnding",
  least(b.cancelling_at, b.expires_at) <= now() - $2 * interval '1 minute' as "isGivenUp"
from batch_parts p join batches b on b.id = p.batch_id where p.id = $1`;

/** An upstream's reply to a line: the body of its answer. */
export interface PartReply {
  line: number;
  reply: string;
}

/** Stores replies of a part, the first reply of each line. */
export async function storeReplies(
  everywhere: Everywhere,
  { id, workspaceId }: Pick<BatchPartRow, 'id' | 'workspaceId'>,
  replies: PartReply[],
): Promise<void> {
  const values = [id, workspaceId, replies.map(({ line }) => line), replies.map(({ reply }) => reply)];
  await everywhere.statement(({ client }) => client.query({ name: 'batch_replies_store', text: STORE, values }));
}

// Raw: one statement for many rows.
const STORE = `
insert into batch_replies (part_id, line, workspace_id, reply)
select $1, r.line, $2, r.reply from unnest($3::int[], $4::text[]) as r(line, reply) order by r.line on conflict do nothing`;

/** The replies to these lines of a part, by line. */
export async function readReplies(
  everywhere: Everywhere,
  partId: string,
  lines: number[],
): Promise<Map<number, string>> {
  const found = await everywhere.statement(({ em, BatchReply }) =>
    em.find(BatchReply, { partId, line: { $in: lines } }, { fields: ['line', 'reply'] }),
  );
  return new Map(found.map(({ line, reply }) => [line, reply]));
}

/** Deletes the replies of an ended part. Returns how many. */
export const deleteReplies = (everywhere: Everywhere, partId: string): Promise<number> =>
  everywhere.statement(({ client }) =>
    deleteInPortions(client, 'batch_replies', 'part_id = $1', { values: [partId], rowsMax: 1_000 }),
  );
