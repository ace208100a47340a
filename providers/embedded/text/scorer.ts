import type { ControlledEvaluateInputItem, LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';

/** A token's log probability as the model itself gives it, before temperature, penalties, biases or a grammar, with its rivals. */
export interface TokenScore {
  token: Token;
  logprob: number;
  top: Array<{ token: Token; logprob: number }>;
}

/**
 * Reads a text along with its writer, in a place of its own, and tells how likely each token was.
 * The writer's own numbers would not do: they come after sampling has reshaped them.
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

  /** Starts over with a prompt. */
  async begin(prompt: Token[]): Promise<void> {
    await this.#sequence.clearHistory();
    this.#unread = [...prompt];
  }

  /** Scores the token that follows all those before. */
  async next(token: Token): Promise<TokenScore> {
    const targets = [...Array.from<undefined>({ length: this.#unread.length - 1 }), token];
    const scores = await this.#evaluate(this.#unread, targets);
    this.#unread = [token];
    return scores[0]!;
  }

  /** Scores every token of a text but its first, which nothing comes before. */
  async whole(tokens: Token[]): Promise<TokenScore[]> {
    await this.#sequence.clearHistory();
    return this.#evaluate(tokens.slice(0, -1), tokens.slice(1));
  }

  async #evaluate(tokens: Token[], targets: Array<Token | undefined>): Promise<TokenScore[]> {
    const input = tokens.map((token, at) => this.#question(token, targets[at]));
    const answers = await this.#sequence.controlledEvaluate(input);
    return targets.flatMap((target, at) => {
      const next = answers[at]?.next;
      if (target === undefined || !next?.logits || !next.totalLogitWeight) return [];
      return [scoreOf(target, next.logits, next.totalLogitWeight, this.#topCount)];
    });
  }

  #question(token: Token, target: Token | undefined): ControlledEvaluateInputItem {
    if (target === undefined) return token;
    // The best logit is always asked for: the total weight is relative to it.
    const logits = { filter: { tokens: [target], includeTop: Math.max(1, this.#topCount) } };
    const options = { temperature: 0, topK: 0, topP: 1 };
    return [token, { generateNext: { token: true, logits, totalLogitWeight: true, options } }];
  }
}

function scoreOf(target: Token, logits: Map<Token, number>, totalWeight: number, topCount: number): TokenScore {
  const best = Math.max(...logits.values());
  const logTotal = best + Math.log(totalWeight);
  const ranked = [...logits].toSorted((one, other) => other[1] - one[1]);
  const top = ranked.slice(0, topCount).map(([token, logit]) => ({ token, logprob: logit - logTotal }));
  return { token: target, logprob: logits.get(target)! - logTotal, top };
}
