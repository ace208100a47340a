import { LlamaGrammarEvaluationState } from 'node-llama-cpp';
import type { LlamaContextSequence, LlamaGrammar, SequenceEvaluateOptions, Token, TokenBias } from 'node-llama-cpp';
import { STEP_TOKENS, type Engine } from './engine.ts';
import type { Scorer, TokenScore } from './scorer.ts';
import { reshapingOf, samplingOptions } from './sampling.ts';
import type { SamplingInput } from './sampling.ts';
import { StopFilter } from './stopFilter.ts';

/** What one choice is made from. */
export interface GenerationRequest {
  prompt: Token[];
  outputTokensMax: number;
  sampling: SamplingInput;
  bias: TokenBias;
  choiceIndex: number;
  stops: string[];
  /** Texts that open so are not looked through for stop texts. */
  stopExempt?: string;
  grammar?: LlamaGrammar;
  /** Whether an answer that opens so is JSON, which is treated more carefully: it must come to its end, and it repeats itself. */
  isJson?: (opening: string) => boolean;
  scorer?: Scorer;
}

/** What one token brought. The text may be empty while a character or a stop text is still incomplete. */
export interface Piece {
  text: string;
  /** 1, or 0 when this is only what an earlier token had left open. */
  tokens: 0 | 1;
  score?: TokenScore;
}

export type FinishReason = 'stop' | 'length';

// From here on JSON is brought to its end, so that a model that rambles still gives a whole object.
const CLOSE_AFTER_TOKENS = 384;
const CLOSE_AFTER_SHARE = 0.6;

/**
 * Produces one choice, a piece for each token, and returns why it ended.
 * Leaving the iteration ends the work; an aborted signal makes it throw the signal's reason within one token.
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

/** Reads all but the prompt's last step into the sequence and returns what is left to evaluate; a prefix already there is kept. */
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

/** Turns tokens into text; a character that spans several tokens comes with its last one. */
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
