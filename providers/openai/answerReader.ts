import { ProviderError, type CallSignal, type Json } from '../provider.ts';
import { BodyCollector } from './bodyCollector.ts';
import { CallReader } from './callReader.ts';
import { faultOfStatus, parsePayload } from './faults.ts';
import { checkModel, readItem, readVectors } from './readItem.ts';

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** Receives one whole answer from undici's dispatcher and settles a promise with it. */
export class AnswerReader extends CallReader {
  readonly #resolve: (answer: Json) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #body = new BodyCollector(ANSWER_BYTES_MAX);

  constructor(signal: CallSignal, resolve: (answer: Json) => void, reject: (reason: unknown) => void) {
    super(signal);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  protected override receive(chunk: Buffer): void {
    this.#body.push(chunk);
  }

  onResponseEnd(): void {
    this.leaveSignal();
    try {
      const text = this.#body.text();
      if (this.status === 200) this.#resolve(this.#checked(answerIn(text)));
      else this.refuse(faultOfStatus(this.status, this.headers, text));
    } catch (error) {
      this.refuse(error);
    }
  }

  #checked(answer: Json): Json {
    checkModel(answer, this.signal.answersAs);
    return answer;
  }

  protected override refuse(reason: unknown): void {
    this.#reject(reason);
  }
}

const answerIn = (text: string): Json => wholeAnswerIn(parsePayload(text));

/** The choices or vectors are in a list. Throws `ProviderError` (failed) without it: a caller could not read the answer. */
export function wholeAnswerIn(answer: Json): Json {
  const { choices, data } = answer;
  if (Array.isArray(choices) && choices.length > 0) return readItem(answer);
  if (Array.isArray(data) && data.length > 0) {
    readVectors(data);
    return answer;
  }
  throw new ProviderError('failed', 'the upstream answered without choices or data');
}

/** How many texts or lists of token numbers a request asks vectors of. */
export function inputsIn({ input }: Json): number {
  return Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1;
}

/** Throws `ProviderError` (failed) where an answer to a request for choices has none: its caller would get an empty one. */
export function withChoices(answer: Json): Json {
  if (Array.isArray(answer.choices) && answer.choices.length > 0) return answer;
  throw new ProviderError('failed', 'the upstream answered without choices');
}

/**
 * An answer with a vector for each input, in their order. Throws `ProviderError` (failed) for another: a caller would take them for those of
 * other inputs.
 */
export function withVectors(answer: Json, inputs: number): Json {
  const { data } = answer;
  if (Array.isArray(data) && data.length === inputs) {
    const placed: unknown[] = [];
    for (const [at, vector] of (data as { index?: number | null }[]).entries()) placed[vector.index ?? at] = vector;
    // A doubled index leaves a gap, and so does one beyond the inputs.
    if (placed.length === inputs && !placed.includes(undefined)) return { ...answer, data: placed };
  }
  throw new ProviderError('failed', 'the upstream answered without a vector for each input');
}
