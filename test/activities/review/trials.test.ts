import { afterAll, describe, expect, test } from '@jest/globals';
import { createCheckSubmission } from '../../../activities/review/checkSubmission.ts';
import { createTrials, type Trial } from '../../../activities/review/trials.ts';
import { billWithdrawnTrials } from '../../../db/publishing/review/trialBills.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { finishRun } from '../../../db/runs/states/finishRun.ts';
import { balanceOf, makeAccount } from '../../support/account.ts';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { testModels } from '../../support/agent.ts';
import { newId } from '../../../db/ids.ts';
import { countLockWaits } from '../../support/lockWaits.ts';
import { until } from '../../support/until.ts';
import { setPublishingStage } from '../../db/publishing/publishingStage.ts';

const stage = await setPublishingStage();
await seedAgents(stage.db.everywhere);
afterAll(() => stage.close());

const orders = { config: { openRunsMax: 1, webhookLoopback: false } };

test("the trials of a submission cost at most the platform's limit, at cost prices; the rest needs a reviewer", async () => {
  const rates = [{ meter: 'model_output_tokens' as const, price_usd: 0 }];
  const pricing = { minimum_cost_usd: 0, maximum_cost_usd: 1_000, rates };
  const deploymentId = await (await stage.makeAgent({ pricing })).submitted();
  const reviews = { start: async () => {}, listOpen: async () => [], notifyDecided: async () => {} };
  const trials = createTrials({ db: stage.db, models: testModels, reviewCostUsdMax: 0.4, reviews, orders });
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

test('what the agents cost that a trial calls counts towards the limit', async () => {
  const deploymentId = await (await stage.makeAgent()).submitted();
  const reviews = { start: async () => {}, listOpen: async () => [], notifyDecided: async () => {} };
  const trials = createTrials({ db: stage.db, models: testModels, reviewCostUsdMax: 0.4, reviews, orders });
  const first = { deploymentId, kind: 'probe', index: 0 } as const;
  const runId = (await trials.createTrial(first))!;
  await stage.db.pool.query('update runs set children_nanos = 200000000 where id = $1', [runId]);
  await finishRun(stage.db, runId, { status: 'completed' });
  expect(await trials.judgeTrial({ ...first, runId })).toMatchObject({ costUsd: 0.2 });
  const next = await trials.createTrial({ ...first, index: 1 });
  const { rows } = await stage.db.pool.query('select max_cost_nanos::int as cap from runs where id = $1', [next]);
  expect(rows).toEqual([{ cap: 200_000_000 }]);
});

test.each([
  ['ledgerline-rehearsal', ['runs_are_free']],
  [null, []],
])('the review of a priced agent with the model %s has the findings %j', async (model, codes) => {
  const deploymentId = await (await stage.makeAgent({ model })).submitted();
  const reviews = { start: async () => {}, listOpen: async () => [], notifyDecided: async () => {} };
  const check = createCheckSubmission({ db: stage.db, models: testModels, reviewCostUsdMax: 1, reviews, orders });
  expect(await check({ deploymentId })).toMatchObject({ blocking: 0 });
  const { rows } = await stage.db.pool.query('select review_feedback as said from deployments where id = $1', [
    deploymentId,
  ]);
  const found = (rows[0].said as { code: string; severity: string }[]).filter(({ code }) => code === 'runs_are_free');
  expect(found.map(({ code }) => code)).toEqual(codes);
});

describe('a withdrawn submission', () => {
  const reviews = { start: async () => {}, listOpen: async () => [], notifyDecided: async () => {} };
  const openTrials = () => createTrials({ db: stage.db, models: testModels, reviewCostUsdMax: 1, reviews, orders });

  /** A submission with an ended trial and a running one. */
  async function makeTried(creditUsd: string) {
    const { workspaceId } = await makeAccount(stage.db, { creditUsd });
    const agent = await stage.makeAgent({}, { workspaceId, namespace: `space-${newId('n').slice(2).toLowerCase()}` });
    const deploymentId = await agent.submitted();
    const runIds = [0, 1].map((index) => openTrials().createTrial({ deploymentId, kind: 'probe', index }));
    const [ended, running] = await Promise.all(runIds);
    await spend(ended!, 40_000);
    await finishRun(stage.db, ended!, { status: 'completed' });
    await spend(running!, 8_000);
    return { workspaceId, deploymentId, running: running! };
  }

  /** Output tokens of a step, at 0.0000025 USD. */
  async function spend(runId: string, tokens: number): Promise<void> {
    await stage.db.pool.query(
      `insert into run_meters (run_id, step, meter, workspace_id, quantity_thousandths)
       select id, 1, 'model_output_tokens', workspace_id, $2 from runs where id = $1`,
      [runId, tokens * 1000],
    );
  }

  const violations = async () => (await checkInvariants(stage.db.pool)).violations;

  test('pays for its trials: those that have ended at once, the last one when it has ended', async () => {
    const { workspaceId, deploymentId, running } = await makeTried('10');
    expect(await stage.move(deploymentId, 'withdraw')).toEqual({ outcome: 'moved', status: 'withdrawn' });
    expect(await balanceOf(stage.db, workspaceId)).toBe(9_900_000_000n);
    await finishRun(stage.db, running, { status: 'cancelled' });
    await Promise.all([billWithdrawnTrials(stage.db.everywhere), billWithdrawnTrials(stage.db.everywhere)]);
    expect(await balanceOf(stage.db, workspaceId)).toBe(9_880_000_000n);
    expect(await billWithdrawnTrials(stage.db.everywhere)).toBe(0);
    const { rows } = await stage.db.pool.query(
      `select subject from ledger_entries where kind = 'adjustment' and workspace_id = $1 order by sequence`,
      [workspaceId],
    );
    expect(rows.map(({ subject }) => subject)).toEqual([
      `${deploymentId} trials of a withdrawn submission`,
      `${deploymentId} trials of a withdrawn submission, beyond 0.1 USD`,
    ]);
    expect(await violations()).toEqual([]);
  });

  test('is not withdrawn when its publisher can not pay for them', async () => {
    const { workspaceId, deploymentId } = await makeTried('0.05');
    expect(await stage.move(deploymentId, 'withdraw')).toEqual({ outcome: 'short', neededNanos: '100000000' });
    expect(await balanceOf(stage.db, workspaceId)).toBe(50_000_000n);
    expect(await stage.move(deploymentId, 'reject')).toMatchObject({ outcome: 'moved' });
    expect(await balanceOf(stage.db, workspaceId)).toBe(50_000_000n);
  });

  test('is not withdrawn while a call that holds the rest of the balance begins at the same moment', async () => {
    const { workspaceId, deploymentId } = await makeTried('0.15');
    const call = await stage.db.pool.connect();
    await call.query('begin');
    await call.query('select from accounts where workspace_id = $1 for update', [workspaceId]);
    await call.query(
      `insert into holds (id, workspace_id, account_id, key_id, process_id, kind, amount_nanos, day)
       select $1, $2, id, 'key_1', 'proc_1', 'request', 100000000, current_date from accounts where workspace_id = $2`,
      [newId('req'), workspaceId],
    );
    const withdrawn = stage.move(deploymentId, 'withdraw');
    await until(async () => (await countLockWaits(stage.db)) > 0);
    await call.query('commit');
    call.release();
    expect(await withdrawn).toEqual({ outcome: 'short', neededNanos: '100000000' });
  });

  test('owes for its last trial only what it has', async () => {
    const { workspaceId, deploymentId, running } = await makeTried('0.11');
    await stage.move(deploymentId, 'withdraw');
    await finishRun(stage.db, running, { status: 'cancelled' });
    await billWithdrawnTrials(stage.db.everywhere);
    expect(await balanceOf(stage.db, workspaceId)).toBe(0n);
  });
});
