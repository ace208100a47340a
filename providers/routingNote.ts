import { countText } from '../base/sentences.ts';

/** By what the upstreams of a model are sorted. */
export type RoutingRule = 'order' | 'weighted' | 'price' | 'latency' | 'errors';

export const ATTEMPT_OUTCOMES = [
  'answered',
  'failed',
  'overloaded',
  'unreachable',
  'stalled',
  'account',
  'unavailable',
  'refused',
  'late',
  'skipped',
] as const;

/** How an attempt ended. `late`: another upstream answered before it; `skipped`: not tried in its order, as its circuit was open. */
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export interface NotedAttempt {
  upstream: string;
  outcome: AttemptOutcome;
  /** Until its first byte, or until it failed or was left; null: not tried. */
  ms: number | null;
}

/** Why a call was served by its upstream: what its record keeps. */
export interface RoutingNote {
  by: RoutingRule | 'explore' | 'probe';
  /** How many upstreams could be chosen, and how many the model has for this call. */
  healthy: number;
  of: number;
  /** Empty where the first attempt was answered and nothing was skipped. */
  attempts: NotedAttempt[];
}

/** What a call is told once its upstream was chosen. */
export interface Routed {
  note: RoutingNote;
  /** The one that answered; undefined: none did. */
  upstream: string | undefined;
  /** Tells its health that the answer turned out to be broken. */
  broke?: (() => void) | undefined;
}

const CODES: Record<RoutingNote['by'], string> = {
  order: 'o',
  weighted: 'w',
  price: 'p',
  latency: 'l',
  errors: 'e',
  explore: 'x',
  probe: 'h',
};
const BY_CODE = new Map(Object.entries(CODES).map(([by, code]) => [code, by as RoutingNote['by']]));

/** The note as a call's record has it: `p3/3`, followed by the attempts where there was more than one. */
export function noteText({ by, healthy, of, attempts }: RoutingNote): string {
  const head = `${CODES[by]}${healthy}/${of}`;
  if (attempts.length === 0) return head;
  return head + JSON.stringify(attempts.map(({ upstream, outcome, ms }) => [upstream, outcome, ms]));
}

const NOTE = /^([a-z])(\d+)\/(\d+)(\[.*)?$/s;

/** Reads what `noteText` wrote; null for anything else. */
export function parseNote(text: string): RoutingNote | null {
  const [, code = '', healthy, of, attempts = '[]'] = NOTE.exec(text) ?? [];
  const by = BY_CODE.get(code);
  if (!by) return null;
  const listed = JSON.parse(attempts) as [string, AttemptOutcome, number | null][];
  return {
    by,
    healthy: Number(healthy),
    of: Number(of),
    attempts: listed.map(([upstream, outcome, ms]) => ({ upstream, outcome, ms })),
  };
}

const WORDS: Record<RoutingNote['by'], string> = {
  order: 'the first',
  weighted: 'drawn by weight',
  price: 'the lowest cost',
  latency: 'the lowest p95 of five minutes',
  errors: 'the fewest errors of five minutes',
  explore: 'tried to learn its figures',
  probe: 'tried again after failures',
};

/** The note as a sentence. */
export function reasonOf({ by, healthy, of, attempts }: RoutingNote, upstream: string | null): string {
  const how = `${WORDS[by]} of ${countText(healthy, 'healthy upstream')} (of ${of})`;
  const before = attempts.filter((one) => one.outcome !== 'answered').map(attemptText);
  const chosen = attempts.some(({ outcome }) => outcome === 'answered') || attempts.length === 0;
  const first = chosen && upstream !== null ? `${upstream} answered: ${how}` : `No upstream answered: ${how}`;
  return `${[first, ...before].join('; ')}.`;
}

function attemptText({ upstream, outcome, ms }: NotedAttempt): string {
  if (outcome === 'skipped') return `${upstream} was passed over, its circuit open`;
  return `${upstream} ${outcome === 'late' ? 'was late' : outcome}${ms === null ? '' : ` after ${ms} ms`}`;
}
