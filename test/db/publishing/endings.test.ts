import { afterAll, expect, test } from '@jest/globals';
import { findPublicAgentById, listPublicAgents, resolveAgent } from '../../../db/agents/publicAgents.ts';
import { deprecate, restore, takeDown, undeprecate } from '../../../db/publishing/endings.ts';
import { newId } from '../../../db/ids.ts';
import { publisher } from './publishingStage.ts';
import { setRolloutStage, type RolloutStage } from './rollout/rolloutStage.ts';

const stage = await setRolloutStage();
afterAll(() => stage.close());

type Agent = Awaited<ReturnType<RolloutStage['makePublished']>>;

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Math.ceil(Date.now() / 1000) * 1000 + days * DAY_MS);

const down = ({ workspaceId, agentId }: Agent, message = 'A source is gone.') =>
  takeDown(stage.db.everywhere, workspaceId, { agentId, message, by: publisher });

const end = ({ workspaceId, agentId }: Agent, days: number, more: { successor?: string; message?: string } = {}) =>
  deprecate(stage.db.everywhere, workspaceId, {
    agentId,
    sunsetAt: inDays(days),
    successor: null,
    message: null,
    by: publisher,
    ...more,
  });

const endingOf = async ({ name }: Agent) =>
  (await resolveAgent(stage.db.everywhere, {
    agent: name,
    version: null,
    visibility: 'public',
    workspaceId: stage.caller.workspaceId,
  }))!.ending;

const all = { search: null, category: null, maximumCostUsd: null, sort: 'newest' as const, offset: 0, limit: 100 };
const isListed = async ({ name }: Agent) =>
  (await listPublicAgents(stage.db.everywhere, all)).agents.some(({ id }) => id === name);

async function schedule({ name }: Agent, workspaceId: string, release = ''): Promise<string> {
  const id = newId('sched');
  await stage.db.pool.query(
    `insert into schedules (id, workspace_id, key_id, run, every_seconds, timezone, jitter_seconds, overlap, catchup_window_seconds, pause_after_misses)
     values ($1, $2, 'key_s', $3, 3600, 'UTC', 0, 'skip', 60, 3)`,
    [id, workspaceId, JSON.stringify({ agent: name + release, visibility: 'public', input: 'Go.' })],
  );
  return id;
}

test('a take-down tells callers and owners of schedules once, pauses the schedules, and is undone', async () => {
  const agent = await stage.makePublished();
  const other = await stage.makePublished();
  await agent.ran(await agent.versionOf(), 2);
  const paused = [
    await schedule(agent, stage.caller.workspaceId),
    await schedule(agent, other.workspaceId, '@2026-01-01'),
  ];
  const untouched = await schedule(other, stage.caller.workspaceId);
  expect(await down(agent)).toEqual({ outcome: 'done' });
  expect(await down(agent)).toEqual({ outcome: 'done' });
  expect(await down(agent, 'Two sources are gone.')).toEqual({ outcome: 'done' });
  for (const workspaceId of [stage.caller.workspaceId, other.workspaceId, agent.workspaceId])
    expect(await stage.eventsOf('agent.taken_down', workspaceId, agent)).toEqual([
      { agent: agent.name, message: 'A source is gone.' },
    ]);
  const { rows } = await stage.db.pool.query<{ id: string; reason: string | null; note: string | null }>(
    'select id, pause_reason as reason, pause_note as note from schedules where id = any ($1)',
    [[...paused, untouched]],
  );
  const reasons = new Map(rows.map(({ id, reason }) => [id, reason]));
  expect([...paused, untouched].map((id) => reasons.get(id))).toEqual(['agent', 'agent', null]);
  expect(rows.find(({ id }) => id === paused[0])!.note).toContain('A source is gone.');
  expect(await endingOf(agent)).toMatchObject({ takenDownMessage: 'Two sources are gone.', deprecatedAt: null });
  expect(await isListed(agent)).toBe(false);
  expect((await findPublicAgentById(stage.db.everywhere, agent))!.ending).not.toBeNull();

  const { workspaceId, agentId } = agent;
  const back = () => restore(stage.db.everywhere, workspaceId, { agentId, by: publisher });
  expect([await back(), await back()]).toEqual([{ outcome: 'done' }, { outcome: 'done' }]);
  expect(await endingOf(agent)).toBeNull();
  expect(await isListed(agent)).toBe(true);
  expect(await stage.eventsOf('agent.restored', stage.caller.workspaceId, agent)).toHaveLength(1);
  const audited = await stage.db.pool.query(
    `select action from audit_entries where subject_id = $1 and subject_type = 'agent' order by created_at, id`,
    [agentId],
  );
  expect(audited.rows.map(({ action }) => action)).toEqual(['take_down', 'take_down', 'restore']);
});

test('a deprecation needs its notice, tells of each date once, and retires the agent', async () => {
  const agent = await stage.makePublished();
  await agent.ran(await agent.versionOf(), 1);
  expect(await end(agent, 13)).toMatchObject({ outcome: 'too_early' });
  const successor = 'acme/better';
  expect(await end(agent, 20, { successor })).toEqual({ outcome: 'done' });
  expect(await endingOf(agent)).toMatchObject({ isRetired: false, successor, takenDownAt: null });
  expect(await isListed(agent)).toBe(true);
  expect(await end(agent, 40, { successor, message: 'Later.' })).toEqual({ outcome: 'done' });
  const told = await stage.eventsOf('agent.deprecated', stage.caller.workspaceId, agent);
  expect(told).toMatchObject([{ agent: agent.name, successor }, { message: 'Later.' }]);
  await stage.db.pool.query('update agents set sunset_at = now() where id = $1', [agent.agentId]);
  expect(await endingOf(agent)).toMatchObject({ isRetired: true, deprecationMessage: 'Later.' });
  expect(await isListed(agent)).toBe(false);
  const { workspaceId, agentId } = agent;
  expect(await undeprecate(stage.db.everywhere, workspaceId, { agentId, by: publisher })).toEqual({ outcome: 'done' });
  expect(await endingOf(agent)).toBeNull();
});

test('only the publisher ends an agent, and only a public one', async () => {
  const [agent, other] = [await stage.makePublished(), await stage.makePublished()];
  expect(await down({ ...agent, workspaceId: other.workspaceId })).toEqual({ outcome: 'not_found' });
  expect(await endingOf(agent)).toBeNull();
  const unpublished = await stage.makeAgent();
  const order = { agentId: unpublished.agentId, message: 'No.', by: publisher };
  expect(await takeDown(stage.db.everywhere, unpublished.workspaceId, order)).toEqual({ outcome: 'not_public' });
});
