import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findPublicAgentById } from '../../../../db/agents/publicAgents.ts';
import { moveRollout } from '../../../../db/publishing/rollout/rollout.ts';
import { USUAL_STEPS } from '../../../../db/publishing/rollout/rolloutSteps.ts';
import { makeAccount } from '../../../support/account.ts';
import { finishTestRun, makeRun } from '../../../support/run.ts';
import { setRolloutStage, type RolloutStage } from './rolloutStage.ts';

const stage = await setRolloutStage();
afterAll(() => stage.close());

const sessions = Array.from({ length: 500 }, (_, at) => `ses_${at}`);
const { runsMin } = USUAL_STEPS[0]!;
/** One step, without a minimum time. */
const oneStep = { rolloutSteps: [{ percentage: 5, runsMin, hoursMin: 0 }] };

describe('a guarded rollout', () => {
  let agent: Awaited<ReturnType<RolloutStage['makePublished']>>;
  let next: string;
  let versions: { former: string; next: string };
  beforeAll(async () => {
    agent = await stage.makePublished();
    const former = await agent.versionOf();
    next = await agent.approve({ instructions: 'Write two verses.' }, { rolloutPercentage: 20 });
    versions = { former, next: (await agent.state(next)).version };
  });

  test('gives its share of new sessions the new version, each always the same', async () => {
    const drawn = await Promise.all(sessions.map((id) => agent.versionOf(id)));
    const share = drawn.filter((id) => id === versions.next).length / sessions.length;
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.25);
    expect(await Promise.all(sessions.slice(0, 50).map((id) => agent.versionOf(id)))).toEqual(drawn.slice(0, 50));
    expect(new Set(drawn)).toEqual(new Set([versions.former, versions.next]));
  });

  test('leaves sessions with the version that they began with, and callers with the one that they name', async () => {
    const drawn = async (versionId: string) => {
      for (const id of sessions) if ((await agent.versionOf(id)) === versionId) return id;
      throw new Error('none was drawn');
    };
    const [onNext, onFormer] = [await drawn(versions.next), await drawn(versions.former)];
    const begin = async (sessionId: string, versionId: string) => {
      const run = await makeRun(stage.db, stage.caller);
      const text = 'update runs set agent_id = $2, version_id = $3, session_id = $4 where id = $1';
      await stage.db.pool.query(text, [run.id, agent.agentId, versionId, sessionId]);
      await finishTestRun(stage.db, run);
    };
    await begin(onNext, versions.former);
    await begin(onFormer, versions.next);
    expect([await agent.versionOf(onNext), await agent.versionOf(onFormer)]).toEqual([versions.former, versions.next]);
    for (const versionId of [versions.former, versions.next])
      expect((await agent.resolve(onNext, versionId))!.versionId).toBe(versionId);
    expect(await agent.versionOf(null)).toBe(versions.former);
  });

  test('shows the public and the publisher the former version as the live one', async () => {
    expect((await findPublicAgentById(stage.db.everywhere, agent))!.versionId).toBe(versions.former);
    const { publicDeployment, publicSubmission } = await agent.read();
    expect([publicDeployment?.versionId, publicSubmission?.id]).toEqual([versions.former, next]);
  });
});

