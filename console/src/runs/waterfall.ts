import type { Run, Step } from './runEvents.ts';

/** Parts of the time axis, from 0 to 1. */
export interface Span {
  from: number;
  to: number;
}

/** A piece of a step's bar: a try, or the wait before the next one. */
export interface Piece extends Span {
  kind: 'done' | 'failed' | 'running' | 'waiting';
}

/** A line of the waterfall. */
export interface Fall {
  step: Step;
  /** 1 for what a call of the model has started; 0 for the model, and for what becomes of its earlier turns. */
  depth: 0 | 1;
  pieces: Piece[];
  /** Null while it runs. */
  durationMs: number | null;
}

export interface Waterfall {
  rows: Fall[];
  /** The whole axis. */
  totalMs: number;
  ticks: { at: number; ms: number }[];
}

const TICKS_MAX = 6;

/** The steps of a run on one axis of time. `nowMs` ends what still runs. */
export function waterfallOf(run: Pick<Run, 'started_at' | 'completed_at'>, steps: Step[], nowMs: number): Waterfall {
  const own = steps.filter(({ attempts }) => attempts.length > 0);
  const starts = own.map(({ startedAt }) => Date.parse(startedAt));
  const startMs = Math.min(...starts, run.started_at === null ? Infinity : Date.parse(run.started_at));
  const ends = own.flatMap(({ endedAt }) => (endedAt === null ? [] : [Date.parse(endedAt)]));
  const endMs = Math.max(run.completed_at === null ? nowMs : Date.parse(run.completed_at), ...ends);
  if (!Number.isFinite(startMs)) return { rows: steps.map((step) => emptyOf(step)), totalMs: 0, ticks: [] };
  const totalMs = Math.max(1, endMs - startMs);
  const at = (iso: string | null) => clamp((iso === null ? endMs - startMs : Date.parse(iso) - startMs) / totalMs);
  return {
    rows: steps.map((step) => ({ ...emptyOf(step), pieces: piecesOf(step, at) })),
    totalMs,
    ticks: ticksOf(totalMs),
  };
}

const clamp = (share: number) => Math.min(1, Math.max(0, share));

const emptyOf = (step: Step): Fall => ({
  step,
  depth: step.kind === 'model' || step.kind === 'compaction' ? 0 : 1,
  pieces: [],
  durationMs: step.endedAt === null ? null : Date.parse(step.endedAt) - Date.parse(step.startedAt),
});

function piecesOf({ attempts, state }: Step, at: (iso: string | null) => number): Piece[] {
  return attempts.flatMap((attempt, place): Piece[] => {
    const from = at(attempt.startedAt);
    const to = at(attempt.endedAt);
    const kind = attempt.endedAt === null ? 'running' : attempt.code === null ? 'done' : 'failed';
    const next = attempts[place + 1];
    const waitsTo = next ? at(next.startedAt) : state === 'retrying' ? at(null) : to;
    return [{ kind, from, to }, ...(waitsTo > to ? [{ kind: 'waiting' as const, from: to, to: waitsTo }] : [])];
  });
}

/** Round times on the axis: 1, 2 or 5 of a power of ten, in seconds below a minute. */
export function ticksOf(totalMs: number): { at: number; ms: number }[] {
  const stepMs = stepFor(totalMs / TICKS_MAX);
  const count = Math.floor(totalMs / stepMs);
  return Array.from({ length: count + 1 }, (_, place) => ({ at: (place * stepMs) / totalMs, ms: place * stepMs }));
}

const MINUTE_MS = 60_000;

function stepFor(leastMs: number): number {
  const unit = leastMs > MINUTE_MS / 2 ? MINUTE_MS : 1;
  const least = leastMs / unit;
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return unit * power * ([1, 2, 5, 10].find((step) => step * power >= least) ?? 10);
}

/** A time on the axis: `0`, `250 ms`, `4 s`, `2 min`. */
export function tickText(ms: number): string {
  if (ms === 0) return '0';
  if (ms < 1_000) return `${ms} ms`;
  return ms < MINUTE_MS ? `${ms / 1_000} s` : `${Number((ms / MINUTE_MS).toFixed(1))} min`;
}
