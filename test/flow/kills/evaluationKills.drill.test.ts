import { afterAll, expect, test } from '@jest/globals';
import type { z } from 'zod';
import type { EvaluationRunAnswer } from '../../../api/evaluations/evaluationAnswers.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { balanceOf } from '../../support/account.ts';
import { until } from '../../support/until.ts';
import { setReviewStage } from '../stages/reviewStage.ts';

const stage = await setReviewStage();
afterAll(() => stage.close());

type EvaluationRun = z.infer<typeof EvaluationRunAnswer>;

const patient = { timeoutMs: 120_000, pollMs: 50 };
const slow = JSON.stringify({ scripted: { text: 'A long verse about rain. '.repeat(10), delayMs: 50 } });
const checks = [
  { type: 'string_check', operation: 'contains', reference: 'rain' },
  { type: 'score_model', rubric: 'It is about rain.' },
];
const cases = Array.from({ length: 7 }, (_, at) => ({ name: `Case ${at}`, input: slow, checks }));

const judging = (body: Record<string, unknown>) =>
  body.response_format ? { text: '{"reason": "Rain.", "score": 1}', headDelayMs: 400 } : {};

async function runSet(): Promise<{ path: string; id: string }> {
  const { id } = await stage.makeAgent();
  const agent = `/v1/publisher/agents/${id}`;
  await stage.read(stage.call(`${agent}/evaluation-set`, { method: 'PUT', body: { cases } }), 200);
  const run = await stage.read<EvaluationRun>(stage.call(`${agent}/evaluation-runs`, { body: {} }), 202);
  return { path: `${agent}/evaluation-runs/${run.id}`, id: run.id };
}

const countOf = async (id: string, condition: string): Promise<number> =>
  (
    await stage.db.pool.query(
      `select count(*)::int as count from runs where metadata ->> 'evaluation_run_id' = $1 and ${condition}`,
      [id],
    )
  ).rows[0].count;

test.each(['worker', 'Temporal'] as const)(
  'an evaluation survives kills of %s while cases run and while they are judged: each case once, paid once',
  async (name) => {
    stage.upstream.script(judging);
    const before = await balanceOf(stage.db, stage.publisher.workspaceId);
    const { path, id } = await runSet();
    const victim = stage.victims[name];
    const judged = () => stage.upstream.calls().filter(({ body }) => body?.response_format).length;
    await until(async () => (await countOf(id, `status = 'in_progress'`)) > 0, patient);
    await victim.kill();
    await victim.start();
    const already = judged();
    await until(async () => judged() > already, patient);
    await victim.kill();
    await victim.start();
    let run: EvaluationRun | undefined;
    await until(async () => {
      run = await stage.read<EvaluationRun>(stage.call(path), 200);
      return run.ended_at !== null;
    }, patient);
    expect(run).toMatchObject({ status: 'passed', result_counts: { total: cases.length, passed: cases.length } });
    expect(await countOf(id, 'true')).toBe(cases.length);
    const isReleased = async () =>
      (await stage.db.pool.query(`select count(*)::int as open from holds where state = 'open'`)).rows[0].open === 0;
    await until(isReleased, patient);
    const cost = BigInt(Math.round(run!.cost_usd * 1e9));
    await until(async () => before - (await balanceOf(stage.db, stage.publisher.workspaceId)) === cost, patient);
    const { rows } = await stage.db.pool.query('select count(*)::int as kept from batch_results where batch_id = $1', [
      id,
    ]);
    expect(rows[0].kept).toBe(0);
    expect((await checkInvariants(stage.db.pool)).violations).toEqual([]);
  },
);
