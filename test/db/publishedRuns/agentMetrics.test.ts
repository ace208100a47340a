import { afterAll, expect, test } from '@jest/globals';
import { sumAgentHours, sumHoursOfAgents } from '../../../db/publishedRuns/agentHours.ts';
import { readAgentMetrics } from '../../../db/publishedRuns/agentMetrics.ts';
import { setTestDatabase } from '../../support/database.ts';
import { makeAgent } from './agentStage.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const DAY_MS = 86_400_000;

type Agent = Awaited<ReturnType<typeof makeAgent>>;

function metricsOf(
  { agentId, workspaceId }: Pick<Agent, 'agentId' | 'workspaceId'>,
  more: { days?: number; whose?: 'callers' | 'own' | 'all' } = {},
) {
  const { days = 30, whose = 'callers' } = more;
  const to = new Date(Date.now() + 60_000);
  const range = { agentId, workspaceId, from: new Date(to.getTime() - days * DAY_MS), to };
  return readAgentMetrics(db.everywhere, range, { whose, grain: 'day' });
}

async function endMany(agent: Agent): Promise<void> {
  for (const minutesAgo of [5, 90, 125, 26 * 60, 50 * 60]) {
    await agent.end(10, { minutesAgo, seconds: 2 });
    await agent.end(4, { minutesAgo, version: '2', seconds: 60, grossNanos: 5_000 });
    await agent.end(3, { minutesAgo, version: '2', status: 'failed', code: 'output_invalid', fault: 'agent' });
    await agent.end(2, { minutesAgo, status: 'limit_reached', code: 'timeout' });
    await agent.end(1, { minutesAgo, status: 'cancelled', code: 'words of a caller' });
  }
}

test('figures are the same whether their hours are summed or not', async () => {
  const agent = await makeAgent(db);
  await endMany(agent);
  const before = await metricsOf(agent);
  expect(before.total).toMatchObject({
    runs: 100,
    completed: 70,
    failed: 15,
    limitReached: 10,
    cancelled: 5,
    successRate: 70 / 95,
    grossNanos: 5n * (13n * 1_000n + 4n * 5_000n),
    errors: [
      { status: 'failed', code: 'output_invalid', fault: 'agent', runs: 15 },
      { status: 'limit_reached', code: 'timeout', fault: '', runs: 10 },
    ],
  });
  expect(before.versions.map(({ version, runs, failed }) => ({ version, runs, failed }))).toEqual(
    expect.arrayContaining([
      { version: '1', runs: 65, failed: 0 },
      { version: '2', runs: 35, failed: 15 },
    ]),
  );
  expect(await sumHoursOfAgents(db.everywhere, { budgetMs: 0 })).toBe(0);
  expect(await sumHoursOfAgents(db.everywhere)).toBeGreaterThan(0);
  const { rows } = await db.pool.query<{ count: number }>(
    'select sum(runs)::int as count from agent_hours where agent_id = $1',
    [agent.agentId],
  );
  expect(rows[0]!.count).toBeGreaterThanOrEqual(60);
  expect(await metricsOf(agent)).toEqual(before);
});

test('durations are known to within a fortieth', async () => {
  const agent = await makeAgent(db);
  for (let seconds = 1; seconds <= 100; seconds += 1) await agent.end(1, { seconds, minutesAgo: 200 });
  await sumAgentHours(db.everywhere, { ...agent, budgetMs: 60_000 });
  const { total } = await metricsOf(agent);
  expect(Math.abs(total.p50Seconds! / 50 - 1)).toBeLessThan(0.03);
  expect(Math.abs(total.p95Seconds! / 95 - 1)).toBeLessThan(0.03);
});

test('a range that begins within an hour counts the runs after it, and none before', async () => {
  const agent = await makeAgent(db);
  await agent.end(5, { minutesAgo: 24 * 60 - 10 });
  await agent.end(7, { minutesAgo: 24 * 60 + 10 });
  await sumAgentHours(db.everywhere, { ...agent, budgetMs: 60_000 });
  expect((await metricsOf(agent, { days: 1 })).total.runs).toBe(5);
});

test('own runs and those of callers are apart; trials of reviews and of test workspaces count nowhere', async () => {
  const agent = await makeAgent(db);
  await agent.end(3);
  await agent.end(2, { workspaceId: agent.workspaceId });
  await agent.end(4, { source: 'review' });
  await agent.end(5, { workspaceId: 'wst_other' });
  const runsOf = async (whose: 'callers' | 'own' | 'all') => (await metricsOf(agent, { whose })).total.runs;
  expect([await runsOf('callers'), await runsOf('own'), await runsOf('all')]).toEqual([3, 2, 5]);
});

test('concurrent sums count each run once, and another publisher reads none', async () => {
  const agent = await makeAgent(db);
  await endMany(agent);
  await Promise.all(Array.from({ length: 4 }, () => sumAgentHours(db.everywhere, { ...agent, budgetMs: 60_000 })));
  expect((await metricsOf(agent)).total.runs).toBe(100);
  const { rows } = await db.pool.query<{ text: string }>('select agent_hours::text as text from agent_hours');
  for (const { text } of rows) expect(text).not.toContain('caller');
  const other = await makeAgent(db);
  const foreign = await metricsOf({ agentId: agent.agentId, workspaceId: other.workspaceId });
  expect([foreign.total.runs, foreign.open, foreign.versions]).toEqual([0, 0, []]);
});

test('a refund counts with the version of its run', async () => {
  const agent = await makeAgent(db);
  await agent.end(2, { version: '1' });
  await agent.end(1, { version: '2' });
  const { rows } = await db.pool.query<{ id: string }>(`select id from runs where agent_id = $1 and version = '2'`, [
    agent.agentId,
  ]);
  const { workspaceId } = agent.caller;
  await db.pool.query(
    `insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, created_at)
     values (nextval('ledger_transaction_ids'), 1, 'revenue', $2, 'refund', $1, 1000, now()),
       (currval('ledger_transaction_ids'), 2, 'network_fee', null, 'refund contra', $1, -1000, now())`,
    [rows[0]!.id, workspaceId],
  );
  const { total, versions } = await metricsOf(agent);
  expect([total.refundedRuns, total.refundedNanos]).toEqual([1, 1_000n]);
  expect(versions.find(({ version }) => version === '2')).toMatchObject({ refundedRuns: 1, refundedNanos: 1_000n });
});
