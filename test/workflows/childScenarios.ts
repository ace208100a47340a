import type { AgentConfiguration } from '../../db/agents/configuration.ts';
import { newId } from '../../db/ids.ts';
import { requestCancel } from '../../db/runs/states/cancelRun.ts';
import { childRunIdOf } from '../../db/runs/childRuns.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { Script } from '../../rules/scripted/script.ts';
import { publishAgent } from '../support/agent.ts';
import { told } from '../support/guardStage.ts';
import type { RunSetup, RunStage } from '../support/runStage.ts';
import type { Scenario } from './scenario.ts';

/** The prices of agents in these tests. */
export const pricing: AgentConfiguration['pricing'] = {
  minimum_cost_usd: 0,
  maximum_cost_usd: 1,
  rates: [
    { meter: 'model_output_tokens', price_usd: 0.00001 },
    { meter: 'tool_calls', price_usd: 0.001 },
  ],
};

/** Publishes an agent, which may call others. */
export const publish = (stage: RunStage, agents: string[] = [], slug?: string): Promise<string> =>
  publishAgent(stage.db, { pricing, agents }, { workspaceId: newId('ws'), ...(slug !== undefined && { slug }) });

/** The input for a model with this script. */
const inputFor = (script: Script): string => told(script)[0]!.content;

/** A call of an agent, whose model follows this script. */
export const calling = (agent: string, script: Script, more: object = {}): Script => ({
  toolCalls: [{ name: 'call_agent', arguments: JSON.stringify({ agent, input: inputFor(script), ...more }) }],
});

/** A run of an agent that may call another agent, which is published first. */
export async function makeCaller(
  stage: RunStage,
  scriptOf: (called: string) => Script,
  wish: RunSetup = {},
): Promise<RunRow> {
  const called = await publish(stage);
  const published = await publish(stage, [called]);
  return stage.makeRun({ published, visibility: 'public', script: scriptOf(called), ...wish });
}

/** The run that the second step of a run has started. */
export const childOf = (stage: RunStage, run: RunRow): Promise<RunRow> => stage.readRun(childRunIdOf(run.id, 2));

/** Paths through a run that calls another agent. */
export const childScenarios: Record<string, Scenario> = {
  agentCalled: {
    promise: 'a model calls another agent, and reads its answer',
    ends: { status: 'completed', output: [{ type: 'output_text', text: 'It is blue.' }] },
    play: async (stage) => {
      const run = await makeCaller(stage, (called) => ({
        turns: [calling(called, { text: 'Blue.' }), { text: 'It is blue.' }],
      }));
      await stage.workflows.start(run);
      return stage.endOf(run.id);
    },
  },
  agentCalledCancelled: {
    promise: 'the cancellation of a run cancels the run that it has started, first',
    ends: { status: 'cancelled' },
    play: async (stage) => {
      const run = await makeCaller(stage, (called) => calling(called, { fault: 'endless', delayMs: 20 }));
      await stage.workflows.start(run);
      await stage.untilEvent(childRunIdOf(run.id, 2), 'run.output_text.delta');
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
