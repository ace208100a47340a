import { afterAll, expect, test } from '@jest/globals';
import type { RunObject } from '../../../db/runs/runObject.ts';
import type { RunRow } from '../../../db/runs/runRow.ts';
import type { AgentBody, DeploymentBody } from '../../api/publisher/publisherStage.ts';
import { balanceOf } from '../../support/account.ts';
import { readEvents } from '../../support/streams.ts';
import { until } from '../../support/until.ts';
import { APPROVED_AT, QUESTION, RATES, setResearchStage, TURNS } from './researchStage.ts';

const patient = { timeoutMs: 300_000, pollMs: 50 };
const user = 'reader-7';
const metadata = { project: 'moon' };
const sunset_at = '2099-01-31T00:00:00Z';
const message = 'The library has closed.';
const leaving = new AbortController();
let agent: AgentBody & { name: string };
/** The publisher's routes of the agent. */
let path: string;
let first: DeploymentBody;
let second: DeploymentBody;
let runId: string;
let spentNanos: bigint;

const stage = await setResearchStage();
afterAll(() => {
  leaving.abort();
  return stage.close();
});

/** A request of the caller. */
const asCaller = <T = RunObject>(route: string, status: number, asked: object = {}): Promise<T> =>
  stage.read<T>(stage.call(route, { key: stage.stranger.secret, ...asked }), status);
const asPublisher = <T = Record<string, unknown>>(route: string, status: number, asked: object = {}): Promise<T> =>
  stage.read<T>(stage.call(route, asked), status);

const readRun = (id: string) => asCaller(`/v1/runs/${id}`, 200);
const answer = (id: string, body: object) => asCaller(`/v1/runs/${id}/input`, 202, { body });
const untilStatus = (id: string, status: string) =>
  until(async () => (await readRun(id)).status === status, patient).catch(async (error: unknown) => {
    throw new Error(`${status} was expected of ${JSON.stringify(await readRun(id))}`, { cause: error });
  });
const patchDraft = (changes: object, revision: number) =>
  asPublisher<AgentBody>(`${path}/draft`, 200, {
    method: 'PATCH',
    headers: { 'if-match': `"draft-${revision}"` },
    body: changes,
  });

/** Submits the draft; an operator approves it. */
async function release(revision: number, decision: object = {}): Promise<DeploymentBody> {
  const submitted = await stage.read<DeploymentBody>(stage.submit(agent.id, revision), 200);
  expect(await stage.checked(submitted.id)).toMatchObject({ status: 'in_review' });
  return stage.read<DeploymentBody>(stage.decide(submitted.id, 'approve', decision), 200);
}

test('an evaluation set is red on a bad draft and green on the good one, which is published', async () => {
  agent = await stage.makeAgent({ ...stage.researcher, instructions: 'You research with your tools. Be brief.' });
  path = `/v1/publisher/agents/${agent.id}`;
  await asPublisher(`${path}/http_tools/secret`, 200, { method: 'POST' });
  const cited = { type: 'string_check', operation: 'contains', reference: '[1]' };
  const cases = [{ name: 'Cites', input: 'Is there water on the moon?', checks: [cited] }];
  await asPublisher(`${path}/evaluation-set`, 200, { method: 'PUT', body: { cases } });
  const evaluate = () => asPublisher(`${path}/evaluation-runs`, 200, { body: {}, headers: { prefer: 'wait=60' } });
  expect(await evaluate()).toMatchObject({ status: 'failed', result_counts: { failed: 1 } });
  await patchDraft({ instructions: stage.researcher.instructions }, 1);
  expect(await evaluate()).toMatchObject({ status: 'passed', result_counts: { passed: 1 } });
  first = await release(2);
  expect(first).toMatchObject({ status: 'active' });
});

test('the next version is in the channel beta, before it is the default', async () => {
  await patchDraft({ max_steps: 300, requires_approval: ['order_paper'] }, 2);
  second = await release(3, { rollout_percentage: 5 });
  const beta = { body: { version_id: second.version_id }, method: 'PUT' };
  expect(await asPublisher(`${path}/channels/beta`, 200, beta)).toMatchObject({ status: 'active' });
  expect(await asPublisher(`${path}/channels`, 200)).toMatchObject({
    data: [
      { name: 'stable', version_id: first.version_id },
      { name: 'beta', version_id: second.version_id },
    ],
  });
});

interface Seen {
  id: string;
  type: string;
}

