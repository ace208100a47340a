import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { flowSeed, repetitions, seededRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { setKillStage } from '../stages/killStage.ts';
import { createCaller, type Answer } from '../stages/runCaller.ts';

const together = 25;
const races = together * repetitions(10);
const random = seededRandom(flowSeed);
const patient = { timeoutMs: 240_000, pollMs: 20 };

const stage = await setKillStage();
const caller = createCaller(stage);
afterAll(() => stage.close());

async function order(script: object, members: object = {}): Promise<RunObject> {
  const { status, run, text } = await caller.post('/v1/runs', caller.orderOf(script, members));
  expect([status, text]).toEqual([202, expect.any(String)]);
  return run!;
}

const cancel = (id: string) => caller.post(`/v1/runs/${id}/cancel`);

/** A run as reported by its row, its events and the ledger. */
interface Ended {
  status: string;
  settled: boolean;
  costNanos: bigint;
  debitedNanos: bigint;
  types: string[];
}

async function readEnded(id: string): Promise<Ended> {
  const { rows } = await stage.db.pool.query(ENDED, [id]);
  const { status, settled, cost, debited, types } = rows[0];
  return { status, settled, costNanos: BigInt(cost), debitedNanos: BigInt(debited), types };
}

const ENDED = `
select status, settled_at is not null as settled, total_nanos as cost,
  (select coalesce(-sum(amount_nanos), 0) from ledger_entries where kind = 'debit' and subject = r.id) as debited,
  array(select type from run_events e where e.run_id = r.id order by sequence) as types
from runs r where id = $1`;

const untilAllEnded = () =>
  until(async () => {
    const { rowCount } = await stage.db.pool.query('select from runs where settled_at is null');
    return rowCount === 0;
  }, patient);

/** The run's end according to a cancellation's answer. */
function promisedBy({ status, code, run }: Answer): string[] {
  if (code === 'run_already_terminal') return ['completed'];
  expect([200, 202]).toContain(status);
  return run!.status === 'cancelled' ? ['cancelled'] : ['cancelled', 'completed'];
}

const brief = () => ({ text: 'Two and two is four.', delayMs: random() * 100 });

// Speaks for longer than a cancellation takes to arrive.
const long = { text: 'word '.repeat(100), delayMs: 100 };

const hasBegun = async (id: string) => (await readEnded(id)).types.includes('run.in_progress');

interface Race {
  id: string;
  answers: Answer[];
}

/**
 * Cancels twice at once, at any moment from before the beginning until after the end. Of ten, one is cancelled at once and one while it
 * runs, because a slow or a fast machine may produce few of either.
 */
async function race(nth: number, withinMs: number): Promise<Race> {
  const { id } = await order(nth % 10 === 1 ? long : brief());
  if (nth % 10 === 1) await until(() => hasBegun(id), patient);
  else if (nth % 10 !== 0) await sleep(random() * withinMs);
  return { id, answers: await Promise.all([cancel(id), cancel(id)]) };
}

/** Fails unless all agree on the winner. Returns the result. */
async function judge({ id, answers }: Race): Promise<string> {
  const ended = await readEnded(id);
  for (const answer of answers) expect(promisedBy(answer)).toContain(ended.status);
  expect(ended.types.at(-1)).toBe(`run.${ended.status}`);
  expect(ended.types.filter((type) => type === 'run.cancelling').length).toBeLessThanOrEqual(1);
  expect(ended.debitedNanos).toBe(ended.costNanos);
  const hadBegun = ended.types.includes('run.in_progress');
  if (!hadBegun) expect(ended).toMatchObject({ status: 'cancelled', costNanos: 0n });
  return `${ended.status} ${hadBegun ? 'at work' : 'in the queue'}`;
}

/** The typical duration of the latest runs that were not cancelled: a race must happen within this time. */
async function usualMs(): Promise<number> {
  const { rows } = await stage.db.pool.query(USUAL);
  return Math.ceil(rows[0].ms as number);
}

const USUAL = `
select (percentile_cont(0.8) within group (order by extract(epoch from settled_at - created_at)) * 1000)::float as ms
from (select * from runs where status = 'completed' order by created_at desc limit 20) r`;

test(`either a cancellation or a completion wins; status, last event and bill agree (seed ${flowSeed})`, async () => {
  await Promise.all(Array.from({ length: together }, () => order(brief())));
  await untilAllEnded();
  const ways: Record<string, number> = {};
  for (let done = 0; done < races; done += together) {
    const withinMs = await usualMs();
    const batch = await Promise.all(Array.from({ length: together }, (_, nth) => race(nth, withinMs)));
    await untilAllEnded();
    for (const way of await Promise.all(batch.map(judge))) ways[way] = (ways[way] ?? 0) + 1;
  }
  console.info(JSON.stringify({ races, usualMs: await usualMs(), ways }));
  // Each must have won at least once, otherwise there was no race.
  expect(Object.keys(ways)).toEqual(
    expect.arrayContaining(['completed at work', 'cancelled at work', 'cancelled in the queue']),
  );
  await stage.expectQuiet();
}, 900_000);

test('a run cancelled before it starts never begins, and costs nothing', async () => {
  const delayed = await order({ text: 'Late.' }, { start_after_seconds: 600 });
  const next = await order({ text: 'Later.' }, { session_id: delayed.session_id, if_session_busy: 'enqueue' });
  for (const { id } of [next, delayed]) {
    const { status, run } = await cancel(id);
    expect([status, run!.status]).toEqual([202, 'cancelled']);
    const { status: again } = await cancel(id);
    expect(again).toBe(200);
  }
  for (const { id } of [next, delayed]) {
    expect(await readEnded(id)).toMatchObject({
      costNanos: 0n,
      debitedNanos: 0n,
      types: ['run.created', 'run.queued', 'run.cancelled'],
    });
  }
  await stage.expectQuiet();
});

/** The upstream's record of the call of a run with this script number. */
const callOf = (nth: number) =>
  stage.upstream.calls().find(({ body }) => JSON.stringify(body).includes(`nth\\":${nth}}`));

/** Cancels a model that does not stop by itself, and waits until its upstream has been left. Amounts in tokens. */
async function cancelSpeaking(nth: number) {
  const { id } = await order({ text: ' word', fault: 'endless', delayMs: 20, nth });
  await until(async () => (await toldBy(id)) > 10, patient);
  await sleep(random() * 1_500);
  const before = await toldBy(id);
  await cancel(id);
  await until(() => callOf(nth)!.endedAt !== undefined, patient);
  const { aborted, outputTokens } = callOf(nth)!;
  expect(aborted).toBe(true);
  return { id, before, produced: outputTokens };
}

/** The words that a run has streamed, as tokens: one token per word. */
async function toldBy(id: string): Promise<number> {
  const sql = `select coalesce(string_agg(data ->> 'delta', ''), '') as text from run_events where run_id = $1 and type = 'run.output_text.delta'`;
  const { rows } = await stage.db.pool.query(sql, [id]);
  return (rows[0].text as string).split(' word').length - 1;
}

const METERED = `
select r.status, u.quantity_thousandths / 1000 as tokens from runs r
left join run_usage u on u.run_id = r.id and u.meter = 'model_output_tokens' where r.id = $1`;

test(`a cancelled model is stopped, and exactly its output is billed (seed ${flowSeed})`, async () => {
  const stopped = await Promise.all(Array.from({ length: 10 }, (_, nth) => cancelSpeaking(nth)));
  await untilAllEnded();
  for (const { id, before, produced } of stopped) {
    const { rows } = await stage.db.pool.query(METERED, [id]);
    expect(rows[0].status).toBe('cancelled');
    expect(Number(rows[0].tokens)).toBeGreaterThanOrEqual(before);
    expect(Number(rows[0].tokens)).toBeLessThanOrEqual(produced);
  }
  await stage.expectQuiet();
});
