import type { Script } from '../../rules/scripted/script.ts';
import { requestCancel } from '../../db/runs/states/cancelRun.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { ActionAnswer } from '../../db/runs/waiting/actions.ts';
import { answerActions } from '../../db/runs/waiting/answerActions.ts';
import type { RunStage } from '../support/runStage.ts';
import { until } from '../support/until.ts';
import { childScenarios } from './childScenarios.ts';
import { joinedScenarios } from './joinedScenarios.ts';
import { modelScenarios } from './modelScenarios.ts';
import { pluginScenarios } from './pluginScenarios.ts';
import { rerunScenarios } from './rerunScenarios.ts';
import type { Scenario } from './scenario.ts';
import { waitingScenarios } from './waitingScenarios.ts';

export const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const code = (text: string) => call('run_code', { language: 'javascript', code: text });
const turns = (...all: Script[]): Script => ({ turns: all });
const endless: Script = { fault: 'endless', delayMs: 20 };
const busy = (ms: number) => `const end = Date.now() + ${ms}; while (Date.now() < end);`;
const long = 'word '.repeat(400);

/** Starts a run, waits for an event of the type, runs the given step, and waits for the end. */
async function disturb(
  stage: RunStage,
  run: RunRow,
  { type, act }: { type: string; act: () => Promise<unknown> },
): Promise<RunRow> {
  await stage.workflows.start(run);
  await stage.untilEvent(run.id, type);
  await act();
  return stage.endOf(run.id);
}

async function cancel(stage: RunStage, run: RunRow, mode: 'graceful' | 'immediate' = 'immediate'): Promise<void> {
  await requestCancel(stage.db, { workspaceId: run.workspace_id, runId: run.id, mode, reason: 'enough' });
  await stage.workflows.cancel(run.id);
}

export async function answer(stage: RunStage, run: RunRow, ...answers: ActionAnswer[]): Promise<void> {
  const { workspace_id: workspaceId, account_id: accountId, id: runId } = run;
  await answerActions(stage.db.ledger, { workspaceId, accountId, runId, answers });
  await stage.workflows.resume(run.id);
}

export const ask = (question: string) => call('ask_user', { question });

