import type { LlamaContextSequence } from 'node-llama-cpp';
import type { Engine } from './engine.ts';
import { Scorer } from './scorer.ts';

/** A part of a call that is done in one go: one choice, say. */
export type Part<T> = (sequence: LlamaContextSequence, scorer: Scorer | undefined) => AsyncGenerator<T>;

/**
 * Does the parts of a call in one of the engine's places (and in one for scoring, when `topLogprobs` is given), and empties it
 * afterwards. Between two parts those that wait go first: a call of many parts does not hold up the others.
 * @throws RequestError 503 `overloaded` when too many wait.
 */
export async function* inPlace<T>(
  engine: Engine,
  topLogprobs: number | undefined,
  signal: AbortSignal,
  parts: Part<T>[],
): AsyncGenerator<T> {
  if (topLogprobs === undefined) yield* withSequence(engine, signal, undefined, parts);
  else yield* withScorer(engine, topLogprobs, signal, parts);
}

async function* withScorer<T>(
  engine: Engine,
  topLogprobs: number,
  signal: AbortSignal,
  parts: Part<T>[],
): AsyncGenerator<T> {
  // The scoring place comes first: what holds an ordinary one must never wait for it.
  const scoring = await engine.scoring();
  const scored = await scoring.acquire(signal);
  try {
    yield* withSequence(engine, signal, new Scorer(engine.model, scored, topLogprobs), parts);
  } finally {
    await scored.clearHistory();
    scoring.release(scored);
  }
}

async function* withSequence<T>(
  { places }: Engine,
  signal: AbortSignal,
  scorer: Scorer | undefined,
  parts: Part<T>[],
): AsyncGenerator<T> {
  // Nothing of one caller's text is left for the next: not even the time it takes to read may tell.
  const empty = (place: LlamaContextSequence) => place.clearHistory();
  let sequence: LlamaContextSequence | undefined = await places.acquire(signal);
  try {
    for (const [at, part] of parts.entries()) {
      if (at > 0) {
        const held: LlamaContextSequence = sequence;
        sequence = undefined;
        sequence = await places.takeTurns(held, signal, empty);
      }
      yield* part(sequence, scorer);
    }
  } finally {
    if (sequence) {
      await empty(sequence);
      places.release(sequence);
    }
  }
}
