import type { Script } from '../../rules/scripted/script.ts';
import { answerActions } from '../../db/runs/waiting/answerActions.ts';
import type { Scenario } from './scenario.ts';

const list = { toolCalls: [{ name: 'list_files', arguments: '{}' }] };
const long = 'word '.repeat(400);

/** The usual script of these runs: three tools, one after the other, and what follows them. */
export const afterTools = (last: Script) => ({ tools: ['list_files'], script: { turns: [list, list, list, last] } });

/** Paths through a run whose steps are short, so that one activity has several of them. */
export const joinedScenarios: Record<string, Scenario> = {
  stepsJoined: {
    promise: 'short steps of the model and of tools follow each other',
    ends: { status: 'completed', output: [{ type: 'output_text', text: 'Nothing.' }] },
    play: (stage) => stage.runToEnd(afterTools({ text: 'Nothing.' })),
  },
  joinedModelBreaks: {
    promise: 'a run whose model breaks off every answer after its tools fails, and the platform pays for all steps',
    ends: { status: 'failed', fault: 'provider', status_reason: 'provider_failed', total_nanos: '0' },
    play: (stage) => stage.runToEnd(afterTools({ text: long, fault: 'reset', faultAfterChunks: 30, delayMs: 10 })),
  },
  joinedLimitRaised: {
    promise: 'a run that pauses at its limit after its tools continues its text when the limit is raised',
    ends: { status: 'completed', max_cost_nanos: '1000000000' },
    play: async (stage) => {
      const run = await stage.makeRun({ ...afterTools({ text: long }), maxCostUsd: 0.007, onLimit: 'pause' });
      await stage.workflows.start(run);
      await stage.untilEvent(run.id, 'run.requires_action');
      const { workspace_id: workspaceId, account_id: accountId, id: runId } = run;
      const answers = [{ type: 'raise_limit' as const, max_cost_usd: 1 }];
      await answerActions(stage.db.ledger, { workspaceId, accountId, runId, answers });
      await stage.workflows.resume(runId);
      return stage.endOf(runId);
    },
  },
};
