import type { LlamaContextSequence } from 'node-llama-cpp';
import type { Engine } from './engine.ts';
import { Scorer } from './scorer.ts';

/**
 * Runs `work` in one of the engine's places (and in one for scoring, when `topLogprobs` is given), and empties it afterwards.
 * @throws RequestError 503 `overloaded` when too many wait.
 */
export async function* withPlace<T>(
  engine: Engine,
  topLogprobs: number | undefined,
  signal: AbortSignal,
  work: (sequence: LlamaContextSequence, scorer: Scorer | undefined) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  if (topLogprobs === undefined) yield* withSequence(engine, signal, (sequence) => work(sequence, undefined));
  else yield* withScorer(engine, topLogprobs, signal, work);
}

async function* withScorer<T>(
  engine: Engine,
  topLogprobs: number,
  signal: AbortSignal,
  work: (sequence: LlamaContextSequence, scorer: Scorer) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  // The scoring place comes first: whoever holds an ordinary one must never wait for it.
  const scoring = await engine.scoring();
  const scored = await scoring.acquire(signal);
  try {
    const scorer = new Scorer(engine.model, scored, topLogprobs);
    yield* withSequence(engine, signal, (sequence) => work(sequence, scorer));
  } finally {
    await scored.clearHistory();
    scoring.release(scored);
  }
}

async function* withSequence<T>(
  { places }: Engine,
  signal: AbortSignal,
  work: (sequence: LlamaContextSequence) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const sequence = await places.acquire(signal);
  try {
    yield* work(sequence);
  } finally {
    // Nothing of one caller's text is left for the next: not even the time it takes to read may tell.
    await sequence.clearHistory();
    places.release(sequence);
  }
}
