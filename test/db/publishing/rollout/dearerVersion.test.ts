import { afterAll, describe, expect, test } from '@jest/globals';
import { rollBack } from '../../../../db/publishing/moveDeployment.ts';
import { findPublicAgentById } from '../../../../db/agents/publicAgents.ts';
import { moveRollout } from '../../../../db/publishing/rollout/rollout.ts';
import { newId } from '../../../../db/ids.ts';
import { draft, publisher } from '../publishingStage.ts';
import { setRolloutStage } from './rolloutStage.ts';

const stage = await setRolloutStage();
afterAll(() => stage.close());

const DEARER = { pricing: { ...draft.pricing, maximum_cost_usd: 2 } };

describe('a dearer version', () => {
  const eventsOf = async (type: string, workspaceId: string) =>
    (
      await stage.db.pool.query('select data from platform_events where type = $1 and workspace_id = $2', [
        type,
        workspaceId,
      ])
    ).rows;

  test('is announced once, can be named at once, and is the default two weeks after its approval', async () => {
    const agent = await stage.makePublished();
    const former = await agent.versionOf();
    await agent.ran(former, 2);
    const next = await agent.approve(DEARER);
    const { version } = await agent.state(next);
    const first = await agent.advance(next);
    expect(first.waitMs).toBe(86_400_000);
    expect(await agent.advance(next)).toEqual(first);
    expect(await agent.versionOf('ses_1')).toBe(former);
    expect((await agent.resolve('ses_1', version))!.versionId).toBe(version);
    const shown = (await findPublicAgentById(stage.db.everywhere, agent))!;
    expect([shown.versionId, shown.upcoming?.versionId]).toEqual([former, version]);
    const days = (new Date(shown.upcoming!.effectiveAt).getTime() - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(14);
    const told = await eventsOf('agent.price_increase', stage.caller.workspaceId);
    // With the whole price, so that a caller need not look it up.
    expect(told.map(({ data }) => data).filter((data) => data.agent === agent.name)).toMatchObject([DEARER.pricing]);
    expect(
      await moveRollout(stage.db.write(agent.workspaceId), { deploymentId: next, move: 'promote', by: publisher }),
    ).toEqual({
      outcome: 'in_notice',
    });

    const pass = (by: string) =>
      stage.db.pool.query('update deployments set effective_at = effective_at - $2::interval where id = $1', [
        next,
        by,
      ]);
    await pass('13 days 23 hours');
    expect((await agent.advance(next)).waitMs).toBeLessThanOrEqual(3_600_000);
    await pass('1 hour');
    expect(await agent.advance(next)).toEqual({ waitMs: null });
    expect(await agent.versionOf('ses_1')).toBe(version);
    expect((await findPublicAgentById(stage.db.everywhere, agent))!.upcoming).toBeNull();
  });

  test('with a share of sessions starts to roll when its notice is over', async () => {
    const agent = await stage.makePublished();
    const next = await agent.approve(DEARER, { rolloutPercentage: 5 });
    await stage.db.pool.query('update deployments set effective_at = now() where id = $1', [next]);
    expect((await agent.advance(next)).waitMs).toBeGreaterThan(0);
    expect(await agent.state(next)).toMatchObject({ status: 'active', rollout: 'rolling' });
  });

  test.each([
    ['a higher maximum', { ...draft.pricing, maximum_cost_usd: 1.01 }, 'scheduled'],
    ['a higher minimum', { ...draft.pricing, minimum_cost_usd: 0.02 }, 'scheduled'],
    [
      'a higher rate',
      { ...draft.pricing, rates: [{ meter: 'model_output_tokens' as const, price_usd: 0.0000026 }] },
      'scheduled',
    ],
    [
      'another rate',
      { ...draft.pricing, rates: [...draft.pricing.rates, { meter: 'tool_calls' as const, price_usd: 0.001 }] },
      'scheduled',
    ],
    [
      'lower prices',
      {
        minimum_cost_usd: 0,
        maximum_cost_usd: 0.5,
        rates: [{ meter: 'model_output_tokens' as const, price_usd: 0.000001 }],
      },
      'complete',
    ],
    ['the same prices', draft.pricing, 'complete'],
  ])('is one with %s', async (_, pricing, rollout) => {
    const agent = await stage.makePublished();
    expect(await agent.state(await agent.approve({ pricing }))).toMatchObject({ status: 'active', rollout });
  });

  test('is announced, and waits, also when the default is suspended', async () => {
    const agent = await stage.makePublished();
    const former = await agent.versionOf();
    await agent.ran(former, 2);
    await stage.move(agent.first, 'suspend');
    const next = await agent.approve(DEARER, { rolloutPercentage: 5 });
    expect(await agent.state(next)).toMatchObject({ status: 'active', rollout: 'scheduled' });
    await agent.advance(next);
    const told = await eventsOf('agent.price_increase', stage.caller.workspaceId);
    expect(told.filter(({ data }) => data.agent === agent.name)).toHaveLength(1);
    expect((await agent.resolve('ses_1'))!.suspended).toBe(true);
    await stage.db.pool.query('update deployments set effective_at = now() where id = $1', [next]);
    // Nothing is to be compared with the suspended version: all get the new one.
    expect(await agent.advance(next)).toEqual({ waitMs: null });
    expect(await agent.resolve('ses_1')).toMatchObject({
      versionId: (await agent.state(next)).version,
      suspended: false,
    });
  });

  test('is cancelled by hand and by a suspension, and does not come back by a rollback', async () => {
    const agent = await stage.makePublished();
    const next = await agent.approve(DEARER);
    const { version } = await agent.state(next);
    await moveRollout(stage.db.write(agent.workspaceId), { deploymentId: next, move: 'roll_back', by: publisher });
    expect(await agent.advance(next)).toEqual({ waitMs: null });
    const { workspaceId, agentId } = agent;
    const order = { agentId, versionId: version, deploymentId: newId('dep'), by: publisher };
    expect(await rollBack(stage.db.write(workspaceId), order)).toEqual({ outcome: 'version_dearer' });
    const again = await agent.approve(DEARER);
    await stage.move(again, 'suspend');
    expect(await agent.advance(again)).toEqual({ waitMs: null });
  });
});
