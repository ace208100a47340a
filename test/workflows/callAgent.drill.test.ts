import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../db/ids.ts';
import { childRunIdOf } from '../../db/runs/childRuns.ts';
import { answerActions } from '../../db/runs/waiting/answerActions.ts';
import { listSteps } from '../../db/runs/steps/readSteps.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { HoldRefused } from '../../db/ledger/ledger.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { newAgentSlug, publishAgent } from '../support/agent.ts';
import { expectSoundLedger, openHoldsOf } from '../support/ledger.ts';
import { setSandboxedRunStage, type RunSetup } from '../support/runStage.ts';
import { calling, childOf, childScenarios, makeCaller, pricing, publish } from './childScenarios.ts';
import { answer, ask } from './scenarios.ts';

const stage = await setSandboxedRunStage();
afterAll(() => stage.close());

async function endOf(run: RunRow): Promise<RunRow> {
  await stage.workflows.start(run);
  return stage.endOf(run.id);
}

const spentByAll = async (runs: RunRow[]) => {
  const { rows } = await stage.db.pool.query<{ spent: string }>(
    `select coalesce(sum(-amount_nanos), 0) as spent from ledger_entries where kind = 'debit' and subject = any ($1)`,
    [runs.map(({ id }) => id)],
  );
  return BigInt(rows[0]!.spent);
};

test('the run of a called agent is billed as its own, and shown in the step that called it', async () => {
  const run = await childScenarios.agentCalled!.play(stage);
  const child = await childOf(stage, run);
  expect(stage.upstream.lastMessages().at(-1)).toMatchObject({ role: 'tool', content: 'Blue.' });
  expect(child).toMatchObject({
    status: 'completed',
    source: 'agent',
    depth: 1,
    parent_run_id: run.id,
    workspace_id: run.workspace_id,
  });
  expect(BigInt(child.total_nanos)).toBeGreaterThan(0n);
  expect(run.children_nanos).toBe(child.total_nanos);
  expect(await spentByAll([run, child])).toBe(BigInt(run.total_nanos) + BigInt(child.total_nanos));
  const { rows } = await listSteps(stage.db.read(run.workspace_id), run.id, { after: null, limit: 10 });
  expect(rows.map(({ name, child: called }) => [name, called?.id ?? null])).toEqual([
    [expect.any(String), null],
    ['call_agent', child.id],
    [expect.any(String), null],
  ]);
  await expectSoundLedger(stage.db);
});

test('a called agent costs at most what is left of the run, and what it does not spend comes back', async () => {
  const long = 'word '.repeat(400);
  const run = await makeCaller(
    stage,
    (called) => ({ turns: [calling(called, { text: long }, { max_cost_usd: 0.001 }), { text: 'Enough.' }] }),
    { maxCostUsd: 0.01 },
  );
  const ended = await endOf(run);
  const child = await childOf(stage, run);
  expect(child).toMatchObject({ status: 'limit_reached', max_cost_nanos: '1000000' });
  expect(ended.status).toBe('completed');
  const { total_nanos, children_nanos, held_nanos, max_cost_nanos } = ended;
  expect(BigInt(held_nanos) + BigInt(children_nanos)).toBe(BigInt(max_cost_nanos));
  expect(BigInt(total_nanos) + BigInt(children_nanos)).toBeLessThanOrEqual(BigInt(max_cost_nanos));
  await expectSoundLedger(stage.db);
});

test('an agent that a trial of a review calls costs what the platform pays, and its publisher earns nothing', async () => {
  const run = await makeCaller(
    stage,
    (called) => ({ turns: [calling(called, { text: 'Blue.' }), { text: 'It is blue.' }] }),
    { source: 'review' },
  );
  expect(await endOf(run)).toMatchObject({ status: 'completed' });
  const child = await childOf(stage, run);
  expect(child).toMatchObject({ status: 'completed', source: 'review', publisher_workspace_id: run.workspace_id });
  expect(child.rate_card).toMatchObject({ minimum_cost_usd: 0, network_fee_percentage: 0 });
  for (const { price_usd, platform_cost_usd } of child.rate_card.meters) expect(price_usd).toBe(platform_cost_usd);
  await expectSoundLedger(stage.db);
});