describe('the results of a rollout', () => {
  test('decide when there are enough of them: as good as the former version, it replaces it', async () => {
    const agent = await stage.makePublished();
    const former = await agent.versionOf();
    const next = await agent.approve({}, oneStep);
    const { version } = await agent.state(next);
    await agent.ran(former, 10);
    await agent.ran(version, runsMin - 1, { costNanos: 110n });
    expect((await agent.advance(next)).waitMs).toBeGreaterThan(0);
    await agent.ran(version, 1);
    expect(await agent.advance(next)).toEqual({ waitMs: null });
    expect(await agent.state(next)).toMatchObject({ status: 'active', rollout: 'complete' });
    expect(await agent.state(agent.first)).toMatchObject({ status: 'superseded' });
    expect(await agent.versionOf()).toBe(version);
    expect(await agent.events(next)).toEqual(['deployment.approved', 'deployment.rollout_completed']);
  });

  test.each([
    ['fewer runs complete', { status: 'failed' as const }, 6, /70 % of its runs completed, 100 %/],
    ['runs cost more', { costNanos: 200n }, runsMin, /median cost of its runs is 100 % above/],
  ])('take it back when %s', async (_, ending, count, reason) => {
    const agent = await stage.makePublished();
    const former = await agent.versionOf();
    const next = await agent.approve({}, oneStep);
    const { version } = await agent.state(next);
    await agent.ran(former, 10);
    await agent.ran(version, runsMin - count);
    await agent.ran(version, count, ending);
    expect(await agent.advance(next)).toEqual({ waitMs: null });
    expect(await agent.state(next)).toMatchObject({ status: 'superseded', rollout: 'rolled_back' });
    expect((await agent.state(next)).reason).toMatch(reason);
    expect(new Set(await Promise.all(sessions.slice(0, 100).map((id) => agent.versionOf(id))))).toEqual(
      new Set([former]),
    );
    expect((await agent.resolve(null, version))!.versionId).toBe(version);
    expect(await agent.events(next)).toEqual(['deployment.approved', 'deployment.rolled_back']);
  });

  test('are compared with a version from before rollouts', async () => {
    const agent = await stage.makePublished();
    const former = await agent.versionOf();
    await stage.db.pool.query('update deployments set rollout_state = null where id = $1', [agent.first]);
    const next = await agent.approve({}, oneStep);
    const { version } = await agent.state(next);
    await agent.ran(former, 1);
    await agent.ran(version, runsMin);
    expect(await agent.advance(next)).toEqual({ waitMs: null });
    expect([await agent.versionOf(), (await agent.state(agent.first)).status]).toEqual([version, 'superseded']);
  });

  test('leave out failures of the platform, and runs of the publisher', async () => {
    const agent = await stage.makePublished();
    const next = await agent.approve({}, oneStep);
    const { version } = await agent.state(next);
    await agent.ran(version, runsMin, { status: 'failed' });
    await stage.db.pool.query(`update runs set fault = 'provider' where version_id = $1`, [version]);
    expect((await agent.advance(next)).waitMs).toBeGreaterThan(0);
  });
});

describe('an open rollout ends', () => {
  const by = { keyId: 'key_p', requestId: 'req_p' };

  test.each([
    ['promote' as const, 'active', 'complete'],
    ['roll_back' as const, 'superseded', 'rolled_back'],
  ])('by hand: %s, once', async (move, status, rollout) => {
    const agent = await stage.makePublished();
    const next = await agent.approve({}, oneStep);
    const order = { deploymentId: next, move, by };
    const all = await Promise.all([1, 2].map(() => moveRollout(stage.db.write(agent.workspaceId), order)));
    expect(all.map(({ outcome }) => outcome).toSorted()).toEqual(['moved', 'not_open']);
    expect(await agent.state(next)).toMatchObject({ status, rollout });
    const stranger = (await makeAccount(stage.db)).workspaceId;
    expect(await moveRollout(stage.db.write(stranger), order)).toEqual({ outcome: 'not_found' });
  });

  test('when another version is approved, and when the public version or itself is suspended', async () => {
    const agent = await stage.makePublished();
    const second = await agent.approve({}, oneStep);
    const third = await agent.approve({}, oneStep);
    expect([(await agent.state(second)).rollout, (await agent.state(third)).rollout]).toEqual([
      'rolled_back',
      'rolling',
    ]);
    await stage.move(agent.first, 'suspend');
    expect(await agent.state(third)).toMatchObject({ status: 'superseded', rollout: 'rolled_back' });
    expect((await agent.resolve('ses_1'))!.suspended).toBe(true);
    await stage.move(agent.first, 'reinstate');
    const fourth = await agent.approve({}, oneStep);
    await stage.move(fourth, 'suspend');
    expect(await agent.state(fourth)).toMatchObject({ status: 'suspended', rollout: 'rolled_back' });
    const { versionId, suspended } = (await agent.resolve('ses_1'))!;
    expect(suspended).toBe(false);
    // Its callers go on with the public version.
    expect(await agent.begins(versionId)).toBe('begun');
    expect(await agent.begins((await agent.state(fourth)).version)).toBe('suspended');
    const earlier = (await agent.state(second)).version;
    expect(await agent.rollBack(earlier)).toBe('deployed');
    expect(await stage.move(fourth, 'reinstate')).toEqual({ outcome: 'moved', status: 'superseded' });
  });
});
