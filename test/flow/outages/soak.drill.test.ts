import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { call } from '../../workflows/scenarios.ts';
import { setKillStage, type KillStage } from '../stages/killStage.ts';
import { chatBody } from '../stages/moneyStage.ts';
import { createCaller } from '../stages/runCaller.ts';

// Ten minutes with `FAULT_SOAK_SECONDS=600`.
const SOAK_MS = Number(process.env.FAULT_SOAK_SECONDS ?? 90) * 1_000;
const patient = { timeoutMs: 300_000, pollMs: 100 };
const random = seededRandom(flowSeed);

const stage = await setKillStage({ killsDatabase: true });
const caller = createCaller(stage);
afterAll(() => stage.close());

const scripts = [
  { text: 'word '.repeat(60), delayMs: 40 },
  { text: 'Late.', headDelayMs: 2_000 },
  {
    turns: [
      { toolCalls: [call('write_file', { path: 'a.txt', content: 'a' })], headDelayMs: 500 },
      { text: 'Written.', headDelayMs: 500 },
    ],
  },
];

/** Sends work until it is stopped: runs by six clients, and chat completions by six others. */
function startWork() {
  const ending = new AbortController();
  const ordered = new Set<string>();
  const statuses = new Set<string>();
  const orderRuns = async (nth: number) => {
    for (let round = 0; !ending.signal.aborted; round += 1) {
      const headers = { 'idempotency-key': `soak-${flowSeed}-${nth}-${round}` };
      const { run, code, status } = await caller.postPatiently(
        '/v1/runs',
        caller.orderOf(scripts[(nth + round) % scripts.length]!),
        headers,
      );
      if (run) ordered.add(run.id);
      else statuses.add(`run ${status} ${code}`);
      await sleep(500 + random() * 1_500);
    }
  };
  const chat = async (nth: number) => {
    for (let round = nth; !ending.signal.aborted; round += 1) {
      const body = JSON.parse(
        chatBody({ text: 'word '.repeat(30), delayMs: 10 }, { stream: round % 2 === 0 }),
      ) as object;
      const { status, code } = await caller.post('/v1/chat/completions', body).catch(() => ({ status: 200, code: '' }));
      if (status >= 400) statuses.add(`chat ${status} ${code}`);
      await sleep(50);
    }
  };
  const clients = Array.from({ length: 6 }, (_, nth) => [orderRuns(nth), chat(nth)]).flat();
  return {
    ordered,
    statuses,
    stop: async () => {
      ending.abort();
      await Promise.all(clients);
    },
  };
}

/** Kills a random part of the platform and starts it again after up to three seconds. */
async function injectOne(): Promise<string> {
  const names = Object.keys(stage.victims) as (keyof KillStage['victims'])[];
  const name = names[Math.floor(random() * names.length)]!;
  await stage.victims[name].kill();
  await sleep(random() * 3_000);
  await supervise(() => stage.victims[name].start());
  return name;
}

/** Restarts a process until it runs, like a supervisor: it may end at its start because another part just died. */
async function supervise(start: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

test(`everything is killed again and again under load, and nothing is lost or billed twice (seed ${flowSeed})`, async () => {
  const work = startWork();
  const endsMs = performance.now() + SOAK_MS;
  const injected: string[] = [];
  while (performance.now() < endsMs) {
    injected.push(await injectOne());
    await sleep(2_000 + random() * 4_000);
  }
  // The claims of dead processes have expired.
  await stage.db.pool.query('update idempotency_keys set running_until = now() where status is null');
  await work.stop();
  await until(async () => (await stage.countOpenRuns()) === 0, patient);
  console.info(JSON.stringify({ seed: flowSeed, injected, runs: work.ordered.size, statuses: [...work.statuses] }));
  const refused = [...work.statuses].filter((status) => !status.includes('503 ') && !status.startsWith('chat 0'));
  expect(refused).toEqual([]);
  expect(work.ordered.size).toBeGreaterThan(10);
  expect(await endedOtherwise()).toEqual([]);
  expect(stage.crashes()).toEqual([]);
  await stage.expectQuietSoon();
}, 1_800_000);

/**
 * Runs that did not complete, or whose events are not numbered from 1 without gaps up to a single end. Each with its events and error,
 * because the database ends with the test.
 */
async function endedOtherwise(): Promise<unknown[]> {
  const { rows } = await stage.db.pool.query<{ id: string }>(`
    select r.id, r.status, r.status_reason, r.error, r.created_at, r.settled_at, (
      select jsonb_agg(jsonb_build_array(e.type, e.created_at, e.data) order by e.sequence) from run_events e where e.run_id = r.id) as events
    from runs r where r.status <> 'completed' or r.last_sequence <> (
      select count(*) from run_events e where e.run_id = r.id) or 1 <> (
      select count(*) from run_events e where e.run_id = r.id and e.type = 'run.completed' and e.sequence = r.last_sequence)`);
  return rows.map((row) => ({ ...row, log: stage.workerLinesWith(row.id) }));
}
