import type { Token } from 'node-llama-cpp';
import type { Engine } from './engine.ts';
import type { TokenScore } from './scorer.ts';

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

/** Scores in the form of the older completions: parallel lists, null for a token that nothing comes before. */
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

function ranking(engine: Engine, score: TokenScore): Record<string, number> {
  return Object.fromEntries(score.top.map(({ token, logprob }) => [engine.model.detokenize([token]), logprob]));
}

function entry(engine: Engine, { token, logprob }: { token: Token; logprob: number }) {
  const text = engine.model.detokenize([token]);
  // A token that is only a part of a character has no text of its own, and so no bytes to show.
  const bytes = text.includes('\uFFFD') ? null : [...Buffer.from(text)];
  return { token: text, logprob, bytes };
}