test('a rerun from the call of an agent calls it anew, and one from the step after reuses its answer', async () => {
  const run = await childScenarios.agentCalled!.play(stage);
  const child = await childOf(stage, run);
  const script = { turns: [calling(child.agent, { text: 'Green.' }), { text: 'So it is.' }] };
  const account = { workspaceId: run.workspace_id, keyId: run.key_id, accountId: run.account_id };
  const again = (fromStep: number) =>
    stage.runToEnd({ published: run.agent, visibility: 'public', account, script, rerun: { runId: run.id, fromStep } });
  const [anew, reused] = [await again(2), await again(3)];
  expect(anew).toMatchObject({ status: 'completed', children_nanos: child.total_nanos });
  expect(reused).toMatchObject({ status: 'completed', children_nanos: '0', output: [{ text: 'So it is.' }] });
  expect(stage.upstream.lastMessages().at(-1)).toMatchObject({ role: 'tool', content: 'Blue.' });
});

test('a called agent that fails costs nothing, and the model reads why', async () => {
  const ended = await endOf(
    await makeCaller(stage, (called) => ({ turns: [calling(called, { status: 400 }), { text: 'It failed.' }] })),
  );
  expect(ended).toMatchObject({ status: 'completed', children_nanos: '0' });
  expect(stage.upstream.lastMessages().at(-1)).toMatchObject({
    content: expect.stringMatching(/^Error: The agent .* failed/),
  });
});

test('an answer of a called agent that is cut within a character is read', async () => {
  const faces = (length: number) => `${'x'.repeat(length % 2)}${'😀'.repeat(300)}`;
  const scriptOf = (called: string) => {
    const text = faces(501 - `The agent ${called} ended as limit_reached (cost). `.length);
    return { turns: [calling(called, { text, chunks: 300 }, { max_cost_usd: 0.0033 }), { text: 'Enough.' }] };
  };
  const run = await makeCaller(stage, scriptOf, { maxCostUsd: 0.05 });
  expect(await endOf(run)).toMatchObject({ status: 'completed' });
  const child = await childOf(stage, run);
  expect(child.status).toBe('limit_reached');
  expect(stage.upstream.lastMessages().at(-1)).toMatchObject({ content: expect.stringContaining('😀'.repeat(250)) });
});

test('a run that fails after a call says that the called agent was billed', async () => {
  const run = await makeCaller(stage, (called) => ({ turns: [calling(called, { text: 'Blue.' }), { status: 400 }] }));
  const ended = await endOf(run);
  const child = await childOf(stage, run);
  expect(ended).toMatchObject({ status: 'failed', total_nanos: '0', children_nanos: child.total_nanos });
  expect(await spentByAll([run, child])).toBe(BigInt(child.total_nanos));
  expect(ended.error).toMatchObject({
    message: 'The model refused the request. Only the agents that it called were billed.',
  });
});

test('a run is warned when it and the agents that it called have used four fifths of its limit', async () => {
  const run = await makeCaller(
    stage,
    (called) => ({ turns: [calling(called, { text: 'word '.repeat(120) }), { text: 'Enough.' }] }),
    { maxCostUsd: 0.004 },
  );
  const ended = await endOf(run);
  expect(BigInt(ended.total_nanos) * 5n).toBeLessThan(BigInt(ended.max_cost_nanos) * 4n);
  const warnings = (await stage.eventsOf(run.id)).filter(({ type }) => type === 'run.budget.warning');
  expect(warnings).toHaveLength(1);
  const { total_usd: totalUsd } = warnings[0]!.data as { total_usd: number };
  expect(nanosOfUsd(totalUsd)).toBeGreaterThan(BigInt(ended.children_nanos));
  expect(nanosOfUsd(totalUsd)).toBeLessThanOrEqual(BigInt(ended.max_cost_nanos));
});

