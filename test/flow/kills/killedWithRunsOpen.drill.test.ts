import { afterAll, expect, test } from '@jest/globals';
import type { Script } from '../../../rules/scripted/script.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { call } from '../../workflows/scenarios.ts';
import { setKillStage, type KillStage } from '../stages/killStage.ts';
import { createCaller } from '../stages/runCaller.ts';

const openRuns = 50;
const random = seededRandom(flowSeed);
const patient = { timeoutMs: 240_000, pollMs: 50 };
/** The idempotency key of each run. */
const keys = new Map<string, string>();

const stage = await setKillStage({ killsDatabase: true });
const caller = createCaller(stage);
afterAll(() => stage.close());

const asking: Script = { turns: [{ toolCalls: [call('ask_user', { question: 'Which?' })] }, { text: 'That one.' }] };
const speaking = (): Script => ({ text: 'word '.repeat(50 + random() * 50), delayMs: 60 });
const late = (): Script => ({ text: 'Late.', headDelayMs: 2_000 + random() * 4_000 });
const writing = (): Script => ({
  turns: [
    { toolCalls: [call('write_file', { path: 'a.txt', content: 'a' })], headDelayMs: 500 + random() * 4_000 },
    { text: 'Written.', headDelayMs: 1_000 },
  ],
});

/** Orders a run with retries under one key. */
async function order(script: Script, members: object = {}) {
  const key = `killed-${flowSeed}-${random()}`;
  const headers = { 'idempotency-key': key };
  const { status, run, text } = await caller.postPatiently('/v1/runs', caller.orderOf(script, members), headers);
  expect([status, text]).toEqual([202, expect.any(String)]);
  keys.set(run!.id, key);
  return run!;
}

const many = <T>(count: number, make: (nth: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, nth) => make(nth)));

/** Five runs: one speaks, one waits behind it, one is silent for a while, one uses a tool, one starts later. */
async function orderFive(): Promise<void> {
  const behind = async () => {
    const { session_id } = await order(speaking());
    await order({ text: 'Next.' }, { session_id, if_session_busy: 'enqueue' });
  };
  const delayed = order({ text: 'At last.' }, { start_after_seconds: 2 + Math.floor(random() * 4) });
  await Promise.all([behind(), order(late()), order(writing()), delayed]);
}

const countOf = async (sql: string, ...values: unknown[]): Promise<number> =>
  (await stage.db.pool.query(`select count(*)::int as rows from ${sql}`, values)).rows[0].rows as number;

const countOpen = () => countOf('runs where settled_at is null');

/** Orders more runs until fifty are open, some of them running. */
async function fill(): Promise<void> {
  await many(Math.ceil((openRuns - (await countOpen())) / 5), orderFive);
  await until(async () => (await countOf(`runs where status = 'in_progress'`)) >= 5, patient);
}

/** Half of the waiting runs are answered, the others cancelled. */
async function answer(id: string, nth: number): Promise<void> {
  const [what, body] =
    nth % 2 === 0 ? (['input', { type: 'text', text: 'This.' }] as const) : (['cancel', {}] as const);
  const { status, text } = await caller.postPatiently(`/v1/runs/${id}/${what}`, body);
  // 409: an earlier attempt was accepted, but its answer lost.
  expect([[200, 202, 409].includes(status), text]).toEqual([true, expect.any(String)]);
}

type Name = keyof KillStage['victims'];

const orderBriefly = () =>
  many(4, async () => {
    for (let nth = 0; nth < 3; nth += 1) await order({ text: 'At once.' });
  });

/** Kills one process while fifty runs are open, continues to order, answer and cancel, and restarts it. Returns the answers meanwhile. */
async function killAmongFifty(name: Name, waiting: string[]): Promise<object> {
  await fill();
  const open = await countOpen();
  const before = caller.journal.length;
  const ordered = orderBriefly();
  await until(() => caller.journal.length > before + random() * 8);
  await stage.victims[name].kill();
  const killedAt = caller.journal.length;
  const meanwhile = [ordered, orderBriefly(), ...waiting.map(answer)];
  await until(() => caller.journal.length >= killedAt + 8);
  const told = new Set(caller.journal.slice(killedAt).map(({ status, code }) => `${status} ${code ?? ''}`.trim()));
  await stage.victims[name].start();
  const startedMs = performance.now();
  // The claims of a dead process have expired.
  await stage.db.pool.query('update idempotency_keys set running_until = now() where status is null');
  await Promise.all(meanwhile);
  return { name, open, told: [...told], servedMs: Math.round(performance.now() - startedMs) };
}

const names: Name[] = ['API', 'Temporal', 'PostgreSQL', 'worker'];
const shuffled = names.map((name) => ({ name, at: random() })).toSorted((one, other) => one.at - other.at);

test(`50 open runs each end once after API, Temporal, PostgreSQL and worker are killed (seed ${flowSeed})`, async () => {
  const waiting = (await many(8, () => order(asking))).map(({ id }) => id);
  await until(async () => (await countOf(`runs where status = 'requires_action'`)) === waiting.length, patient);
  const kills: object[] = [];
  for (const [nth, { name }] of shuffled.entries())
    kills.push(await killAmongFifty(name, waiting.slice(nth * 2, nth * 2 + 2)));
  const healedMs = performance.now();
  await until(async () => (await countOpen()) === 0, patient);
  const endedMs = Math.round(performance.now() - healedMs);
  console.info(JSON.stringify({ seed: flowSeed, kills, runs: keys.size, endedMs }));

  expect(stage.crashes()).toEqual([]);
  await expectEnded(waiting);
  const refusals = new Set(caller.journal.flatMap(({ status, code }) => (code ? [`${status} ${code}`] : [])));
  expect([...refusals].filter((refusal) => !allowed.has(refusal))).toEqual([]);
  await stage.expectQuiet();
}, 900_000);

// The last two may answer an input or a cancellation that was accepted earlier, when the answer was lost.
const allowed = new Set([
  '503 overloaded',
  '409 idempotency_in_progress',
  '409 run_not_waiting',
  '409 run_already_terminal',
]);

/** Each key has exactly one run; all have completed except cancelled ones; files of tools exist once. */
async function expectEnded(waiting: string[]): Promise<void> {
  const { rows } = await stage.db.pool.query(ENDED);
  expect(new Map(rows.map(({ id, key }) => [id, key]))).toEqual(keys);
  const cancelled = new Set(waiting.filter((_, nth) => nth % 2 === 1));
  const unexpected = rows.filter(({ id, status }) => status !== (cancelled.has(id) ? 'cancelled' : 'completed'));
  expect(unexpected).toEqual([]);
  expect(rows.filter(({ files, writes }) => files !== writes)).toEqual([]);
}

const ENDED = `
select r.id, r.status, r.fault, r.status_reason, k.key,
  (select count(*)::int from session_entries e where e.session_id = r.session_id) as files,
  (select count(*)::int from run_steps s where s.run_id = r.id and s.name = 'write_file') as writes
from runs r left join idempotency_keys k on k.resource_id = r.id`;
