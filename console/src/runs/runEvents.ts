import type { components } from '../api/openapi.d.ts';

export type Run = components['schemas']['Run'];
export type RequiredAction = Run['required_actions'][number];

/** An event of a run in its stream's form. */
export interface RunEvent {
  id: string;
  type: string;
  created_at: string;
  sequence: number;
  data: Record<string, unknown>;
}

/** One try of a step; a failed one has a code. */
export interface Attempt {
  number: number;
  startedAt: string;
  endedAt: string | null;
  code: string | null;
}

export interface Step {
  id: string;
  kind: string;
  name: string;
  state: 'running' | 'done' | 'failed' | 'retrying' | 'reused';
  attempt: number;
  startedAt: string;
  endedAt: string | null;
  message: string | null;
  /** When the next attempt begins, while it is pending. */
  retryAt: string | null;
  /** The model's reasoning, and how long a step without output has worked. */
  reasoning: string;
  doing: string | null;
  arguments: string | null;
  preview: string | null;
  isCut: boolean;
  costUsd: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Its tries, in order; none of a reused step. */
  attempts: Attempt[];
}

/** The progress of a run according to its events so far. */
export interface Progress {
  events: RunEvent[];
  steps: Step[];
  /** The run's texts by item, in order. */
  texts: { id: string; text: string }[];
  totalUsd: number | null;
  /** What the agents have cost that it called. */
  childrenUsd: number | null;
}

export const NO_PROGRESS: Progress = { events: [], steps: [], texts: [], totalUsd: null, childrenUsd: null };

const STEP_STATES: Record<string, Step['state']> = {
  'run.step.started': 'running',
  'run.step.completed': 'done',
  'run.step.failed': 'failed',
  'run.step.retrying': 'retrying',
  'run.step.reused': 'reused',
};
const LAST = new Set(['run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached']);

export const isLastType = (type: string): boolean => LAST.has(type);

/** The progress with one more event. A known event changes nothing, because a resumed stream may repeat one. */
export function withEvent(before: Progress, event: RunEvent): Progress {
  const last = before.events.at(-1);
  if (last && event.sequence <= last.sequence) return before;
  return {
    events: [...before.events, event],
    steps: thoughtsWith(stepsWith(before.steps, event), event),
    texts: textsWith(before.texts, event),
    ...costsWith(before, event),
  };
}

/** Other events than this one say what the called agents have cost together with the run. */
const costsWith = ({ totalUsd, childrenUsd }: Progress, { type, data }: RunEvent) =>
  type === 'run.usage.updated'
    ? { totalUsd: numberOf(data.total_usd) ?? totalUsd, childrenUsd: numberOf(data.children_usd) ?? childrenUsd }
    : { totalUsd, childrenUsd };

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function stepsWith(steps: Step[], { type, data, created_at: at }: RunEvent): Step[] {
  const state = STEP_STATES[type];
  if (!state) return steps;
  const id = String(data.step_id);
  const known = steps.find((step) => step.id === id);
  const step: Step = {
    id,
    kind: textOf(data.kind) ?? known?.kind ?? 'step',
    name: textOf(data.name) ?? known?.name ?? '',
    state,
    attempt: Number(data.attempt ?? known?.attempt ?? 1),
    startedAt: known?.startedAt ?? at,
    endedAt: state === 'running' || state === 'retrying' ? null : at,
    message: textOf(data.message) ?? textOf(data.error_code) ?? null,
    retryAt: state === 'retrying' ? (textOf(data.retry_at) ?? null) : null,
    reasoning: state === 'running' ? '' : (known?.reasoning ?? ''),
    doing: null,
    arguments: textOf(data.arguments) ?? known?.arguments ?? null,
    preview: textOf(data.result_preview) ?? null,
    isCut: known?.isCut === true || data.arguments_truncated === true || data.result_truncated === true,
    costUsd: numberOf(data.cost_usd) ?? known?.costUsd ?? null,
    inputTokens: numberOf(data.input_tokens) ?? known?.inputTokens ?? null,
    outputTokens: numberOf(data.output_tokens) ?? known?.outputTokens ?? null,
    attempts: attemptsWith(known?.attempts ?? [], { state, data, at }),
  };
  if (known) return steps.map((one) => (one.id === id ? step : one));
  if (steps.at(-1) === undefined || steps.at(-1)!.id < id) return [...steps, step];
  // Tools run together and begin in any order; ids are in the order of the steps.
  return [...steps, step].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

function attemptsWith(
  attempts: Attempt[],
  { state, data, at }: { state: Step['state']; data: RunEvent['data']; at: string },
): Attempt[] {
  const number = Number(data.attempt ?? 1);
  if (state === 'reused') return attempts;
  if (state === 'running') return [...attempts, { number, startedAt: at, endedAt: null, code: null }];
  const code = state === 'done' ? null : (textOf(data.error_code) ?? textOf(data.code) ?? null);
  return attempts.map((one) => (one.number === number ? { ...one, endedAt: at, code } : one));
}

/** The steps with the model's reasoning, how long they have worked without output, or what a tool says of its work. */
function thoughtsWith(steps: Step[], { type, data }: RunEvent): Step[] {
  if (!['run.reasoning.delta', 'run.progress', 'run.tool.progress'].includes(type)) return steps;
  return steps.map((step) => {
    if (step.id !== data.step_id) return step;
    if (type === 'run.progress')
      return { ...step, doing: `Thinking for ${Math.round(Number(data.elapsed_ms) / 1000)} s` };
    if (type === 'run.tool.progress') return { ...step, doing: toolProgress(data) };
    return { ...step, reasoning: step.reasoning.slice(0, Number(data.offset)) + String(data.delta) };
  });
}

/** What a tool says of its work: `Looking it up, 40 %`. */
const toolProgress = ({ message, percentage }: RunEvent['data']): string =>
  [textOf(message) || 'Works', ...(typeof percentage === 'number' ? [`${Math.round(percentage)} %`] : [])].join(', ');

function textsWith(texts: Progress['texts'], { type, data }: RunEvent): Progress['texts'] {
  const id = String(data.item_id);
  if (type === 'run.output_text.done') {
    const others = texts.filter((item) => item.id !== id);
    return [...others, { id, text: String(data.text) }];
  }
  if (type !== 'run.output_text.delta') return texts;
  const known = texts.find((item) => item.id === id)?.text ?? '';
  // `offset` is the position of the delta, so a repeated one replaces itself.
  const text = known.slice(0, Number(data.offset ?? known.length)) + String(data.delta);
  return texts.some((item) => item.id === id)
    ? texts.map((item) => (item.id === id ? { id, text } : item))
    : [...texts, { id, text }];
}
