import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { isRefusedByData } from '../postgres/databaseErrors.ts';
import { insertParts, valuesOf, type AnswerPart } from '../answers/answerPart.ts';
import { batchText, type Settlement } from './settlement.ts';

// A thousand requests, which take some tenths of a second.
const POSTED_TOGETHER = 4;
const POLL_MS = 5;
// A live process posts what it has written within milliseconds.
const WAIT_MS = 250;

/**
 * Writes settlements to disk, to be posted soon: once for each id. False: the database executed the statement after `notAfterMs` (its own
 * clock, since 1970), and wrote nothing. So a statement that waits in a stalled database or in the network bills no call that was given
 * up. `parts`: the answers that it bills, kept with it.
 */
export async function writeBatch(
  pool: Pool,
  batch: { id: string; processId: string; items: Settlement[]; notAfterMs?: number; parts?: AnswerPart[] },
): Promise<boolean> {
  const { parts = [] } = batch;
  const alone = [batch.id, batch.processId, batchText(batch.items), (batch.notAfterMs ?? Infinity) / 1_000];
  const query =
    parts.length === 0
      ? { name: 'settlement_batches_write', text: WRITE, values: alone }
      : { name: 'settlement_batches_write_kept', text: WRITE_KEPT, values: [...alone, ...valuesOf(parts)] };
  const { rowCount } = await pool.query(query);
  // The driver's timeout keeps the query, with these texts, in memory until a major garbage collection.
  query.values.length = 0;
  return rowCount === 1;
}

const WRITE = `insert into settlement_batches (id, process_id, settlements, has_product)
select $1, $2, $3, true where clock_timestamp() < to_timestamp($4)`;
// The answers that it bills are kept by the same transaction: what is billed can be answered again.
const WRITE_KEPT = `with due as materialized (select clock_timestamp() < to_timestamp($4) as is_due),
kept as (${insertParts(5, '(select is_due from due)')})
insert into settlement_batches (id, process_id, settlements, has_product) select $1, $2, $3, true where (select is_due from due)`;

/**
 * Posts batches of new requests in one transaction, from their rows. `flushedIds`: the requests that may have recorded progress; null: any
 * of them. Fails as a whole if a request was settled before, a hold is gone, or another process posted a batch: see `postEach`.
 */
export async function settleBatches(pool: Pool, batchIds: string[], flushedIds: string[] | null): Promise<void> {
  await pool.query({
    name: 'ledger_settle_batches',
    text: 'select ledger_settle_batches(p_batches => $1, p_flushed => $2)',
    values: [batchIds, flushedIds],
  });
}

/**
 * Posts batches request by request, for batches in which some requests were settled before, lost their hold, or are refused. Returns what
 * each was charged (nano-USD), by id; refused ones stay on disk with the reason and are left out.
 */
export async function postEach(pool: Pool, ids: string[]): Promise<Map<string, bigint>> {
  const charged = new Map<string, bigint>();
  for (let left = ids; left.length > 0; left = await stillPending(pool, left)) {
    // In small transactions: each locks its accounts, which other calls spend from.
    const { rows } = await pool.query(`select * from ledger_post_batches($1, interval '200 milliseconds')`, [left]);
    for (const row of rows) charged.set(row.request_id, BigInt(row.charged_nanos));
  }
  return charged;
}

/** Posts batches of another process: a few at a time, since everything that a busy process leaves takes longer than a statement may. */
export async function postBatches(pool: Pool, ids: string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += POSTED_TOGETHER) await postSome(pool, ids.slice(at, at + POSTED_TOGETHER));
}

async function postSome(pool: Pool, ids: string[]): Promise<void> {
  try {
    await settleBatches(pool, ids, null);
  } catch (error) {
    if (!isRefusedByData(error)) throw error;
    await postEach(pool, ids);
  }
}

/** The batches that wait to be posted, of any process; refused ones are left out. */
export async function pendingBatchIds(pool: Pool): Promise<string[]> {
  return idsIn(await pendingBatches(pool));
}

async function pendingBatches(pool: Pool): Promise<{ rows: { id: string; process_id: string }[] }> {
  return pool.query({ name: 'settlement_batches_pending', text: PENDING });
}

async function stillPending(pool: Pool, ids: string[]): Promise<string[]> {
  return idsIn(await pool.query(`${PENDING} and id = any ($1)`, [ids]));
}

/**
 * Posts what dead processes left on disk, what is overdue, and what a crash of the database lost after it was posted; refused settlements
 * are tried once more.
 */
export async function postLeft(pool: Pool): Promise<void> {
  await postBatches(pool, idsIn(await pool.query(LEFT)));
}

/** What requests were charged (nano-USD), by id; only settled ones are included. */
export async function findCharges(pool: Pool, requestIds: string[]): Promise<Map<string, bigint>> {
  const { rows } = await pool.query('select id, cost_nanos from requests where id = any ($1)', [requestIds]);
  return new Map(rows.map((row) => [row.id as string, BigInt(row.cost_nanos)]));
}

const idsIn = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id);

/**
 * Resolves when the batches that are on disk now are posted: by their own processes, which `hurry` asks not to gather more, or else by
 * this one.
 */
export async function postOthers(pool: Pool, hurry: (processId: string) => void): Promise<void> {
  const { rows } = await pendingBatches(pool);
  for (const processId of new Set(rows.map((batch) => batch.process_id))) hurry(processId);
  let waiting = rows.map(({ id }) => id);
  const deadlineMs = performance.now() + WAIT_MS;
  while (waiting.length > 0 && performance.now() < deadlineMs) {
    await sleep(POLL_MS);
    const present = new Set(await pendingBatchIds(pool));
    waiting = waiting.filter((id) => present.has(id));
  }
  if (waiting.length > 0) await postBatches(pool, waiting);
}

/** Reverses the bill of an answer that never reached its caller, or prevents it from being billed. */
export async function reverseSettlement(pool: Pool, item: Settlement): Promise<bigint> {
  const { rows } = await pool.query('select ledger_reverse($1) as returned', [JSON.stringify(item)]);
  return BigInt(rows[0].returned);
}

const PENDING = 'select id, process_id from settlement_batches where refusal is null';
const LEFT = `
select b.id from settlement_batches b left join processes p on p.id = b.process_id
where b.written_at < now() - interval '1 minute' or b.written_at < pg_postmaster_start_time()
  or (p.reaped_at is null and ledger_dead(p))
order by b.refusal is not null, b.written_at`;
