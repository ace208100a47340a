import { MODEL_STEPS } from '../../base/limits.ts';
import type { ModelSettings } from '../../db/entities/agentJson.ts';
import { needsApproval } from '../../db/agents/approvals.ts';
import type { AgentConfiguration } from '../../db/agents/configuration.ts';
import { toolNamesOf } from '../../db/agents/httpTools.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { CompactionResult, Conversation, ModelResult, RecordedStep } from '../../db/runs/steps/stepRecords.ts';
import { CALL_AGENT_NAME } from '../../tools/tool.ts';
import type { RunResult } from '../../contracts/run.ts';

/**
 * The turn after a model step: tools, a request to the caller for a higher limit, or the end. A tool that the agent does not have is
 * recorded as `unknown`, because its name is model output. `modelStepsMax`: the version's maximum, above the usual one.
 */
export type RunTurn = { reused?: ReusedSteps; modelStepsMax?: number } & (
  | { next: 'tools'; toolCalls: CalledTool[]; deadlineMs: number }
  | { next: 'raise_limit'; deadlineMs: number }
  /** A plugin requires something of the caller; then the step is retried. */
  | { next: 'plugin'; deadlineMs: number }
  /** The answer reached the model's length limit, so the model is called to continue it. */
  | { next: 'continue'; deadlineMs: number }
  | { next: 'end'; result: RunResult }
);

/** The maximum of model calls for a turn, if the agent's version allows more than the usual number. */
export const stepsMaxIn = ({ max_steps: most }: ModelSettings): Pick<RunTurn, 'modelStepsMax'> =>
  most && most > MODEL_STEPS ? { modelStepsMax: most } : {};

/** A call that becomes a step. `needsApproval`: only after the run's caller has approved it. */
interface CalledTool {
  step: number;
  name: string;
  needsApproval?: true;
}

/**
 * Where a run continues after other steps than the one that was ordered, as those that a rerun reuses: their last model step, their last
 * step, and their number of model calls.
 */
export interface ReusedSteps {
  modelStep: number;
  lastStep: number;
  modelSteps: number;
}

/** The turn after a model step with this result that has not ended its run. `known`: the tools in its request. */
export function nextTurn(
  { outcome, toolCalls }: ModelResult,
  { deadlineMs, configuration, known }: { deadlineMs: number; configuration: AgentConfiguration; known?: Set<string> },
): RunTurn {
  if (outcome === 'length' || outcome === 'misfit') return { next: 'continue', deadlineMs };
  if (outcome !== 'tools') return { next: 'raise_limit', deadlineMs };
  const nameOf = (name: string) => (!known || known.has(name) ? name : 'unknown');
  return { next: 'tools', toolCalls: callsToRun(toolCalls, nameOf, configuration), deadlineMs };
}

/** The calls that become steps, by the names that history may keep. */
const callsToRun = (
  calls: ModelResult['toolCalls'],
  nameOf: (name: string) => string,
  configuration: AgentConfiguration,
): CalledTool[] =>
  calls.flatMap(({ step, name }) => {
    if (step === null) return [];
    const called = { step, name: nameOf(name) };
    return [needsApproval(configuration, name) ? { ...called, needsApproval: true } : called];
  });

type AskedStep = { kind: 'model' | 'compaction' };

const isAsked = ({ kind, step }: RecordedStep, before: number) =>
  (kind === 'model' || kind === 'compaction') && step < before;

/** The turn after a compaction, in which the model is asked. Only one that has called the model counts as a call. */
export function turnAfterCompaction(step: number, { mode, outcome }: CompactionResult, deadlineMs: number): RunTurn {
  if (outcome === 'limit') return { next: 'raise_limit', deadlineMs };
  const uncounted = { reused: { modelStep: step, lastStep: step, modelSteps: 0 } };
  return { next: 'continue', deadlineMs, ...(mode === 'truncate' && uncounted) };
}

/** The turn after the reused steps of a rerun: the pending tools of their last model step, or the model. */
export function turnAfterReused(
  { rerun_from_step: fromStep }: RunRow,
  { steps, modelCalls, configuration }: Conversation,
  deadlineMs: number,
): RunTurn {
  const { step: modelStep, result } = steps.findLast((step) => isAsked(step, fromStep!)) as RecordedStep & AskedStep;
  const known = [...toolNamesOf(configuration), CALL_AGENT_NAME];
  const nameOf = (name: string) => (known.includes(name) ? name : 'unknown');
  const calls = result.outcome === 'tools' ? callsToRun(result.toolCalls, nameOf, configuration) : [];
  const reused = { modelStep, lastStep: modelStep + calls.length, modelSteps: modelCalls };
  const toolCalls = calls.filter(({ step }) => step >= fromStep!);
  const next = toolCalls.length > 0 ? { next: 'tools' as const, toolCalls } : { next: 'continue' as const };
  return { ...next, deadlineMs, reused };
}
