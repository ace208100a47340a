import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { pendingBatchIds, postBatches } from './settlementBatches.ts';

const POLL_MS = 5;
// A live process posts what it has written within milliseconds.
const WAIT_MS = 250;

/** Resolves when the batches that are on disk now are posted: by their own process, or else by this one. */
export async function postOthers(pool: Pool): Promise<void> {
  let waiting = await pendingBatchIds(pool);
  const deadlineMs = performance.now() + WAIT_MS;
  while (waiting.length > 0 && performance.now() < deadlineMs) {
    await sleep(POLL_MS);
    const present = new Set(await pendingBatchIds(pool));
    waiting = waiting.filter((id) => present.has(id));
  }
  if (waiting.length > 0) await postBatches(pool, waiting);
}