test('a called agent with the rehearsal model costs nothing', async () => {
  const workspaceId = newId('ws');
  const called = await publishAgent(stage.db, { pricing, model: 'ledgerline-rehearsal' }, { workspaceId });
  const published = await publish(stage, [called]);
  const script = { turns: [calling(called, { text: 'Blue.' }), { text: 'It is blue.' }] };
  const run = await stage.runToEnd({ published, visibility: 'public', script });
  expect(await childOf(stage, run)).toMatchObject({ status: 'completed', rehearsed: true, total_nanos: '0' });
  expect(run).toMatchObject({ rehearsed: false, children_nanos: '0', output: [{ text: 'It is blue.' }] });
});

test('an agent that was not granted, or does not exist, is not called', async () => {
  for (const name of ['test/other', 'none']) {
    const run = await makeCaller(stage, () => ({ turns: [calling(name, { text: 'No.' }), { text: 'Done.' }] }));
    expect(await endOf(run)).toMatchObject({ status: 'completed' });
    expect(stage.upstream.lastMessages().at(-1)).toMatchObject({
      content: expect.stringMatching(/^Error: Agents that can be called: test\//),
    });
    expect(await childOf(stage, run)).toBeUndefined();
  }
});

test('an agent that calls itself without end stops within the limit of the first run', async () => {
  const slug = newAgentSlug();
  const self = await publish(stage, [`test/${slug}`], slug);
  stage.upstream.script({
    toolCalls: [{ name: 'call_agent', arguments: JSON.stringify({ agent: self, input: 'Again.' }) }],
  });
  const run = await stage.makeRun({ published: self, visibility: 'public', input: 'Begin.', maxCostUsd: 0.02 });
  const ended = await endOf(run);
  stage.upstream.script({});
  expect(ended.status).toBe('limit_reached');
  // What the called agents cost counts in both.
  const { value, used } = ended.limit as { value: number; used: number };
  expect([value, nanosOfUsd(used)]).toEqual([0.02, BigInt(ended.total_nanos) + BigInt(ended.children_nanos)]);
  const { rows } = await stage.db.pool.query<RunRow>('select * from runs where workspace_id = $1', [run.workspace_id]);
  expect(Math.max(...rows.map(({ depth }) => depth))).toBe(3);
  expect(rows.every(({ settled_at }) => settled_at !== null)).toBe(true);
  const spent = await spentByAll(rows);
  expect(spent).toBeLessThanOrEqual(20_000_000n);
  expect(spent).toBe(BigInt(ended.total_nanos) + BigInt(ended.children_nanos));
  await expectSoundLedger(stage.db);
});

describe('a run that waits for its caller after a call', () => {
  afterEach(() => stage.upstream.script({}));

  /** A run that waits after its first call of an agent. */
  async function untilWaiting(called: string, wish: RunSetup): Promise<RunRow> {
    const agent = { pricing, agents: [called], tools: ['ask_user'] };
    const published = await publishAgent(stage.db, agent, { workspaceId: newId('ws') });
    const run = await stage.makeRun({ published, visibility: 'public', creditUsd: '1', ...wish });
    await stage.workflows.start(run);
    await stage.untilEvent(run.id, 'run.requires_action');
    return stage.readRun(run.id);
  }

  /** A run that waits for a higher limit, and then calls the agent again. */
  async function untilAtLimit(): Promise<RunRow> {
    const called = await publish(stage);
    // The turn after a raised limit has no input of its own, so the script is the upstream's.
    const turns = [calling(called, { turns: [{ text: 'Blue.' }] }), { text: 'word '.repeat(400) }];
    stage.upstream.script({ turns });
    return untilWaiting(called, { input: 'Begin.', maxCostUsd: 0.005, onLimit: 'pause' });
  }

  const childrenOf = async ({ id }: RunRow): Promise<RunRow[]> =>
    (await stage.db.pool.query('select * from runs where parent_run_id = $1 order by parent_step', [id])).rows;

  /** The run and both children kept the limit, and each cent of it is spent once or free again. */
  async function expectSpent(ended: RunRow, limitNanos: bigint): Promise<void> {
    expect(ended.status).toBe('completed');
    const children = await childrenOf(ended);
    expect(children.map(({ status }) => status)).toEqual(['completed', 'completed']);
    const [ownNanos, childNanos] = [BigInt(ended.total_nanos), BigInt(ended.children_nanos)];
    expect(childNanos).toBe(children.reduce((sum, { total_nanos }) => sum + BigInt(total_nanos), 0n));
    expect([BigInt(ended.max_cost_nanos), BigInt(ended.held_nanos) + childNanos]).toEqual([limitNanos, limitNanos]);
    expect(ownNanos + childNanos).toBeLessThanOrEqual(limitNanos);
    expect(await spentByAll([ended, ...children])).toBe(ownNanos + childNanos);
    expect(await openHoldsOf(stage.db, ended.account_id)).toEqual({ nanos: 0n, count: 0 });
    await expectSoundLedger(stage.db);
  }

  test('holds what it has consumed itself, and after its answer all that the limit has left', async () => {
    const called = await publish(stage);
    const call = calling(called, { text: 'Blue.' });
    const script = { turns: [call, { toolCalls: [ask('Which?')] }, call, { text: 'Done.' }] };
    const waiting = await untilWaiting(called, { script, maxCostUsd: 0.5 });
    const spentNanos = BigInt(waiting.children_nanos);
    expect(spentNanos).toBeGreaterThan(0n);
    expect(await openHoldsOf(stage.db, waiting.account_id)).toEqual({ nanos: BigInt(waiting.held_nanos), count: 1 });
    await answer(stage, waiting, { type: 'text', text: 'Red.' });
    const ended = await stage.endOf(waiting.id);
    const [, second] = await childrenOf(ended);
    expect(BigInt(second!.max_cost_nanos)).toBeLessThan(500_000_000n - spentNanos);
    await expectSpent(ended, 500_000_000n);
  });

  test('goes on with a higher limit, of which the first child has spent its part', async () => {
    const waiting = await untilAtLimit();
    const { workspace_id: workspaceId, account_id: accountId, id: runId } = waiting;
    const raise = (usd: number) =>
      answerActions(stage.db.ledger, {
        workspaceId,
        accountId,
        runId,
        answers: [{ type: 'raise_limit', max_cost_usd: usd }],
      });
    // The reached limit includes the child's cost.
    const { held_usd: heldUsd } = waiting.required_action as unknown as { held_usd: number };
    expect(nanosOfUsd(heldUsd) + BigInt(waiting.children_nanos)).toBe(5_000_000n);
    expect(await raise(0.005)).toMatchObject({ outcome: 'out_of_range' });
    expect(await raise(1.1)).toMatchObject({ outcome: 'out_of_range' });
    await answer(stage, waiting, { type: 'raise_limit', max_cost_usd: 0.5 });
    await expectSpent(await stage.endOf(runId), 500_000_000n);
  });

  test('keeps waiting while the money for a higher limit is missing, and nothing of it is held', async () => {
    const waiting = await untilAtLimit();
    const { workspace_id: workspaceId, account_id: accountId, id: runId, key_id: keyId } = waiting;
    const leftUsd = 0.99 - Number(waiting.children_nanos) / 1e9;
    const other = await stage.makeRun({ account: { workspaceId, accountId, keyId }, maxCostUsd: leftUsd });
    const order = { workspaceId, accountId, runId, answers: [{ type: 'raise_limit' as const, max_cost_usd: 0.5 }] };
    await expect(answerActions(stage.db.ledger, order)).rejects.toThrow(HoldRefused);
    expect(await stage.readRun(runId)).toMatchObject({ status: 'requires_action', held_nanos: waiting.held_nanos });
    await stage.workflows.start(other);
    await stage.endOf(other.id);
    await answer(stage, waiting, { type: 'raise_limit', max_cost_usd: 0.5 });
    await expectSpent(await stage.endOf(runId), 500_000_000n);
  });
});

test('a cancelled run has no open children', async () => {
  const run = await childScenarios.agentCalledCancelled!.play(stage);
  const child = await stage.readRun(childRunIdOf(run.id, 2));
  expect([run.status, child.status]).toEqual(['cancelled', 'cancelled']);
  expect(new Date(child.settled_at!).getTime()).toBeLessThanOrEqual(new Date(run.settled_at!).getTime());
  expect(BigInt(child.total_nanos)).toBeGreaterThan(0n);
  await expectSoundLedger(stage.db);
});
