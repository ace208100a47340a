import type { Pool } from 'pg';

/** How long an answer is kept. */
export const KEPT_MINUTES = 10;

/**
 * `open`: more follows. `whole`: billed and complete. `failed`: it ends with its error. `left`: its client disconnected. `large` and
 * `unkept`: the rest is not kept, because the answer is too large, or too much is kept already; the call may go on.
 */
export type PartState = 'open' | 'whole' | 'failed' | 'left' | 'large' | 'unkept';

/** A stored part of a kept answer. */
export interface AnswerPart {
  requestId: string;
  workspaceId: string;
  /** Set in the first part. */
  fingerprint: string | null;
  part: number;
  state: PartState;
  bytes: Uint8Array;
}

/**
 * Parts as the values `$from`, `$from + 1`, … of a statement. All bytes are one binary value, so nothing needs escaping; each part is a
 * slice of it.
 */
export function valuesOf(parts: AnswerPart[]): unknown[] {
  let at = 1;
  const places: number[] = [];
  for (const { bytes } of parts) {
    places.push(at);
    at += bytes.length;
  }
  return [
    parts.map(({ requestId }) => requestId),
    parts.map(({ part }) => part),
    parts.map(({ workspaceId }) => workspaceId),
    parts.map(({ fingerprint }) => fingerprint),
    parts.map(({ state }) => state),
    places,
    parts.map(({ bytes }) => bytes.length),
    parts.length === 1 ? parts[0]!.bytes : Buffer.concat(parts.map(({ bytes }) => bytes)),
  ];
}

/** The slot that takes new parts: a third of the table, for ten minutes each. */
const SLOT = `((extract(epoch from clock_timestamp())::bigint / ${KEPT_MINUTES * 60}) % 3)`;

/**
 * The statement that stores such values. Parts already stored stay unchanged. Ordered by id: a batch of bills and a flush of streams may
 * store the same parts at once, and each waits for the other's. Ordered before the bytes are cut, so that megabytes are not sorted, too.
 */
export const insertParts = (from: number, condition: string): string => `
insert into answer_parts (slot, request_id, part, workspace_id, fingerprint, state, bytes)
select ${SLOT}::smallint, p.id, p.part, p.workspace, p.fingerprint, p.state,
  substring($${from + 7}::bytea from p.place for p.size)
from (select * from unnest($${from}::text[], $${from + 1}::int[], $${from + 2}::text[], $${from + 3}::text[], $${from + 4}::text[],
  $${from + 5}::int[], $${from + 6}::int[]) u(id, part, workspace, fingerprint, state, place, size)
  order by u.id collate "C", u.part) p
where ${condition}
on conflict do nothing`;

const STORE = insertParts(1, 'true');

/** Stores parts. */
export async function storeParts(pool: Pool, parts: AnswerPart[]): Promise<void> {
  await pool.query({ name: 'answer_parts_store', text: STORE, values: valuesOf(parts) });
}

/**
 * Empties the next slot: its parts are at least ten minutes old. Skipped near the end of a period, because the next one would then lose
 * its first parts.
 */
export async function forgetOldParts(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ next: number; second: number }>(
    `select ((${SLOT} + 1) % 3)::int as next, (extract(epoch from clock_timestamp())::bigint % ${KEPT_MINUTES * 60})::int as second`,
  );
  const { next, second } = rows[0]!;
  if (second > KEPT_MINUTES * 60 - 60) return;
  const { rowCount } = await pool.query(`select from answer_parts_${next} limit 1`);
  if (rowCount === 0) return;
  // A reader would make everybody else wait behind this lock.
  await pool.query(`set local lock_timeout = '100ms'; truncate answer_parts_${next}`);
}
