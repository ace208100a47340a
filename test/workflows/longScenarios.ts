import { requestCancel } from '../../db/runs/states/cancelRun.ts';
import { answerActions } from '../../db/runs/waiting/answerActions.ts';
import type { Script } from '../../rules/scripted/script.ts';
import type { RunStage } from '../support/runStage.ts';
import type { Scenario } from './scenario.ts';

/** With a server that suggests a new history after so many events, each of these paths crosses a seam. */
export const LONG_HISTORY_EVENTS = 40;

const list = { name: 'list_files', arguments: '{}' };
const ask = { name: 'ask_user', arguments: '{"question":"Which?"}' };
const listing = (times: number): Script[] => Array.from({ length: times }, () => ({ toolCalls: [list] }));
const steps = (count: number) => ({ settings: { max_steps: count }, tools: ['list_files', 'ask_user'] });

const meterOf = (meter: string, quantity: number) => ({
  asymmetricMatch: (meters: Record<string, number>) => meters[meter] === quantity,
});

async function answer(stage: RunStage, runId: string): Promise<void> {
  const { workspace_id: workspaceId, account_id: accountId } = await stage.readRun(runId);
  const answers = [{ type: 'text' as const, text: 'This.' }];
  await answerActions(stage.db.ledger, { workspaceId, accountId, runId, answers });
  await stage.workflows.resume(runId);
}

/** Paths through a run whose workflow continues as new. */
export const longScenarios: Record<string, Scenario> = {
  longCompleted: {
    promise: 'a run of many steps goes on in new histories, and does each step once',
    ends: { status: 'completed', meters: meterOf('tool_calls', 16_000) },
    play: (stage) => stage.runToEnd({ ...steps(60), script: { turns: [...listing(16), { text: 'Listed.' }] } }),
  },
  longLimit: {
    promise: 'a version may allow more steps than the usual number, and a run ends at it',
    ends: { status: 'limit_reached', limit: { kind: 'steps', value: 36, used: 36 } },
    play: (stage) => stage.runToEnd({ ...steps(36), script: { turns: listing(1) } }),
  },
  longAsked: {
    promise: 'a run that has continued in a new history waits for its caller and takes the answer',
    ends: { status: 'completed' },
    play: async (stage) => {
      const turns = [...listing(8), { toolCalls: [ask] }, ...listing(4), { text: 'That.' }];
      const run = await stage.makeRun({ ...steps(60), script: { turns } });
      await stage.workflows.start(run);
      await stage.untilEvent(run.id, 'run.requires_action');
      await answer(stage, run.id);
      return stage.endOf(run.id);
    },
  },
  longCancelled: {
    promise: 'a run that has continued in a new history is cancelled, and costs its steps so far',
    ends: { status: 'cancelled' },
    play: async (stage) => {
      const turns = [...listing(9), { fault: 'endless', delayMs: 20 } satisfies Script];
      const run = await stage.makeRun({ ...steps(60), script: { turns } });
      await stage.workflows.start(run);
      await stage.untilEvent(run.id, 'run.output_text.delta');
      await requestCancel(stage.db, {
        workspaceId: run.workspace_id,
        runId: run.id,
        mode: 'immediate',
        reason: 'enough',
      });
      await stage.workflows.cancel(run.id);
      return stage.endOf(run.id);
    },
  },
};
