import { afterAll, expect, test } from '@jest/globals';
import { findUpcoming } from '../../../db/agents/channels.ts';
import { findPublicAgentById, resolveAgent } from '../../../db/agents/publicAgents.ts';
import { moveChannel, readChannels, removeChannel } from '../../../db/publishing/channels.ts';
import { draft, publisher } from './publishingStage.ts';
import { setRolloutStage, type RolloutStage } from './rollout/rolloutStage.ts';

const stage = await setRolloutStage();
afterAll(() => stage.close());

type Agent = Awaited<ReturnType<RolloutStage['makePublished']>>;

const DEARER = { pricing: { ...draft.pricing, maximum_cost_usd: 2 } };

const point = ({ workspaceId, agentId }: Agent, versionId: string, name = 'beta') =>
  moveChannel(stage.db.everywhere, workspaceId, { agentId, name, versionId, by: publisher });

const channelsOf = async ({ workspaceId, agentId }: Agent) =>
  (await readChannels(stage.db.read(workspaceId), agentId))!.channels;

const get = async ({ name, workspaceId }: Agent, release: string) =>
  (
    await resolveAgent(stage.db.everywhere, {
      agent: `${name}@${release}`,
      version: null,
      visibility: 'public',
      workspaceId,
      sessionId: 'ses_1',
    })
  )?.versionId;

test('callers of a channel get its version, those of stable the default with its rollout', async () => {
  const agent = await stage.makePublished();
  const first = await agent.versionOf();
  const next = await agent.state(await agent.approve({ description: 'Better.' }, { rolloutPercentage: 50 }));
  expect(await get(agent, 'beta')).toBeUndefined();
  expect(await point(agent, next.version)).toEqual({ outcome: 'moved' });
  expect(await point(agent, next.version)).toEqual({ outcome: 'moved' });
  expect(await get(agent, 'beta')).toBe(next.version);
  expect(await get(agent, 'stable')).toBe(await agent.versionOf('ses_1'));
  expect(await get(agent, first)).toBe(first);
  expect(await point(agent, first)).toEqual({ outcome: 'moved' });
  expect(await channelsOf(agent)).toMatchObject([
    { name: 'beta', version: { id: first }, previousVersionId: next.version, next: null },
  ]);
  const moves = await stage.eventsOf('agent.channel_moved', agent.workspaceId, agent);
  expect(moves).toMatchObject([
    { channel: 'beta', from_version_id: null, version_id: next.version, active_from: null },
    { channel: 'beta', from_version_id: next.version, version_id: first, active_from: null },
  ]);
  const audited = await stage.db.pool.query(
    `select action, detail from audit_entries where subject_id = $1 and action like '%channel' order by created_at, id`,
    [agent.agentId],
  );
  expect(audited.rows.map(({ action }) => action)).toEqual(['move_channel', 'move_channel']);
});

test('a dearer version is scheduled: the callers of the channel are told, and get it when the notice is over', async () => {
  const agent = await stage.makePublished();
  const former = await agent.versionOf();
  await point(agent, former);
  await agent.ran(former, 1);
  const { version } = await agent.state(await agent.approve(DEARER));
  expect(await point(agent, version)).toEqual({ outcome: 'moved' });
  expect(await get(agent, 'beta')).toBe(former);
  const [waiting] = await channelsOf(agent);
  expect(waiting).toMatchObject({ version: { id: former }, next: { version: { id: version } } });
  expect(Math.round((waiting!.next!.at.getTime() - Date.now()) / 86_400_000)).toBe(14);
  const told = await stage.eventsOf('agent.price_increase', stage.caller.workspaceId, agent);
  expect(told).toMatchObject([{ agent: `${agent.name}@beta`, ...DEARER.pricing }]);
  const shown = (await findPublicAgentById(stage.db.everywhere, agent))!;
  expect(shown.channels).toMatchObject([{ name: 'beta', versionId: former, upcoming: { versionId: version } }]);
  const upcoming = (release: string) =>
    findUpcoming(stage.db.everywhere, agent.agentId, { agent: agent.name + release });
  expect((await upcoming('@beta'))?.versionId).toBe(version);
  expect((await upcoming(''))?.versionId).toBe(version);
  expect(await upcoming(`@${former}`)).toBeNull();

  await stage.db.pool.query('update agent_channels set next_at = now() where agent_id = $1', [agent.agentId]);
  expect(await get(agent, 'beta')).toBe(version);
  expect(await channelsOf(agent)).toMatchObject([{ version: { id: version }, previousVersionId: former, next: null }]);
  // Cheaper at once. A removed channel comes back at its old price, or waits.
  await point(agent, former);
  expect(await get(agent, 'beta')).toBe(former);
  const { workspaceId, agentId } = agent;
  const remove = () => removeChannel(stage.db.everywhere, workspaceId, { agentId, name: 'beta', by: publisher });
  expect([await remove(), await remove()]).toEqual(['removed', 'no_channel']);
  expect(await get(agent, 'beta')).toBeUndefined();
  await point(agent, version);
  expect(await get(agent, 'beta')).toBe(former);
});

test('takes approved versions of the own agent alone', async () => {
  const [agent, other] = [await stage.makePublished(), await stage.makePublished()];
  const submitted = await agent.submitted();
  const { version } = await agent.state(submitted);
  expect(await point(agent, version)).toEqual({ outcome: 'not_approved' });
  expect(await point(agent, await other.versionOf())).toEqual({ outcome: 'version_not_found' });
  const stolen = { ...agent, workspaceId: other.workspaceId };
  expect(await point(stolen, await agent.versionOf())).toEqual({ outcome: 'not_found' });
  await point(agent, await agent.versionOf());
  await stage.move(agent.first, 'suspend');
  expect(await point(agent, (await agent.state(agent.first)).version, 'gamma')).toEqual({
    outcome: 'version_suspended',
  });
  expect(await findPublicAgentById(stage.db.everywhere, agent)).toBeUndefined();
});
