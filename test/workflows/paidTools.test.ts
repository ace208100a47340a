import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../db/ids.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { worthNanosOf } from '../../db/runs/cost/runCost.ts';
import { spentNanosOf, type RunRow } from '../../db/runs/runRow.ts';
import { answerActions } from '../../db/runs/waiting/answerActions.ts';
import type { Sandbox } from '../../tools/sandbox/sandbox.ts';
import { publishAgent } from '../support/agent.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { setRunStage, type RunSetup } from '../support/runStage.ts';
import { calling, makeCaller, pricing, publish } from './childScenarios.ts';

/** Runs nothing: a program says how long it would run, and has run so long or as long as it may. */
const sandbox: Sandbox = {
  tier: 'quickjs',
  languages: ['javascript'],
  description: 'a sandbox that pretends',
  run: async ({ code, wallMs = 30_000 }) => {
    // Until others have begun, too.
    await sleep(100);
    const durationMs = Math.min(Number(code), wallMs) + 5;
    return { ending: 'ok', stdout: 'Ran.', stderr: '', result: null, files: [], durationMs };
  },
  close: async () => {},
};

const stage = await setRunStage({ sandbox });
await stage.startWorker();
afterAll(async () => {
  await stage.close();
});

const program = (ms: number) => ({ name: 'run_code', arguments: JSON.stringify({ code: `${ms}` }) });
const together = (...calls: { name: string; arguments: string }[]): RunSetup => ({
  tools: ['run_code', 'list_files'],
  script: { turns: [{ toolCalls: calls }, { text: 'Done.' }] },
});

/** What a run would cost without its limit: as much as it costs. */
const expectPaid = (run: RunRow) => expect(worthNanosOf(run)).toBe(BigInt(run.total_nanos));

// A program costs a call and up to 30 seconds: 0.0176 dollars.
const ALL = Array.from({ length: 20 }, () => program(60_000));

test('twenty programs of one turn use no more time than their run can pay', async () => {
  const run = await stage.runToEnd({ ...together(...ALL), maxCostUsd: 0.06 });
  expect(run).toMatchObject({ status: 'limit_reached', limit: { kind: 'max_cost', value: 0.06 } });
  expectPaid(run);
  // Three whole programs, and one with the time that was left.
  expect(run.meters).toMatchObject({ tool_calls: 4000 });
  expect(Number(run.meters.sandbox_seconds)).toBeGreaterThan(90_000);
});

test('programs that give their time back let the others of their turn run', async () => {
  const short = Array.from({ length: 20 }, () => program(10));
  const run = await stage.runToEnd({ ...together(...short), maxCostUsd: 0.06 });
  expect(run).toMatchObject({ status: 'completed', meters: { tool_calls: 20_000, sandbox_seconds: 300 } });
  expectPaid(run);
});

test('calls of tools that a run cannot pay are not made', async () => {
  const lists = Array.from({ length: 20 }, () => ({ name: 'list_files', arguments: '{}' }));
  const run = await stage.runToEnd({ ...together(...lists), maxCostUsd: 0.01 });
  expect(run).toMatchObject({ status: 'limit_reached', limit: { kind: 'max_cost' } });
  expectPaid(run);
  expect(Number(run.meters.tool_calls)).toBeLessThan(9_000);
});

test('a run that may wait asks for more money before the tools that it cannot pay', async () => {
  const run = await stage.makeRun({ ...together(...ALL), maxCostUsd: 0.06, onLimit: 'pause' });
  await stage.workflows.start(run);
  await stage.untilEvent(run.id, 'run.requires_action');
  const { workspace_id: workspaceId, account_id: accountId, id: runId } = run;
  const waiting = await stage.readRun(runId);
  expect(waiting.required_action).toMatchObject({ type: 'raise_limit', max_cost_usd: 0.06 });
  const answers = [{ type: 'raise_limit' as const, max_cost_usd: 1 }];
  await answerActions(stage.db.ledger, { workspaceId, accountId, runId, answers });
  await stage.workflows.resume(runId);
  const ended = await stage.endOf(runId);
  expect(ended).toMatchObject({ status: 'completed', max_cost_nanos: `${nanosOfUsd(1)}` });
  expect(ended.meters).toMatchObject({ tool_calls: 20_000 });
  expectPaid(ended);
});

test('called agents leave what their calls cost', async () => {
  const scriptOf = (called: string) => {
    const calls = Array.from({ length: 3 }, () => calling(called, { fault: 'endless', delayMs: 1 }).toolCalls!);
    return { turns: [{ toolCalls: calls.flat() }, { text: 'Done.' }] };
  };
  const run = await makeCaller(stage, scriptOf, { maxCostUsd: 0.01 });
  await stage.workflows.start(run);
  const ended = await stage.endOf(run.id);
  expectPaid(ended);
  expect(BigInt(ended.children_nanos)).toBeGreaterThan(nanosOfUsd(0.003));
  expect(spentNanosOf(ended)).toBeLessThanOrEqual(nanosOfUsd(0.01));
});

test('a called agent waits for the money that programs of its turn return', async () => {
  const rates = [...pricing.rates, { meter: 'sandbox_seconds' as const, price_usd: 0.0005 }];
  const called = await publish(stage);
  const configuration = { tools: ['run_code'], agents: [called], pricing: { ...pricing, rates } };
  const published = await publishAgent(stage.db, configuration, { workspaceId: newId('ws') });
  const [call] = calling(called, { text: 'word '.repeat(100) }).toolCalls!;
  const script = { turns: [{ toolCalls: [program(10), program(10), call!, call!] }, { text: 'Done.' }] };
  const run = await stage.makeRun({ published, visibility: 'public', script, maxCostUsd: 0.05 });
  await stage.workflows.start(run);
  const ended = await stage.endOf(run.id);
  const children = await stage.db.pool.query('select status from runs where parent_run_id = $1', [run.id]);
  expect(children.rows).toEqual([{ status: 'completed' }, { status: 'completed' }]);
  expect(ended).toMatchObject({ status: 'completed', meters: { tool_calls: 4000, sandbox_seconds: 30 } });
  expectPaid(ended);
});

test('leaves a sound ledger', () => expectSoundLedger(stage.db));