/** Reads the events of a run to its end, on new connections when one breaks. */
async function follow(id: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (;;) {
    const headers = {
      authorization: `Bearer ${stage.stranger.secret}`,
      accept: 'text/event-stream',
      ...(seen.length > 0 && { 'last-event-id': seen.at(-1)!.id }),
    };
    try {
      const response = await fetch(`${stage.url()}/v1/runs/${id}/events?include=steps,cost`, {
        headers,
        signal: leaving.signal,
      });
      if (response.status === 204) return seen;
      for await (const event of readEvents(response)) seen.push({ id: event.id, type: event.type });
    } catch (error) {
      if (leaving.signal.aborted) throw error;
      const isUp = () =>
        fetch(`${stage.url()}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until(isUp, patient);
    }
  }
}

/** The same events as a list. */
async function listEvents(id: string): Promise<Seen[]> {
  const all: Seen[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = `include=steps,cost&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: { data: Seen[]; next_cursor: string | null } = await asCaller(`/v1/runs/${id}/events?${query}`, 200, {
      headers: { accept: 'application/json' },
    });
    all.push(...page.data.map(({ id: eventId, type }) => ({ id: eventId, type })));
    cursor = page.next_cursor;
  }
  return all;
}

test('a run of 200 steps asks for a form and two approvals, and outlives kills of API, worker and Temporal', async () => {
  const { name } = agent;
  const before = await balanceOf(stage.db, stage.stranger.workspaceId);
  const concurrency = { key: 'team-1', limit: 1 };
  const body = { agent: `${name}@beta`, input: QUESTION, user, metadata, concurrency, state: { turn: 0 } };
  const ordered = await asCaller('/v1/runs', 202, { body });
  runId = ordered.id;
  expect(ordered).toMatchObject({ version_id: second.version_id });
  const following = follow(runId);
  await untilStatus(runId, 'requires_action');
  const waiting = await asCaller('/v1/runs', 202, { body: { ...body, user: 'reader-8', metadata: {} } });
  expect(await readRun(waiting.id)).toMatchObject({ queue: { waits_for: 'concurrency', position: 1, key: 'team-1' } });
  await asCaller(`/v1/runs/${waiting.id}/cancel`, 202, { body: {} });

  expect(await readRun(runId)).toMatchObject({ required_actions: [{ type: 'form', question: 'How deep?' }] });
  await answer(runId, { type: 'form', data: { papers: 5 } });
  await untilAsked('order_paper', APPROVED_AT[0]!);
  await answer(runId, { type: 'tool_approval', decision: 'approve' });
  for (const [at, victim] of [
    [40, 'worker'],
    [70, 'Temporal'],
  ] as const) {
    await untilSteps(at);
    await stage.victims[victim].kill();
    await stage.victims[victim].start();
  }
  await untilAsked('order_paper', APPROVED_AT[1]!);
  await stage.victims.API.kill();
  await stage.victims.API.start();
  await answer(runId, { type: 'tool_approval', decision: 'approve', arguments: { title: 'Another paper' } });
  for (const [at, victim] of [
    [130, 'API'],
    [160, 'worker'],
  ] as const) {
    await untilSteps(at);
    await stage.victims[victim].kill();
    await stage.victims[victim].start();
  }
  const events = await following;
  expect(await readRun(runId)).toMatchObject({
    status: 'completed',
    output: [{ text: expect.stringMatching(/\[1\]$/) }],
  });
  expect(events).toEqual(await listEvents(runId));
  await stage.expectQuietSoon();
  spentNanos = before - (await balanceOf(stage.db, stage.stranger.workspaceId));
}, 900_000);

const untilSteps = (count: number) => until(async () => (await readSteps()).done >= count, patient);

async function untilAsked(tool: string, turn: number): Promise<void> {
  await until(async () => {
    const { status, required_action: action } = await readRun(runId);
    return status === 'requires_action' && (action as { type: string }).type === 'tool_approval';
  }, patient);
  const action = {
    type: 'tool_approval',
    name: tool,
    arguments: { title: `Paper ${turn}` },
    expected_cost_usd: 0.000100003,
  };
  expect(await readRun(runId)).toMatchObject({ required_actions: [action] });
}

async function readSteps() {
  const { rows } = await stage.db.pool.query(STEPS, [runId]);
  return rows[0] as { models: number; tools: number; summaries: number; done: number; last: number };
}

test('each step is made once, and the bill is the sum of all meters at their prices', async () => {
  const { models, tools, summaries, done, last } = await readSteps();
  expect({ models, tools }).toEqual({ models: TURNS, tools: TURNS - 1 });
  expect(summaries).toBeGreaterThan(0);
  expect([last, done]).toEqual([models + tools + summaries, last]);
  const own = [...stage.calls.values()].map(({ tool, arguments: { title } }) => `${tool} ${String(title)}`);
  const found = Array.from({ length: TURNS - 1 }, (_, turn) => turn)
    .filter((turn) => turn % 5 === 1 && !APPROVED_AT.includes(turn))
    .map((turn) => `find_paper Paper ${turn}`);
  expect(own.toSorted()).toEqual([...found, 'order_paper Another paper', 'order_paper Paper 1'].toSorted());

  const run = (await stage.db.pool.query('select * from runs where id = $1', [runId])).rows[0] as RunRow;
  const { rows: meters } = await stage.db.pool.query(METERS, [runId]);
  const quantities = new Map(
    (meters as { meter: string; sum: string }[]).map(({ meter, sum }) => [meter, BigInt(sum)]),
  );
  expect([...quantities.keys()].toSorted()).toEqual(RATES.map(({ meter }) => meter).toSorted());
  const picos = RATES.reduce((sum, { meter, picos: price }) => sum + quantities.get(meter)! * price, 0n);
  expect(BigInt(run.subtotal_nanos)).toBe((picos + 500_000n) / 1_000_000n);
  const { total_usd: totalUsd, subtotal_usd: subtotalUsd, network_fee_usd: feeUsd } = (await readRun(runId)).usage;
  expect([subtotalUsd, totalUsd]).toEqual([Number(run.subtotal_nanos) / 1e9, Number(run.total_nanos) / 1e9]);
  expect(Math.round((subtotalUsd + feeUsd) * 1e9)).toBe(Number(run.total_nanos));
  expect(BigInt(run.total_nanos)).toBe(spentNanos);
});

test('it is found by its metadata and user; state and memory are kept', async () => {
  for (const query of ['metadata[project]=moon', `user=${user}`, 'status=completed'])
    expect(await asCaller(`/v1/runs?${query}`, 200)).toMatchObject({ data: [{ id: runId, metadata }] });
  const { session_id: sessionId } = await readRun(runId);
  expect(await asCaller(`/v1/sessions/${sessionId}/state`, 200)).toMatchObject({ state: { turn: TURNS - 4 } });
  const memories = await asCaller<{ data: object[] }>(`/v1/memories?user=${user}&limit=100`, 200);
  expect(memories.data).toHaveLength((TURNS - 1) / 5);
});

test('its publisher sees how it went, and its content once it is shared', async () => {
  const trace = `${path}/runs/${runId}`;
  const texts = async () => JSON.stringify([await asPublisher(trace, 200), await asPublisher(`${trace}/steps`, 200)]);
  expect(await texts()).not.toMatch(/moon|Another paper|How deep|reader-7/);
  expect(await asPublisher(trace, 200)).toMatchObject({ status: 'completed', version_id: second.version_id });
  await asCaller(`/v1/runs/${runId}/share`, 200, { body: { days: 7 } });
  expect(await texts()).toContain(QUESTION);
  const { data } = await asPublisher<{ data: object[] }>(`${path}/runs`, 200);
  expect(data).toMatchObject([{ id: runId, content_access: 'shared' }, { status: 'cancelled' }]);
});

test('the version becomes the default; the agent is deprecated and taken down, and a running run ends', async () => {
  await asPublisher(`/v1/publisher/deployments/${second.id}/promote`, 200, { method: 'POST' });
  expect(await asPublisher(`${path}/channels`, 200)).toMatchObject({ data: [{ version_id: second.version_id }, {}] });
  const order = (name: string, input = 'Is there water?') =>
    stage.call('/v1/runs', { key: stage.stranger.secret, body: { agent: name, input } });
  const open = await stage.read<RunObject>(order(agent.name, 'Wait for me.'), 202);
  await untilStatus(open.id, 'requires_action');

  await asPublisher(`${path}/deprecate`, 200, { body: { sunset_at, message: 'It moves.' } });
  const late = await order(`${agent.name}@beta`);
  expect([late.status, late.headers.get('sunset')]).toEqual([202, new Date(sunset_at).toUTCString()]);
  await untilStatus(((await late.json()) as RunObject).id, 'completed');

  await asPublisher(`${path}/take-down`, 200, { body: { message } });
  for (const name of [agent.name, `${agent.name}@beta`]) {
    const refused = await order(name);
    const error = { code: 'agent_taken_down', message: expect.stringContaining(message) };
    expect([refused.status, await refused.json()]).toMatchObject([409, { error }]);
  }
  await answer(open.id, { type: 'form', data: { papers: 1 } });
  await untilStatus(open.id, 'completed');
  expect(stage.crashes()).toEqual([]);
  await stage.expectQuietSoon();
});

const STEPS = `
select count(*) filter (where kind = 'model')::int as models, count(*) filter (where kind not in ('model', 'compaction'))::int as tools,
  count(*) filter (where kind = 'compaction')::int as summaries, count(*) filter (where state = 'completed')::int as done,
  max(step) as last
from run_steps where run_id = $1`;

const METERS = `
select meter, sum(quantity_thousandths) as sum from (
  select step, meter, max(quantity_thousandths) as quantity_thousandths from run_meters where run_id = $1 group by step, meter) by_step
group by meter`;
