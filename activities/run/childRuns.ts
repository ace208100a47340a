import { log } from '@temporalio/activity';
import { z } from 'zod';
import { textOfFaults } from '../../base/jsonSchema.ts';
import { dataIn } from '../../db/agents/modelSettings.ts';
import { beginStep } from '../../db/runs/steps/beginStep.ts';
import { requestCancel } from '../../db/runs/states/cancelRun.ts';
import { childRunIdOf, readRunRow, takeBack } from '../../db/runs/childRuns.ts';
import type { EventHead } from '../../db/events/appendEvents.ts';
import type { AgentConfiguration } from '../../db/agents/configuration.ts';
import { readAllowedAgents } from '../../db/keys/keys.ts';
import { mayRun } from '../../db/keys/scopes.ts';
import { isTerminal, type RunRow } from '../../db/runs/runRow.ts';
import { readStepRecord, readToolCall, type ToolCall } from '../../db/runs/steps/stepRecords.ts';
import { findBegunStep, finishStep, StepLost, type StepEnding } from '../../db/runs/steps/steps.ts';
import { findAgent } from '../../orders/findAgent.ts';
import { UNATTENDED, type Order } from '../../orders/order.ts';
import { placeChild } from '../../orders/place.ts';
import { OrderRefused, type Refusal } from '../../orders/refused.ts';
import { CALL_AGENT_NAME } from '../../tools/tool.ts';
import type { RunDependencies } from '../dependencies.ts';
import { failureOf } from './failures.ts';
import type { ToolStepDone } from './toolStep.ts';

/** A call of an agent by a run's model. */
export interface ChildOrder {
  runId: string;
  step: number;
  /** The model step that made the call. */
  modelStep: number;
  /** The run's deadline, in milliseconds since 1970. */
  deadlineMs: number;
}

/** The run that a call has started, or the result of a refused call. */
export type ChildStarted =
  { childId: string; meters: object; events: EventHead[] } | (ToolStepDone & { childId?: undefined });

/** The activities of a run that calls another agent: start its run, take its result, cancel it. Each is idempotent. */
export function childRunActivities(dependencies: RunDependencies) {
  const { db, workflows } = dependencies;
  return {
    async startChildRun(order: ChildOrder): Promise<ChildStarted> {
      const { runId, step } = order;
      const call = await readToolCall(db.pool, order);
      const begin = { runId, step, kind: 'tool', name: CALL_AGENT_NAME, arguments: call.arguments } as const;
      const started = await beginStep(db.pool, begin);
      if (started.state === 'done') return { outcome: 'done', ...(await readStepRecord(db.pool, order)) };
      if (started.state !== 'begun') throw failureOf(new StepLost(`the run ${runId} has ended`));
      const { begun, run, events } = started;
      const earlierEvents = begun.attempt === 1 ? events : (await readStepRecord(db.pool, order)).events;
      try {
        const child = await createCalled(dependencies, { run, call, order });
        // If this fails, the sweep starts it.
        await workflows.start(child).catch((error: unknown) => log.warn('a child was not started', { error }));
        return { childId: child.id, meters: {}, events: earlierEvents };
      } catch (error) {
        if (!(error instanceof CallRefused)) throw error;
        const ended = await finishStep(db.pool, begun, endingOf({ text: error.message, isError: true }));
        return { outcome: 'done', meters: CALL, events: [...earlierEvents, ...ended.events] };
      }
    },

    /** The result of the ended child; null before its end. Its unspent money returns to the run. */
    async finishChildRun({ runId, step, deadlineMs }: ChildOrder): Promise<ToolStepDone | null> {
      const child = await readRunRow(db.pool, childRunIdOf(runId, step));
      if (!child || !isTerminal(child.status)) return null;
      const begun = await findBegunStep(db.pool, { runId, step });
      if (!begun) return { outcome: 'done', ...(await readStepRecord(db.pool, { runId, step })) };
      const ended = await finishStep(db.pool, begun, endingOf(resultOf(child)), (client, parent) =>
        takeBack(client, db.ledger, { parent, child }),
      ).catch((error: unknown) => {
        throw failureOf(error);
      });
      return { outcome: Date.now() < deadlineMs ? 'done' : 'timeout', meters: CALL, events: ended.events };
    },

    async cancelChildRun({ runId, step }: ChildOrder): Promise<void> {
      const childId = childRunIdOf(runId, step);
      const child = await readRunRow(db.pool, childId);
      if (!child) return;
      const reason = 'The run that called this agent was cancelled.';
      const order = { workspaceId: child.workspace_id, runId: childId, mode: 'immediate', reason } as const;
      const { outcome } = await requestCancel(db, order);
      if (outcome === 'cancelling') await workflows.cancel(childId);
    },
  };
}

