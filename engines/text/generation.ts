import {
  LlamaGrammarEvaluationState,
  type LlamaContextSequence,
  type LlamaGrammar,
  type SequenceEvaluateOptions,
  type Token,
  type TokenBias,
} from 'node-llama-cpp';
import { STEP_TOKENS, type Engine } from './engine.ts';
import { reshapingOf, samplingOptions, type SamplingInput } from './sampling.ts';
import { Scorer, type TokenScore } from './scorer.ts';

/** The inputs of one choice. */
export interface GenerationRequest {
  prompt: Token[];
  outputTokensMax: number;
  sampling: SamplingInput;
  bias: TokenBias;
  choiceIndex: number;
  stops: string[];
  /** Texts with this prefix are not searched for stop texts. */
  stopExempt?: string;
  grammar?: LlamaGrammar;
  /**
   * Whether an answer with this prefix is JSON. JSON gets a bias towards its end, because it must be complete and tends to repeat itself.
   */
  isJson?: (opening: string) => boolean;
  scorer?: Scorer;
}

/** The result of one token. The text may be empty while a character or a stop text is still incomplete. */
interface Piece {
  text: string;
  /** 1, or 0 for text that an earlier token had left open. */
  tokens: 0 | 1;
  score?: TokenScore;
}

export type FinishReason = 'stop' | 'length';

// From here on JSON is brought to its end, so that a rambling model still returns a complete object.
const CLOSE_AFTER_TOKENS = 384;
const CLOSE_AFTER_SHARE = 0.6;

/**
 * Generates one choice, a piece for each token, and returns why it ended. Leaving the iteration ends the work; an aborted signal makes it
 * throw the signal's reason within one token.
 */
export async function* generate(
  engine: Engine,
  sequence: LlamaContextSequence,
  request: GenerationRequest,
  signal: AbortSignal,
): AsyncGenerator<Piece, FinishReason> {
  const { scorer, outputTokensMax } = request;
  const output: Token[] = [];
  const decoder = textDecoder(engine);
  const stop = new StopFilter(request.stops, request.stopExempt);
  const rest = await readPrompt(sequence, request.prompt, signal);
  for await (const token of sequence.evaluate(rest, evaluateOptions(engine, request, output))) {
    signal.throwIfAborted();
    const score = await scorer?.next(
      token,
      reshapingOf(request.sampling, { output, inJson: isInJson(engine, request, output) }),
    );
    output.push(token);
    const isLast = output.length >= outputTokensMax;
    const text = stop.push(decoder(token, isLast));
    yield { text: isLast && !stop.stopped ? text + stop.flush() : text, tokens: 1, ...(score && { score }) };
    if (stop.stopped) return 'stop';
    if (isLast) return 'length';
  }
  const held = decoder(undefined, true) + stop.flush();
  if (held) yield { text: held, tokens: 0 };
  return 'stop';
}

/** Evaluates all but the prompt's last step, and returns the rest; a prefix that is already in the sequence is kept. */
async function readPrompt(sequence: LlamaContextSequence, prompt: Token[], signal: AbortSignal): Promise<Token[]> {
  await sequence.adaptStateToTokens(prompt.slice(0, -1), false);
  let at = sequence.nextTokenIndex;
  while (prompt.length - at > STEP_TOKENS) {
    signal.throwIfAborted();
    await sequence.evaluateWithoutGeneratingNewTokens(prompt.slice(at, at + STEP_TOKENS));
    at += STEP_TOKENS;
  }
  return prompt.slice(at);
}

function evaluateOptions(engine: Engine, request: GenerationRequest, output: Token[]): SequenceEvaluateOptions {
  const { grammar, sampling, bias } = request;
  const inJson = () => isInJson(engine, request, output);
  const options = samplingOptions(sampling, request.choiceIndex, () => ({ output, inJson: inJson() }));
  if (!grammar) return { ...options, tokenBias: bias };
  const closing = engine.closingBias();
  const closeAt = Math.min(CLOSE_AFTER_TOKENS, request.outputTokensMax * CLOSE_AFTER_SHARE);
  return {
    ...options,
    grammarEvaluationState: new LlamaGrammarEvaluationState({ model: engine.model, grammar }),
    tokenBias: () => (output.length >= closeAt && inJson() ? closing : bias),
  };
}

function isInJson(engine: Engine, { grammar, isJson }: GenerationRequest, output: Token[]): boolean {
  return grammar !== undefined && isJson !== undefined && isJson(engine.model.detokenize(output.slice(0, 3)));
}

/** Turns tokens into text; a character that spans several tokens is returned with its last one. */
function textDecoder(engine: Engine): (token: Token | undefined, isLast: boolean) => string {
  let pending: Token[] = [];
  return (token, isLast) => {
    if (token !== undefined) pending.push(token);
    const text = engine.model.detokenize(pending);
    if (text.endsWith('\uFFFD') && pending.length < 4 && !isLast) return '';
    pending = [];
    return text;
  };
}

/**
 * Passes text on until one of the stop texts appears; a possible start of one is held back. Texts that begin with `exempt` (tool calls)
 * are passed on whole: a stop text inside their JSON would break it.
 */
export class StopFilter {
  readonly #stops: string[];
  readonly #exempt: string | undefined;
  #held = '';
  #opening = '';
  stopped = false;

  constructor(stops: string[], exempt?: string) {
    this.#stops = stops.filter(Boolean);
    this.#exempt = exempt;
  }

  /** The text that can be shown now. */
  push(text: string): string {
    if (this.#stops.length === 0 || this.#isExempt(text)) return this.flush() + text;
    this.#held += text;
    const found = this.#stops.map((stop) => this.#held.indexOf(stop)).filter((at) => at >= 0);
    if (found.length > 0) {
      this.stopped = true;
      return this.#take(Math.min(...found));
    }
    return this.#take(this.#held.length - this.#undecided());
  }

  /** The held-back text, once it is certain that nothing follows. */
  flush(): string {
    return this.#take(this.#held.length);
  }

  #isExempt(text: string): boolean {
    if (!this.#exempt) return false;
    if (this.#opening.length < this.#exempt.length) this.#opening += text;
    return this.#opening.startsWith(this.#exempt);
  }

  #take(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text;
  }

  /** How many characters at the end could still become a stop text. */
  #undecided(): number {
    for (let length = this.#held.length; length > 0; length -= 1) {
      const tail = this.#held.slice(-length);
      if (this.#stops.some((stop) => stop.startsWith(tail))) return length;
    }
    return 0;
  }
}

/** A part of a call that keeps its place from start to end, such as one choice. */
export type Part<T> = (sequence: LlamaContextSequence, scorer: Scorer | undefined) => AsyncGenerator<T>;

/**
 * Runs the parts of a call in one of the engine's places (and in one for scoring, when `topLogprobs` is given), and empties it afterwards.
 * Between two parts waiting calls are served first, so a call of many parts does not block them.
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
  // The scoring place is taken first: a call that holds an ordinary place must never wait for it.
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
  // The cache is emptied between callers: otherwise the time of evaluation would reveal whether a text was sent before.
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
