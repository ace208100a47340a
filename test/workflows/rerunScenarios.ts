import type { Script } from '../../rules/scripted/script.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { type RunSetup, type RunStage } from '../support/runStage.ts';
import type { Scenario } from './scenario.ts';

const write = (path: string, content: string) => ({ name: 'write_file', arguments: JSON.stringify({ path, content }) });
const writing: Script = { text: 'Writing.', toolCalls: [write('a.md', '# One'), write('b.md', '# Two')] };

const accountOf = ({ workspace_id: workspaceId, key_id: keyId, account_id: accountId }: RunRow) => ({
  workspaceId,
  keyId,
  accountId,
});

/** Repeats a run from a step, for the same account, and resolves with the new run's row at its end. */
export const rerun = (stage: RunStage, run: RunRow, fromStep: number, wish: RunSetup): Promise<RunRow> =>
  stage.runToEnd({ account: accountOf(run), rerun: { runId: run.id, fromStep }, ...wish });

/** A run that has written two files with tools that ran together (steps 2 and 3), and whose model then refused to continue (step 4). */
export const failedRun = (stage: RunStage): Promise<RunRow> =>
  stage.runToEnd({ tools: ['write_file'], script: { turns: [writing, { status: 400 }] } });

/** The same, but the model has ended it. */
const completedRun = (stage: RunStage): Promise<RunRow> =>
  stage.runToEnd({ tools: ['write_file'], script: { turns: [writing, { text: 'Done.' }] } });

const file = (filename: string) => ({ asymmetricMatch: (item: { filename?: string }) => item.filename === filename });

/** Paths through a run that repeats another run. */
export const rerunScenarios: Record<string, Scenario> = {
  rerunFromModel: {
    promise: 'a failed run goes on from its failed step, and its steps are paid now',
    ends: {
      status: 'completed',
      output: [
        { type: 'output_text', text: 'Writing.' },
        file('a.md'),
        file('b.md'),
        { type: 'output_text', text: 'Done.' },
      ],
      meters: { asymmetricMatch: (meters: Record<string, number>) => meters.tool_calls === 2000 },
    },
    play: async (stage) =>
      rerun(stage, await failedRun(stage), 4, {
        tools: ['write_file'],
        script: { turns: [writing, { text: 'Done.' }] },
      }),
  },
  rerunFromTool: {
    promise: 'a run goes on from one of the tools that ran together, and the others are paid but not used again',
    ends: {
      status: 'completed',
      meters: { asymmetricMatch: (meters: Record<string, number>) => meters.tool_calls === 2000 },
    },
    play: async (stage) =>
      rerun(stage, await failedRun(stage), 3, {
        tools: ['write_file'],
        script: { turns: [writing, { text: 'Done.' }] },
      }),
  },
  rerunOfBilled: {
    promise: 'what a billed run did is reused without costs',
    ends: {
      status: 'completed',
      meters: { asymmetricMatch: (meters: object) => !('tool_calls' in meters) },
    },
    play: async (stage) =>
      rerun(stage, await completedRun(stage), 4, {
        tools: ['write_file'],
        script: { turns: [writing, { text: 'Done.' }] },
      }),
  },
  rerunFromStart: {
    promise: 'a run from its first step reuses nothing',
    ends: { status: 'completed', output: [{ type: 'output_text', text: 'Four.' }] },
    play: async (stage) => rerun(stage, await failedRun(stage), 1, { script: { text: 'Four.' } }),
  },
};