const CALL = { tool_calls: 1000 };

const endingOf = ({ text, isError }: { text: string; isError: boolean }): StepEnding => ({
  state: 'completed',
  ...(isError && { failure: { reason: 'tool_error', message: text.slice(0, 500) } }),
  result: { text, isError },
  quantities: CALL,
});

/** The model's text about an ended run. */
function resultOf(child: RunRow): { text: string; isError: boolean } {
  const output = child.output as { type: string; text?: string; filename?: string; data?: object }[];
  const texts = output.map(
    ({ text, filename, data }) => text ?? (filename ? `[File: ${filename}]` : JSON.stringify(data)),
  );
  const text = texts.join('\n').slice(0, 65_536);
  if (child.status === 'completed') return { text, isError: false };
  return {
    text: `The agent ${child.agent} ended as ${child.status} (${child.status_reason ?? 'no reason'}). ${text}`.trim(),
    isError: true,
  };
}

/** The call cannot be carried out; the model reads why. */
class CallRefused extends Error {
  override readonly name = 'CallRefused';
}

const unavailable = (agent: string) => `The agent ${agent} is not available.`;

/** The model's text about a refused order. Other reasons are omitted: the model could not act on them. */
const REFUSALS: Partial<Record<Refusal['reason'], (agent: string) => string>> = {
  agent_not_found: unavailable,
  agent_suspended: unavailable,
  model_unavailable: unavailable,
  too_deep: () => 'Agents call each other at most three levels deep: do this without another agent.',
  no_budget: () => 'The money that is left for this run is too little for that agent.',
  too_many_runs: () => 'The workspace has too many open runs. Try again later.',
  parent_over: () => 'The run has ended.',
};

const textOf = (refusal: Refusal, agent: string): string | undefined =>
  refusal.reason === 'unfit_data' ? unfit(textOfFaults(refusal.faults)) : REFUSALS[refusal.reason]?.(agent);

const unfit = (fault: string) => `The agent takes JSON that fits its schema: ${fault}.`;

const Arguments = z.object({
  agent: z.string(),
  input: z.string().min(1).max(262_144),
  max_cost_usd: z.number().positive().max(1_000).nullish(),
});

interface Called {
  run: RunRow;
  call: ToolCall;
  order: ChildOrder;
}

/** Creates the run of a call. Throws `CallRefused`. */
async function createCalled({ db, orders }: RunDependencies, { run, call, order }: Called): Promise<RunRow> {
  const asked = Arguments.safeParse(dataIn(call.arguments));
  if (!asked.success) throw new CallRefused(`The arguments do not fit: ${asked.error.issues[0]!.message}.`);
  const { agent: name, input, max_cost_usd } = asked.data;
  const { workspace_id: workspaceId, key_id: keyId, account_id: accountId } = run;
  const by = { workspaceId, keyId, accountId, allowedAgents: await readAllowedAgents(db.pool, keyId) };
  const callable = (call.configuration.agents ?? []).filter((agent) => mayRun(by, agent));
  if (!callable.includes(name)) throw new CallRefused(`Agents that can be called: ${callable.join(', ') || 'none'}.`);
  try {
    const agent = await findAgent(orders, { by }, { agent: name, visibility: 'public' });
    const child: Order = {
      ...UNATTENDED,
      agent: name,
      visibility: 'public',
      input: inputOf(agent.configuration, input),
      max_cost_usd: max_cost_usd ?? undefined,
      timeout_seconds: Math.max(1, Math.floor((order.deadlineMs - Date.now()) / 1000)),
      source: 'agent',
    };
    return await placeChild(orders, { by, order: child, agent, parent: { runId: run.id, step: order.step } });
  } catch (error) {
    const text = error instanceof OrderRefused ? textOf(error.refusal, name) : undefined;
    throw text === undefined ? error : new CallRefused(text);
  }
}

function inputOf({ input_schema: schema }: AgentConfiguration, input: string): Order['input'] {
  if (!schema) return input;
  const data = dataIn(input);
  if (typeof data !== 'object' || data === null) throw new CallRefused(unfit('it is no JSON object'));
  return [{ type: 'input_data', data }];
}
