import { afterAll, expect, test } from '@jest/globals';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { setKillStage } from '../stages/killStage.ts';
import { mostAtOnce } from '../runs/overlaps.ts';
import { createCaller } from '../stages/runCaller.ts';

const orders = 50;
const limit = 3;
const random = seededRandom(flowSeed);
const patient = { timeoutMs: 300_000, pollMs: 50 };

const stage = await setKillStage();
const caller = createCaller(stage);
afterAll(() => stage.close());

const countOf = async (where: string): Promise<number> =>
  (await stage.db.pool.query(`select count(*)::int as runs from runs where ${where}`)).rows[0].runs;

test(`of ${orders} runs of a key ${limit} at most run at once, and kills lose none (seed ${flowSeed})`, async () => {
  const script = () => ({ text: 'Done.', headDelayMs: 50 + random() * 200 });
  const ordered = Array.from({ length: orders }, (_, nth) => {
    const headers = { 'idempotency-key': `flow-${flowSeed}-${nth}-0123456789` };
    return caller.postPatiently('/v1/runs', caller.orderOf(script(), { concurrency: { key: 'one', limit } }), headers);
  });
  for (const [at, name] of [
    [8, 'API'],
    [18, 'worker'],
    [28, 'Temporal'],
    [38, 'worker'],
  ] as const) {
    await until(async () => (await countOf('settled_at is not null')) >= at, patient);
    await stage.victims[name].kill();
    await stage.victims[name].start();
  }
  const answers = await Promise.all(ordered);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  await until(async () => (await countOf('settled_at is not null')) === orders, patient);
  expect(await countOf(`status = 'completed'`)).toBe(orders);
  expect(await mostAtOnce(stage.db.pool, stage.account.workspaceId)).toBeLessThanOrEqual(limit);
  expect((await stage.db.pool.query('select from flow_places where admitted_at is null')).rowCount).toBe(0);
  expect(stage.crashes()).toEqual([]);
  await stage.expectQuiet();
}, 900_000);
