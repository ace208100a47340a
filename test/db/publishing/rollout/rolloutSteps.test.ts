import { afterAll, describe, expect, test } from '@jest/globals';
import { planRollout } from '../../../../db/publishing/rollout/rollout.ts';
import { usualStepsFrom } from '../../../../db/publishing/rollout/rolloutSteps.ts';
import type { StepPlan } from '../../../../db/entities/agent.ts';
import { newId } from '../../../../db/ids.ts';
import { makeAccount } from '../../../support/account.ts';
import { setRolloutStage, type RolloutStage } from './rolloutStage.ts';

const stage = await setRolloutStage();
afterAll(() => stage.close());

type Agent = Awaited<ReturnType<RolloutStage['makePublished']>>;

const step = (percentage: number, hoursMin = 0, runsMin = 5): StepPlan => ({ percentage, runsMin, hoursMin });
const sessions = Array.from({ length: 200 }, (_, at) => `ses_${at}`);

/** An agent whose former version has results, and a next version with these steps. */
async function makeRolling(rolloutSteps: StepPlan[]) {
  const agent = await stage.makePublished();
  const former = await agent.versionOf();
  await agent.ran(former, 10);
  const next = await agent.approve({}, { rolloutSteps });
  return { agent, former, next, version: (await agent.state(next)).version };
}

const shareOf = async (agent: Agent, version: string) => {
  const drawn = await Promise.all(sessions.map((id) => agent.versionOf(id)));
  return drawn.filter((id) => id === version).length / sessions.length;
};

describe('a rollout in steps', () => {
  test('goes up on its own with each step that passes, and ends as the default', async () => {
    const { agent, next, version } = await makeRolling([step(5), step(50, 0, 6), step(100)]);
    const first = await shareOf(agent, version);
    expect(first).toBeLessThan(0.15);
    await agent.ran(version, 5);
    expect((await agent.advance(next)).waitMs).toBeGreaterThan(0);
    expect(await agent.state(next)).toMatchObject({ rollout: 'rolling', percentage: 50 });
    const second = await shareOf(agent, version);
    expect([second > first, second < 0.7]).toEqual([true, true]);
    // The previous step's runs do not count.
    await agent.ran(version, 5, { status: 'completed', costNanos: 110n });
    await agent.advance(next);
    expect(await agent.state(next)).toMatchObject({ percentage: 50 });
    await agent.ran(version, 1);
    await agent.advance(next);
    expect([(await agent.state(next)).percentage, await shareOf(agent, version)]).toEqual([100, 1]);
    await agent.ran(version, 5);
    expect(await agent.advance(next)).toEqual({ waitMs: null });
    const { steps, ...state } = await agent.state(next);
    expect(state).toMatchObject({ status: 'active', rollout: 'complete' });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const live = { runs: 10, completionRate: 1, medianCostNanos: 100 };
    const passed = { startedAt: time, endedAt: time, outcome: 'passed', live };
    expect(steps).toEqual([
      { ...step(5), ...passed, next: { runs: 5, completionRate: 1, medianCostNanos: 100 } },
      { ...step(50, 0, 6), ...passed, next: { runs: 6, completionRate: 1, medianCostNanos: 110 } },
      { ...step(100), ...passed, next: { runs: 5, completionRate: 1, medianCostNanos: 100 } },
    ]);
    const advanced = 'deployment.rollout_advanced';
    expect(await agent.events(next)).toEqual([
      'deployment.approved',
      advanced,
      advanced,
      'deployment.rollout_completed',
    ]);
  });

  test('stays at a step for its least time, whatever the runs', async () => {
    const { agent, next, version } = await makeRolling([step(5, 3), step(100)]);
    await agent.ran(version, 8);
    expect((await agent.advance(next)).waitMs).toBeGreaterThan(0);
    expect(await agent.state(next)).toMatchObject({ percentage: 5, steps: [{ next: { runs: 8 }, endedAt: null }, {}] });
    await agent.passHours(next, 3);
    await agent.advance(next);
    expect(await agent.state(next)).toMatchObject({ percentage: 100 });
  });

  test('takes a worse version back in any step, before the time of the step is over', async () => {
    const { agent, former, next, version } = await makeRolling([step(5), step(100, 24)]);
    await agent.ran(version, 5);
    await agent.advance(next);
    await agent.ran(version, 3);
    await agent.ran(version, 2, { status: 'failed' });
    expect(await agent.advance(next)).toEqual({ waitMs: null });
    expect(await agent.state(next)).toMatchObject({
      status: 'superseded',
      rollout: 'rolled_back',
      reason: "60 % of its runs completed, 100 % of the default's.",
      steps: [{ outcome: 'passed' }, { outcome: 'failed', next: { runs: 5, completionRate: 0.6 } }],
    });
    expect(await shareOf(agent, former)).toBe(1);
  });

  test('that was begun before there were steps ends with the one that it has', async () => {
    const { agent, next, version } = await makeRolling([step(5)]);
    const text = 'update deployments set rollout_steps = null, rollout_step_started_at = null where id = $1';
    await stage.db.pool.query(text, [next]);
    await agent.ran(version, 19);
    await agent.advance(next);
    await agent.ran(version, 1);
    expect(await agent.advance(next)).toEqual({ waitMs: null });
    expect(await agent.state(next)).toMatchObject({ rollout: 'complete' });
  });
});

describe('the steps of a rollout', () => {
  const by = { keyId: 'key_p', requestId: newId('req') };
  const plan = (agent: Agent, deploymentId: string, steps: StepPlan[], workspaceId = agent.workspaceId) =>
    planRollout(stage.db.write(workspaceId), { deploymentId, steps, by });

  test('are the usual ones from a share on', () => {
    const shares = (percentage: number) => usualStepsFrom(percentage).map((one) => one.percentage);
    expect([shares(1), shares(5), shares(30), shares(50), shares(99)]).toEqual([
      [1, 5, 25, 50, 100],
      [5, 25, 50, 100],
      [30, 50, 100],
      [50, 100],
      [99, 100],
    ]);
  });

  test('are the publisher’s for an approval that names none, and for no other one', async () => {
    const agent = await stage.makePublished();
    const second = await agent.submitted();
    expect(await plan(agent, second, [step(10), step(100)])).toEqual({ outcome: 'planned' });
    await stage.move(second, 'approve');
    expect(await agent.state(second)).toMatchObject({
      rollout: 'rolling',
      percentage: 10,
      steps: [step(10), step(100)],
    });
    const third = await agent.submitted();
    await plan(agent, third, [step(10)]);
    await stage.move(third, 'approve', { rolloutPercentage: 100 });
    expect(await agent.state(third)).toMatchObject({ rollout: 'complete', steps: null });
  });

  test('that have not begun are planned anew while it is open, with larger shares', async () => {
    const { agent, next, version } = await makeRolling([step(20), step(100)]);
    expect(await plan(agent, next, [step(20), step(40)])).toEqual({ outcome: 'begun', percentage: 20 });
    expect(await plan(agent, next, [step(40), step(80)])).toEqual({ outcome: 'planned' });
    await agent.ran(version, 5);
    await agent.advance(next);
    expect(await agent.state(next)).toMatchObject({ percentage: 40, steps: [step(20), step(40), step(80)] });
    const stranger = (await makeAccount(stage.db)).workspaceId;
    expect(await plan(agent, next, [step(90)], stranger)).toEqual({ outcome: 'not_found' });
    await stage.move(next, 'suspend');
    expect(await plan(agent, next, [step(90)])).toEqual({ outcome: 'not_open', status: 'suspended' });
  });
});