/** By name, which is also the file name of the history. */
export const scenarios: Record<string, Scenario> = {
  ...modelScenarios,
  ...joinedScenarios,
  ...rerunScenarios,
  ...childScenarios,
  ...pluginScenarios,
  ...waitingScenarios,
  completed: {
    promise: 'a model that answers at once completes the run',
    ends: { status: 'completed', output: [{ type: 'output_text', text: 'Four.' }] },
    play: (stage) => stage.runToEnd({ script: { text: 'Four.' } }),
  },
  minimumCost: {
    promise: 'a completed run costs its agent’s minimum',
    ends: { status: 'completed', total_nanos: '500000000', subtotal_nanos: '454545455' },
    play: (stage) => stage.runToEnd({ script: { text: 'Four.' }, minimumCostUsd: 0.5 }),
  },
  toolsTogether: {
    promise: 'tools that are called together run concurrently, and the model reads their results',
    ends: { status: 'completed', meters: expect('tool_calls', 2000) },
    play: (stage) => {
      const script = turns({ toolCalls: [call('list_files', {}), call('list_files', {})] }, { text: 'Two listings.' });
      return stage.runToEnd({ tools: ['list_files'], script });
    },
  },
  fileWritten: {
    promise: 'a file that a tool writes is stored in the session and is part of the output',
    ends: { status: 'completed' },
    play: (stage) => {
      const write = call('write_file', { path: 'notes/a.md', content: '# A' });
      return stage.runToEnd({
        tools: ['write_file'],
        script: turns({ text: 'Writing.', toolCalls: [write] }, { text: 'Done.' }),
      });
    },
  },
  codeRun: {
    promise: 'code runs in the sandbox, and its seconds are metered',
    ends: { status: 'completed' },
    play: (stage) =>
      stage.runToEnd({
        tools: ['run_code'],
        script: turns({ toolCalls: [code('console.log(6 * 7)')] }, { text: '42' }),
      }),
  },
  toolMisused: {
    promise: 'a tool call with invalid arguments returns an error to the model, and the run continues',
    ends: { status: 'completed' },
    play: (stage) => {
      const wrong = [{ name: 'read_file', arguments: '{"path' }, call('no_such_tool', {})];
      return stage.runToEnd({ tools: ['read_file'], script: turns({ toolCalls: wrong }, { text: 'Sorry.' }) });
    },
  },
  costLimit: {
    promise: 'a run that reaches its maximum cost stops there',
    ends: { status: 'limit_reached', status_reason: 'cost', total_nanos: '995500' },
    play: (stage) => stage.runToEnd({ script: { text: long }, maxCostUsd: 0.001 }),
  },
  promptTooDear: {
    promise: 'a run whose prompt alone exceeds its maximum cost calls no model and costs nothing',
    ends: { status: 'limit_reached', total_nanos: '0', output: [] },
    play: (stage) => stage.runToEnd({ script: { text: 'Four.' }, maxCostUsd: 0.00001 }),
  },
  limitRaised: {
    promise: 'a run that pauses at its limit continues its text when the limit is raised',
    ends: {
      status: 'completed',
      max_cost_nanos: '1000000000',
      output: { asymmetricMatch: (items: object[]) => items.length === 1 },
    },
    play: async (stage) => {
      const run = await stage.makeRun({ script: { text: long }, maxCostUsd: 0.001, onLimit: 'pause' });
      const act = () => answer(stage, run, { type: 'raise_limit', max_cost_usd: 1 });
      return disturb(stage, run, { type: 'run.requires_action', act });
    },
  },
  limitKept: {
    promise: 'a run that waits for a higher limit can be cancelled',
    ends: { status: 'cancelled', total_nanos: '995500' },
    play: async (stage) => {
      const run = await stage.makeRun({ script: { text: long }, maxCostUsd: 0.001, onLimit: 'pause' });
      return disturb(stage, run, { type: 'run.requires_action', act: () => cancel(stage, run) });
    },
  },
  questionAnswered: {
    promise: 'a question is sent to the caller, and the answer to the model',
    ends: { status: 'completed' },
    play: async (stage) => {
      const script = turns({ toolCalls: [ask('Which colour?')] }, { text: 'Blue it is.' });
      const run = await stage.makeRun({ tools: ['ask_user'], script });
      return disturb(stage, run, {
        type: 'run.requires_action',
        act: () => answer(stage, run, { type: 'text', text: 'Blue.' }),
      });
    },
  },
  questionBesideTool: {
    promise: 'a question beside a tool call waits until the tool has ended',
    ends: { status: 'completed', meters: expect('tool_calls', 1000) },
    play: async (stage) => {
      const script = turns({ toolCalls: [ask('Which?'), call('list_files', {})] }, { text: 'Good.' });
      const run = await stage.makeRun({ tools: ['ask_user', 'list_files'], script });
      return disturb(stage, run, {
        type: 'run.requires_action',
        act: () => answer(stage, run, { type: 'text', text: 'That.' }),
      });
    },
  },
  questionsInTurn: {
    promise: 'two questions can be answered one after the other',
    ends: { status: 'completed' },
    play: async (stage) => {
      const script = turns({ toolCalls: [ask('One?'), ask('Two?')] }, { text: 'Good.' });
      const run = await stage.makeRun({ tools: ['ask_user'], script });
      await stage.workflows.start(run);
      for (const nth of [1, 2]) {
        await stage.untilEvent(run.id, 'run.requires_action', nth);
        await answer(stage, run, { type: 'text', text: `Answer ${nth}.` });
      }
      return stage.endOf(run.id);
    },
  },
  questionUnanswered: {
    promise: 'a run that waits for an answer can be cancelled',
    ends: { status: 'cancelled', required_action: null },
    play: async (stage) => {
      const run = await stage.makeRun({ tools: ['ask_user'], script: { toolCalls: [ask('Which?')] } });
      return disturb(stage, run, { type: 'run.requires_action', act: () => cancel(stage, run) });
    },
  },
  cancelledWhileThinking: {
    promise: 'a run that is cancelled while its model streams stops, and costs its output so far',
    ends: { status: 'cancelled', status_reason: 'enough' },
    play: async (stage) => {
      const run = await stage.makeRun({ script: endless });
      return disturb(stage, run, { type: 'run.output_text.delta', act: () => cancel(stage, run) });
    },
  },
  cancelledBeforeFirstWord: {
    promise: 'a run that is cancelled before any model output costs nothing',
    ends: { status: 'cancelled', total_nanos: '0' },
    play: async (stage) => {
      const run = await stage.makeRun({ script: { headDelayMs: 30_000 } });
      return disturb(stage, run, { type: 'run.step.started', act: () => cancel(stage, run) });
    },
  },
  cancelledWhileUsingTool: {
    promise: 'a cancellation ends a running tool',
    ends: { status: 'cancelled' },
    play: async (stage) => {
      const run = await stage.makeRun({ tools: ['run_code'], script: { toolCalls: [code(busy(20_000))] } });
      await stage.workflows.start(run);
      await stage.untilEvent(run.id, 'run.step.started', 2);
      await cancel(stage, run);
      return stage.endOf(run.id);
    },
  },
  cancelledGracefully: {
    promise: 'a graceful cancellation waits for the running tool',
    ends: { status: 'cancelled', meters: expect('tool_calls', 1000) },
    play: async (stage) => {
      const finishes = code(`${busy(2_000)} console.log('done')`);
      const run = await stage.makeRun({ tools: ['run_code'], script: { toolCalls: [finishes] } });
      await stage.workflows.start(run);
      await stage.untilEvent(run.id, 'run.step.started', 2);
      await cancel(stage, run, 'graceful');
      return stage.endOf(run.id);
    },
  },
  cancelledInQueue: {
    promise: 'a run that is cancelled while it waits in the queue never begins',
    ends: { status: 'cancelled', started_at: null, total_nanos: '0' },
    play: async (stage) => {
      const run = await stage.makeRun();
      await requestCancel(stage.db, { workspaceId: run.workspace_id, runId: run.id, mode: 'immediate', reason: null });
      await stage.workflows.start(run);
      return stage.endOf(run.id);
    },
  },
  cancelledBeforeBegin: {
    alone: true,
    promise: 'a workflow that is cancelled before it begins ends its run as cancelled',
    ends: { status: 'cancelled', started_at: null, total_nanos: '0' },
    play: async (stage) => {
      const run = await stage.makeRun();
      await stage.withoutWorker(async () => {
        await stage.workflows.start(run);
        await stage.workflows.cancel(run.id);
      });
      return stage.endOf(run.id);
    },
  },
  timeIsUpWhileThinking: {
    promise: 'a run that reaches its deadline while its model streams stops, and costs its output so far',
    ends: { status: 'limit_reached', limit: { kind: 'timeout', value: 2, used: 2 } },
    play: (stage) => stage.runToEnd({ script: endless, timeoutSeconds: 2 }),
  },
  timeIsUpWhileUsingTool: {
    promise: 'a run that reaches its deadline while a tool runs stops',
    ends: { status: 'limit_reached', limit: { kind: 'timeout', value: 2, used: 2 } },
    play: (stage) =>
      stage.runToEnd({ tools: ['run_code'], script: { toolCalls: [code(busy(20_000))] }, timeoutSeconds: 2 }),
  },
  stepsLimit: {
    promise: 'an agent without progress ends after 32 calls of its model',
    ends: { status: 'limit_reached', limit: { kind: 'steps', value: 32, used: 32 } },
    play: (stage) => stage.runToEnd({ tools: ['list_files'], script: { toolCalls: [call('list_files', {})] } }),
  },
  agentSuspended: {
    promise: 'a run whose agent was suspended while it was queued fails for the agent',
    ends: { status: 'failed', fault: 'agent', started_at: null, total_nanos: '0' },
    play: async (stage) => {
      const run = await stage.makeRun();
      await stage.db.pool.query(
        `insert into deployments (id, workspace_id, agent_id, version_id, visibility, status) values ($1, $2, $3, $4, $5, 'suspended')`,
        [run.id.replace('run_', 'dep_'), run.publisher_workspace_id, run.agent_id, run.version_id, run.visibility],
      );
      await stage.workflows.start(run);
      return stage.endOf(run.id);
    },
  },
  delayed: {
    promise: 'a delayed run starts at its time',
    ends: { status: 'completed' },
    play: (stage) => stage.runToEnd({ startAfterSeconds: 1 }),
  },
  nextInSession: {
    promise: 'a run that waits for its session starts at the end of the previous run',
    ends: { status: 'completed', waiting: false },
    play: async (stage) => {
      const first = await stage.makeRun({ script: { text: 'One.', headDelayMs: 300 } });
      const account = { workspaceId: first.workspace_id, keyId: first.key_id, accountId: first.account_id };
      const second = await stage.makeRun({ account, sessionId: first.session_id, ifSessionBusy: 'enqueue' });
      await stage.workflows.start(first);
      await until(async () => (await stage.readRun(second.id)).settled_at !== null);
      return stage.endOf(second.id);
    },
  },
};

function expect(meter: string, quantity: number): object {
  return { asymmetricMatch: (meters: Record<string, number>) => meters[meter] === quantity };
}
