import type { RunRow } from '../../db/runs/runRow.ts';
import { openActionsOf, type ActionAnswer } from '../../db/runs/waiting/actions.ts';
import { answerActions } from '../../db/runs/waiting/answerActions.ts';
import { newId } from '../../db/ids.ts';
import type { Script } from '../../rules/scripted/script.ts';
import { publishAgent } from '../support/agent.ts';
import type { RunSetup, RunStage } from '../support/runStage.ts';
import { calling, pricing, publish } from './childScenarios.ts';
import type { Scenario } from './scenario.ts';

const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const ask = (args: object) => call('ask_user', args);
const write = (path: string) => call('write_file', { path, content: 'told' });

const trip = {
  question: 'Where to?',
  schema: {
    type: 'object',
    properties: {
      city: { type: 'string', title: 'City', minLength: 2 },
      nights: { type: 'integer', minimum: 1, maximum: 30, default: 2 },
      board: { type: 'string', enum: ['none', 'half', 'full'], enumNames: ['None', 'Half', 'Full'] },
    },
    required: ['city'],
  },
};

const asking: RunSetup = { tools: ['ask_user', 'write_file'], settings: { question_forms: true } };
const guarded: RunSetup = { tools: ['write_file'], settings: { requires_approval: ['write_file'] } };

const turns = (...all: Script[]): Script => ({ turns: all });

/** Answers a waiting run. */
export async function answerTogether(stage: RunStage, run: RunRow, answers: ActionAnswer[]): Promise<void> {
  const { workspace_id: workspaceId, account_id: accountId, id: runId } = run;
  const { outcome } = await answerActions(stage.db.ledger, { workspaceId, accountId, runId, answers });
  if (outcome !== 'answered') throw new Error(`the answer was refused: ${outcome}`);
  await stage.workflows.resume(run.id);
}

/** Starts a run and gives it these answers, each when it waits. */
async function answered(stage: RunStage, run: RunRow, rounds: ActionAnswer[][]): Promise<RunRow> {
  await stage.workflows.start(run);
  for (const [at, answers] of rounds.entries()) {
    await stage.untilEvent(run.id, 'run.requires_action', at + 1);
    await answerTogether(stage, await stage.readRun(run.id), answers);
  }
  return stage.endOf(run.id);
}

// Recording plays these paths without Jest.
const matching = <T>(asymmetricMatch: (value: T) => boolean) => ({ asymmetricMatch });
const toolCalls = (quantity: number | undefined) =>
  matching(({ tool_calls: found }: { tool_calls?: number }) => found === quantity);

const done = { status: 'completed', required_action: null, required_actions: null };

