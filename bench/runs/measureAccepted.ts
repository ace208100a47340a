import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../load/connection.ts';
import { bareStart, BARE_WORKFLOW } from './bare.ts';
import { runRequest } from './orders.ts';
import type { RunStage } from './stage.ts';

/** Times of each round, in milliseconds: ours, and what it is compared with. */
export interface Compared {
  ours: number[];
  bare: number[];
}

const POLL_MS = 5;

/**
 * How long `POST /v1/runs` takes to its 202, and the bare client's call that starts a workflow: one at a time, by turns, and each once
 * what the last one started has ended.
 */
export async function measureAccepted(stage: RunStage, calls: number, rounds: number): Promise<Compared[]> {
  const connection = await Connection.open(stage.api.url);
  const measured: Compared[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const compared: Compared = { ours: [], bare: [] };
    for (let call = 0; call < calls; call += 1) {
      compared.ours.push(await timeOrder(stage, connection));
      compared.bare.push(await timeStart(stage));
    }
    // The first round warms everything up.
    if (round > 0) measured.push(compared);
  }
  connection.close();
  return measured;
}

async function timeOrder({ installation: { db, secret } }: RunStage, connection: Connection): Promise<number> {
  const sentAtMs = performance.now();
  const answer = await connection.exchange(runRequest(secret));
  const tookMs = performance.now() - sentAtMs;
  if (!answer.isGood) throw new Error(`a run was answered with ${answer.head}`);
  for (;;) {
    const { rowCount } = await db.pool.query('select from runs where settled_at is null limit 1');
    if (rowCount === 0) return tookMs;
    await sleep(POLL_MS);
  }
}

async function timeStart({ client }: RunStage): Promise<number> {
  const startedAtMs = performance.now();
  const handle = await client.workflow.start(BARE_WORKFLOW, bareStart());
  const tookMs = performance.now() - startedAtMs;
  await handle.result();
  return tookMs;
}
