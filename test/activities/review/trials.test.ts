import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTrials, type Trial } from '../../../activities/review/trials.ts';
import { seedAgents } from '../../../db/agents/houseAgents.ts';
import { testModels } from '../../support/agent.ts';
import { setPublishingStage } from '../../db/agents/publishingStage.ts';

let stage: Awaited<ReturnType<typeof setPublishingStage>>;
beforeAll(async () => {
  stage = await setPublishingStage();
  await seedAgents(stage.db.everywhere);
});
afterAll(() => stage.close());

test("the trials of a submission cost at most the platform's limit, at cost prices; the rest needs a reviewer", async () => {
  const rates = [{ meter: 'model_output_tokens' as const, price_usd: 0 }];
  const pricing = { minimum_cost_usd: 0, maximum_cost_usd: 1_000, rates };
  const deploymentId = await (await stage.makeAgent({ pricing })).submitted();
  const reviews = { start: async () => {}, listOpen: async () => [], notifyDecided: async () => {} };
  const trials = createTrials({ db: stage.db, models: testModels, reviewCostUsdMax: 0.4, reviews });
  const trial = (index: number): Trial => ({ deploymentId, kind: 'probe', index });
  const runs = [
    await trials.createTrial(trial(0)),
    await trials.createTrial(trial(1)),
    await trials.createTrial(trial(2)),
  ];
  expect(runs).toEqual([expect.any(String), expect.any(String), null]);
  // The same trial returns the same run, and does not create another.
  expect(await trials.createTrial(trial(1))).toBe(runs[1]);
  const { rows } = await stage.db.pool.query(
    `select max_cost_nanos::int as cap, rate_card #> '{meters,1}' as output from runs where id = any ($1) order by 1`,
    [runs],
  );
  const output = { id: 'model_output_tokens', price_usd: 0.0000025, platform_cost_usd: 0.0000025 };
  expect(rows).toMatchObject([
    { cap: 150_000_000, output },
    { cap: 250_000_000, output },
  ]);
  expect(await trials.judgeTrial({ ...trial(2), runId: null })).toEqual({ blocking: 0, costUsd: 0 });
  const { rows: said } = await stage.db.pool.query('select review_feedback from deployments where id = $1', [
    deploymentId,
  ]);
  expect(said[0].review_feedback).toMatchObject([{ severity: 'advisory', code: 'trials_over_budget' }]);
});