/** Paths through a run that waits for forms and approvals. */
export const waitingScenarios: Record<string, Scenario> = {
  formAnswered: {
    promise: 'a form is answered with data that fits it',
    ends: done,
    play: async (stage) => {
      const run = await stage.makeRun({ ...asking, script: turns({ toolCalls: [ask(trip)] }, { text: 'Booked.' }) });
      return answered(stage, run, [[{ type: 'form', data: { city: 'Ulm', nights: 3 } }]]);
    },
  },
  formDefaultTaken: {
    promise: 'the default answer is taken when the time of a question is up',
    ends: done,
    play: async (stage) => {
      const question = { question: 'Which size?', choices: ['S', 'M'], default: 'M', timeout_seconds: 1 };
      const run = await stage.makeRun({
        ...asking,
        script: turns({ toolCalls: [ask(question)] }, { text: 'M it is.' }),
      });
      return answered(stage, run, []);
    },
  },
  formExpired: {
    promise: 'a run ends when the time of a question without a default is up',
    ends: { status: 'limit_reached', status_reason: 'answer_timeout' },
    play: async (stage) => {
      const question = { question: 'Which size?', choices: ['S', 'M'], timeout_seconds: 1 };
      const run = await stage.makeRun({ ...asking, script: { toolCalls: [ask(question)] } });
      return answered(stage, run, []);
    },
  },
  formUnusable: {
    promise: 'a form that cannot be shown is told to the model, and nobody is asked',
    ends: done,
    play: async (stage) => {
      const nested = { question: 'Who?', schema: { type: 'object', properties: { a: { type: 'object' } } } };
      const run = await stage.makeRun({ ...asking, script: turns({ toolCalls: [ask(nested)] }, { text: 'Sorry.' }) });
      return answered(stage, run, []);
    },
  },
  toolApproved: {
    promise: 'a call that needs approval is made once the caller has approved it',
    ends: { ...done, meters: toolCalls(1000) },
    play: async (stage) => {
      const run = await stage.makeRun({ ...guarded, script: turns({ toolCalls: [write('a.md')] }, { text: 'Done.' }) });
      return answered(stage, run, [[{ type: 'tool_approval', decision: 'approve' }]]);
    },
  },
  toolRefused: {
    promise: 'a refused call is not made, costs nothing, and the model reads the reason',
    ends: { ...done, meters: toolCalls(undefined) },
    play: async (stage) => {
      const run = await stage.makeRun({ ...guarded, script: turns({ toolCalls: [write('a.md')] }, { text: 'Well.' }) });
      return answered(stage, run, [[{ type: 'tool_approval', decision: 'refuse', reason: 'Not that file.' }]]);
    },
  },
  toolChanged: {
    promise: 'a call is made with the arguments that the caller has changed',
    ends: { ...done, output: matching((items: { filename?: string }[]) => items[0]?.filename === 'b.md') },
    play: async (stage) => {
      const run = await stage.makeRun({ ...guarded, script: turns({ toolCalls: [write('a.md')] }, { text: 'Done.' }) });
      const changed = { path: 'b.md', content: 'told' };
      return answered(stage, run, [[{ type: 'tool_approval', decision: 'approve', arguments: changed }]]);
    },
  },
  approvedByNobody: {
    promise: 'a call that needs approval is refused in a run that nobody answers',
    ends: done,
    play: (stage) =>
      stage.runToEnd({
        ...guarded,
        source: 'review',
        script: turns({ toolCalls: [write('a.md')] }, { text: 'Without it.' }),
      }),
  },
  askedTogether: {
    promise: 'questions and approvals of one turn wait together, and are answered in any order',
    ends: { ...done, meters: toolCalls(2000) },
    play: async (stage) => {
      const settings = { question_forms: true, requires_approval: ['write_file'] };
      const tools = ['ask_user', 'write_file', 'list_files'];
      const toolCalls = [ask(trip), call('list_files', {}), write('a.md'), write('b.md'), ask({ question: 'Why?' })];
      const run = await stage.makeRun({ tools, settings, script: turns({ toolCalls }, { text: 'Done.' }) });
      await stage.workflows.start(run);
      await stage.untilEvent(run.id, 'run.requires_action');
      const waiting = await stage.readRun(run.id);
      const [form, first, second, why] = openActionsOf(waiting).map(({ step_id: id }) => id as string);
      await answerTogether(stage, waiting, [{ type: 'text', step_id: why, text: 'told' }]);
      await stage.untilEvent(run.id, 'run.requires_action', 2);
      const approve = { type: 'tool_approval', step_id: second, decision: 'approve' } as const;
      await answerTogether(stage, waiting, [approve, { type: 'form', step_id: form, data: { city: 'Ulm' } }]);
      await stage.untilEvent(run.id, 'run.requires_action', 3);
      await answerTogether(stage, waiting, [{ type: 'tool_approval', step_id: first, decision: 'refuse' }]);
      return stage.endOf(run.id);
    },
  },
  agentApproved: {
    promise: 'a call of another agent waits with what that agent costs',
    ends: { ...done, output: [{ type: 'output_text', text: 'It is blue.' }] },
    play: async (stage) => {
      const called = await publish(stage);
      const settings = { pricing, agents: [called], requires_approval: ['call_agent'] };
      const published = await publishAgent(stage.db, settings, { workspaceId: newId('ws') });
      const script = turns(calling(called, { text: 'Blue.' }), { text: 'It is blue.' });
      const run = await stage.makeRun({ published, visibility: 'public', script });
      return answered(stage, run, [[{ type: 'tool_approval', decision: 'approve' }]]);
    },
  },
};
