import { afterAll, expect, test } from '@jest/globals';
import { resolveAgent } from '../../../db/agents/publicAgents.ts';
import { deleteAgent, deleteVersion } from '../../../db/publishing/deletions.ts';
import { insertAgent, readVersions } from '../../../db/publishing/publisherAgents.ts';
import { draft, publisher, setPublishingStage } from './publishingStage.ts';

type Stage = Awaited<ReturnType<typeof setPublishingStage>>;

const stage = await setPublishingStage();
afterAll(() => stage.close());

type Agent = Awaited<ReturnType<Stage['makeAgent']>>;

const remove = ({ workspaceId, agentId }: Pick<Agent, 'workspaceId' | 'agentId'>) =>
  deleteAgent(stage.db.write(workspaceId), { agentId, by: publisher });

const removeVersion = ({ workspaceId }: Agent, versionId: string) =>
  deleteVersion(stage.db.write(workspaceId), { versionId, by: publisher });

const versionsOf = async ({ workspaceId, agentId }: Agent) =>
  (await readVersions(stage.db.read(workspaceId), { agentId, before: null, limit: 10 }))?.versions ?? null;

const findPrivate = ({ name, workspaceId }: Agent) =>
  resolveAgent(stage.db.everywhere, { agent: name, version: null, visibility: 'private', workspaceId });

test('an agent that was never public is deleted: it is found nowhere, and its name is free', async () => {
  const agent = await stage.makeAgent();
  await agent.submit({ visibility: 'private' });
  expect(await findPrivate(agent)).toMatchObject({ agentId: agent.agentId });
  const stranger = await stage.makeAgent();
  expect(await remove({ ...agent, workspaceId: stranger.workspaceId })).toBe('not_found');
  expect([await remove(agent), await remove(agent)]).toEqual(['deleted', 'not_found']);
  expect(await agent.read()).toBeUndefined();
  expect(await findPrivate(agent)).toBeUndefined();
  expect(await versionsOf(agent)).toBeNull();
  const { workspaceId, namespace } = agent;
  const again = await insertAgent(stage.db.write(workspaceId), { namespace, slug: 'poet', draft });
  expect(again.outcome).toBe('created');
});

test('an agent that was public, or is in review, stays', async () => {
  const agent = await stage.makeAgent();
  const submitted = await agent.submitted();
  expect(await remove(agent)).toBe('in_review');
  await stage.move(submitted, 'approve');
  expect(await remove(agent)).toBe('published');
  await stage.move(submitted, 'suspend');
  expect(await remove(agent)).toBe('published');
});

test('a version that was never submitted is deleted unless private runs get it', async () => {
  const agent = await stage.makeAgent();
  await agent.submit({ visibility: 'private' });
  const [first] = (await versionsOf(agent))!;
  expect(await removeVersion(agent, first!.id)).toBe('in_use');
  await agent.submit({ visibility: 'private' });
  expect([await removeVersion(agent, first!.id), await removeVersion(agent, first!.id)]).toEqual([
    'deleted',
    'not_found',
  ]);
  expect((await versionsOf(agent))!.map(({ number }) => number)).toEqual([2]);
  await agent.submitted();
  const [submitted] = (await versionsOf(agent))!;
  expect([submitted!.number, await removeVersion(agent, submitted!.id)]).toEqual([3, 'submitted']);
  const change = stage.db.pool.query(`update agent_versions set label = 'x' where id = $1`, [first!.id]);
  await expect(change).rejects.toThrow('permission denied');
});
