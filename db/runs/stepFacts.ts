import { usdOf } from '../money.ts';
import type { NewEvent } from '../events/appendEvents.ts';
import type { RunEventType } from '../events/eventTypes.ts';
import { stepCostNanosOf, type ThousandthsByMeter } from './cost/runCost.ts';
import type { RunRow } from './runRow.ts';

/** `compaction`: replaces earlier turns in what the model reads. */
export type StepKind = 'model' | 'tool' | 'sandbox' | 'file' | 'compaction';

/** The number of a run's first step, which has no turns before it. */
export const FIRST_STEP = 1;

/** One step of a run; its number comes from the run's workflow. */
export interface StepRef {
  runId: string;
  step: number;
}

/** An attempt of a step that has begun; only this attempt may write to the step. */
export interface BegunStep extends StepRef {
  id: string;
  attempt: number;
  kind: StepKind;
  name: string;
}

/** Length limits of what events and lists show of a step's arguments and result. */
export const ARGUMENTS_BYTES_MAX = 4096;
export const PREVIEW_BYTES_MAX = 1024;

/** Length limit of a tool's failure message in events. */
export const MESSAGE_CHARACTERS_MAX = 500;

/** The arguments of a tool's call as events and lists show them: nothing for a step without a call. */
export function argumentsIn({ arguments: text }: { arguments?: string | null }): object {
  if (text === undefined || text === null) return {};
  const [cut, isCut] = cutToBytes(text, ARGUMENTS_BYTES_MAX);
  return { arguments: cut, arguments_truncated: isCut };
}

/** The beginning of a step's result as events and lists show it: nothing for a step without one. */
export function previewIn(result: { text?: unknown } | null): object {
  if (typeof result?.text !== 'string') return {};
  const [cut, isCut] = cutToBytes(result.text, PREVIEW_BYTES_MAX);
  return { result_preview: cut, result_truncated: isCut };
}

function cutToBytes(text: string, bytesMax: number): [text: string, isCut: boolean] {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return [text, false];
  // As with a part of a stream, the decoder drops a character without its last bytes.
  return [new TextDecoder().decode(bytes.subarray(0, bytesMax), { stream: true }), true];
}

/** A step's usage: null for meters that its kind lacks. */
export function usageIn(run: Pick<RunRow, 'rate_card'>, kind: StepKind, quantities: ThousandthsByMeter) {
  const unitsOf = (meter: string, ...kinds: StepKind[]) =>
    kinds.includes(kind) ? (quantities[meter] ?? 0) / 1000 : null;
  return {
    input_tokens: unitsOf('model_input_tokens', 'model', 'compaction'),
    output_tokens: unitsOf('model_output_tokens', 'model', 'compaction'),
    sandbox_seconds: unitsOf('sandbox_seconds', 'sandbox'),
    cost_usd: usdOf(stepCostNanosOf(run, quantities)),
  };
}

type StepEventType = Extract<RunEventType, `run.step.${string}`>;

/** The event of an attempt of a step. */
export function stepEvent(type: StepEventType, { id, kind, name, attempt }: BegunStep, more: object): NewEvent {
  const model = kind === 'model' ? { model: name } : {};
  return { type, data: { step_id: id, kind, name, attempt, ...model, ...more } };
}

/** An event's data on the end of a step's attempt. */
export function endFacts(
  run: Pick<RunRow, 'rate_card'>,
  kind: StepKind,
  ended: {
    startedAt: Date | string;
    endedAt: Date;
    quantities: ThousandthsByMeter;
    result: object | null;
    failure: { reason: string } | undefined;
  },
): object {
  const { startedAt, endedAt, quantities, result, failure } = ended;
  return {
    is_error: failure !== undefined,
    error_code: failure?.reason ?? null,
    ...timesIn(startedAt, endedAt),
    ...usageIn(run, kind, quantities),
    ...previewIn(result),
  };
}

/** An event's data on a step with another run's result. */
export function reusedFacts(step: {
  reusedFrom: string;
  arguments: string | null;
  errorCode: string | null;
  result: object;
}): object {
  const { reusedFrom, errorCode, result } = step;
  const error = { is_error: errorCode !== null, error_code: errorCode };
  return { reused_from: reusedFrom, ...error, ...argumentsIn(step), ...previewIn(result) };
}

/** The times of a step, from the beginning of its first attempt. */
export function timesIn(startedAt: Date | string, endedAt: Date | string | null) {
  const start = new Date(startedAt);
  const end = endedAt === null ? null : new Date(endedAt);
  return {
    started_at: start.toISOString(),
    ended_at: end?.toISOString() ?? null,
    duration_ms: end && end.getTime() - start.getTime(),
  };
}
