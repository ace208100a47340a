import type { ControlledEvaluateInputItem, LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';
import type { Engine } from './engine.ts';
import type { Reshaping } from './sampling.ts';

/** A token's log probability with biases and penalties, before temperature or a grammar, with its rivals. */
export interface TokenScore {
  token: Token;
  logprob: number;
  top: Array<{ token: Token; logprob: number }>;
}

const unchanged: Reshaping = { tokens: [], apply: (_token, logit) => logit };

/**
 * Reads a text in parallel with its generation, in a separate place, and returns the probability of each token. The generator's own numbers
 * are changed by temperature and grammar.
 */
export class Scorer {
  readonly model: LlamaModel;
  readonly #sequence: LlamaContextSequence;
  readonly #topCount: number;
  #unread: Token[] = [];

  constructor(model: LlamaModel, sequence: LlamaContextSequence, topCount: number) {
    this.model = model;
    this.#sequence = sequence;
    this.#topCount = topCount;
  }

  /** Restarts with a prompt. */
  async begin(prompt: Token[]): Promise<void> {
    await this.#sequence.clearHistory();
    this.#unread = [...prompt];
  }

  /** Scores the next token by the logits it was drawn from. */
  async next(token: Token, reshaping: Reshaping): Promise<TokenScore> {
    const targets = [...Array.from<undefined>({ length: this.#unread.length - 1 }), token];
    const scores = await this.#evaluate(this.#unread, targets, reshaping);
    this.#unread = [token];
    return scores[0]!;
  }

  /** Scores every token of a text but the first, which has no predecessor. */
  async whole(tokens: Token[]): Promise<TokenScore[]> {
    await this.#sequence.clearHistory();
    return this.#evaluate(tokens.slice(0, -1), tokens.slice(1), unchanged);
  }

  async #evaluate(tokens: Token[], targets: Array<Token | undefined>, reshaping: Reshaping): Promise<TokenScore[]> {
    const input = tokens.map((token, at) => this.#question(token, targets[at], reshaping));
    const answers = await this.#sequence.controlledEvaluate(input);
    return targets.flatMap((target, at) => {
      const next = answers[at]?.next;
      if (target === undefined || !next?.logits || !next.totalLogitWeight) return [];
      return [scoreOf(target, next.logits, next.totalLogitWeight, reshaping, this.#topCount)];
    });
  }

  #question(token: Token, target: Token | undefined, reshaping: Reshaping): ControlledEvaluateInputItem {
    if (target === undefined) return token;
    // The best logit is always requested, because the total weight is relative to it. A penalty may move one logit down for each token
    // that it changes.
    const includeTop = Math.max(1, this.#topCount) + reshaping.tokens.length;
    const logits = { filter: { tokens: [target, ...reshaping.tokens], includeTop } };
    const options = { temperature: 0, topK: 0, topP: 1 };
    return [token, { generateNext: { token: true, logits, totalLogitWeight: true, options } }];
  }
}

function scoreOf(
  target: Token,
  logits: Map<Token, number>,
  totalWeight: number,
  { tokens, apply }: Reshaping,
  topCount: number,
): TokenScore {
  const best = Math.max(...logits.values());
  // The weight of all logits is relative to the best one; changed logits are weighted again.
  const gained = tokens.reduce((sum, token) => {
    const logit = logits.get(token)!;
    return sum + Math.exp(apply(token, logit) - best) - Math.exp(logit - best);
  }, 0);
  const logTotal = best + Math.log(Math.max(totalWeight + gained, Number.MIN_VALUE));
  const changed = new Set(tokens);
  const logprobOf = (token: Token, logit: number) => (changed.has(token) ? apply(token, logit) : logit) - logTotal;
  const ranked = [...logits].map(([token, logit]) => ({ token, logprob: logprobOf(token, logit) }));
  const top = ranked.toSorted((one, other) => other.logprob - one.logprob).slice(0, topCount);
  return { token: target, logprob: logprobOf(target, logits.get(target)!), top };
}

export interface ChatLogprob {
  token: string;
  logprob: number;
  bytes: number[] | null;
  top_logprobs: Array<{ token: string; logprob: number; bytes: number[] | null }>;
}

/** A token's score in the form of chat answers. */
export function chatLogprob(engine: Engine, score: TokenScore): ChatLogprob {
  return { ...entry(engine, score), top_logprobs: score.top.map((rival) => entry(engine, rival)) };
}

/** Scores in the form of the older completions: parallel lists, null for a token without predecessor. */
export class CompletionLogprobs {
  readonly tokens: string[] = [];
  readonly token_logprobs: Array<number | null> = [];
  readonly top_logprobs: Array<Record<string, number> | null> = [];
  readonly text_offset: number[] = [];
  #offset: number;

  constructor(offset = 0) {
    this.#offset = offset;
  }

  get offset(): number {
    return this.#offset;
  }

  add(engine: Engine, token: Token, score: TokenScore | undefined): void {
    const text = engine.model.detokenize([token]);
    this.tokens.push(text);
    this.token_logprobs.push(score?.logprob ?? null);
    this.top_logprobs.push(score ? ranking(engine, score) : null);
    this.text_offset.push(this.#offset);
    this.#offset += text.length;
  }

  toJSON() {
    const { tokens, token_logprobs, top_logprobs, text_offset } = this;
    return { tokens, token_logprobs, top_logprobs, text_offset };
  }
}

/** The likeliest tokens, and the chosen one, as OpenAI has them. */
function ranking(engine: Engine, score: TokenScore): Record<string, number> {
  return Object.fromEntries(
    [...score.top, score].map(({ token, logprob }) => [engine.model.detokenize([token]), logprob]),
  );
}

function entry(engine: Engine, { token, logprob }: { token: Token; logprob: number }) {
  const text = engine.model.detokenize([token]);
  // A token with an incomplete character has no text, and so no bytes to show.
  const bytes = text.includes('\uFFFD') ? null : [...Buffer.from(text)];
  return { token: text, logprob, bytes };
}
