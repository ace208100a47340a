import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { setKillStage } from '../stages/killStage.ts';
import { createCaller, type Answer } from '../stages/runCaller.ts';

const clients = 50;
const repeats = 20;
const random = seededRandom(flowSeed);

const stage = await setKillStage();
const caller = createCaller(stage);
afterAll(() => stage.close());

/** Repeats one request under one key; every other client sends another body. Returns the answers of both kinds. */
async function repeat(
  path: string,
  key: string,
  bodies: [same: () => object, other: () => object],
  halfway: () => Promise<void>,
): Promise<{ same: Answer[]; other: Answer[] }> {
  const headers = { 'idempotency-key': key };
  // The first request decides which body is the key's.
  const first = await caller.postPatiently(path, bodies[0](), headers);
  const answers = { same: [first], other: [] as Answer[] };
  let sent = 0;
  const client = async (nth: number) => {
    for (let round = 0; round < repeats; round += 1) {
      await sleep(random() * 20);
      const isSame = nth % 2 === 0;
      const answer = await caller.post(path, bodies[isSame ? 0 : 1](), headers);
      answers[isSame ? 'same' : 'other'].push(answer);
      sent += 1;
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, nth) => client(nth)));
  await until(() => sent >= (clients * repeats) / 2);
  await halfway();
  await all;
  return answers;
}

async function killApi(): Promise<void> {
  await stage.victims.API.kill();
  await sleep(200 + random() * 300);
  await stage.victims.API.start();
}

const nothing = async (): Promise<void> => {};
const kindsOf = (answers: Answer[]) => new Set(answers.map(({ status, code }) => `${status} ${code ?? ''}`.trim()));
// Failures that a client may get while a process dies: it retries them.
const passing = ['0', '503 overloaded', '409 idempotency_in_progress'];

function expectOneAnswer({ same, other }: { same: Answer[]; other: Answer[] }, status: number): void {
  const answered = same.filter((answer) => answer.status === status);
  expect(answered.length).toBeGreaterThan(clients);
  expect(new Set(answered.map(({ text }) => text)).size).toBe(1);
  expect([...kindsOf(same)].filter((kind) => kind !== `${status}` && !passing.includes(kind))).toEqual([]);
  expect([...kindsOf(other)].filter((kind) => kind !== '409 idempotency_conflict' && !passing.includes(kind))).toEqual(
    [],
  );
  expect(kindsOf(other)).toContain('409 idempotency_conflict');
}

const countOf = async (table: string): Promise<number> =>
  (await stage.db.pool.query(`select count(*)::int as rows from ${table}`)).rows[0].rows as number;

test(`a thousand orders under one key are one run while the API is killed (seed ${flowSeed})`, async () => {
  const runsBefore = await countOf('runs');
  const bodies = (text: string) => () => caller.orderOf({ text, delayMs: 5 });
  expectOneAnswer(await repeat('/v1/runs', `same-run-${flowSeed}`, [bodies('one'), bodies('other')], killApi), 202);
  expect(await countOf('runs')).toBe(runsBefore + 1);
});

test('a file that is uploaded a thousand times under one key is one file, although its API is killed', async () => {
  const filesBefore = await countOf('files where deleted_at is null');
  const form = (text: string) => () => {
    const body = new FormData();
    body.set('purpose', 'user_data');
    body.set('file', new Blob([text]), 'a.txt');
    return body;
  };
  const answers = await repeat('/v1/files', `same-file-${flowSeed}`, [form('one'), form('other')], killApi);
  expectOneAnswer(answers, answers.same[0]!.status);
  expect(answers.same[0]!.status).toBeLessThan(300);
  expect(await countOf('files where deleted_at is null')).toBe(filesBefore + 1);
});

test('a cancellation that is repeated a thousand times cancels once', async () => {
  const { run } = await caller.postPatiently('/v1/runs', caller.orderOf({ text: 'word '.repeat(2_000), delayMs: 50 }));
  const path = `/v1/runs/${run!.id}/cancel`;
  await until(async () => (await countOf(`runs where id = '${run!.id}' and status = 'in_progress'`)) === 1);
  const bodies: [() => object, () => object] = [() => ({ mode: 'immediate' }), () => ({ mode: 'graceful' })];
  expectOneAnswer(await repeat(path, `same-cancel-${flowSeed}`, bodies, nothing), 202);
  await stage.expectQuietSoon();
  const { rows } = await stage.db.pool.query(
    `select count(*) filter (where type = 'run.cancelling')::int as cancelling, count(*) filter (where type = 'run.cancelled')::int as cancelled
     from run_events where run_id = $1`,
    [run!.id],
  );
  expect(rows).toEqual([{ cancelling: 1, cancelled: 1 }]);
});
