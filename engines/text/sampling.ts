import { randomInt } from 'node:crypto';
import { TokenBias } from 'node-llama-cpp';
import type { LlamaModel, SequenceEvaluateOptions, Token } from 'node-llama-cpp';
import { invalidValue } from '../../rules/protocol/requestError.ts';

/** The sampling parameters as OpenAI names them. */
export interface SamplingInput {
  temperature?: number | null;
  top_p?: number | null;
  seed?: number | null;
  presence_penalty?: number | null;
  frequency_penalty?: number | null;
  logit_bias?: Record<string, number> | null;
}

// The model card's recommendation: at OpenAI's default of 1 a model this small writes nonsense.
const DEFAULT_TEMPERATURE = 0.2;
const DEFAULT_TOP_P = 0.9;

// Without this penalty it repeats itself. A caller's penalty replaces it.
const DEFAULT_REPEAT_PENALTY = { penalty: 1.1, lastTokens: 64 };

const SEED_MAX = 0xffff_ffff;

/** The progress of a choice. */
export interface Progress {
  output: readonly Token[];
  inJson: boolean;
}

/**
 * The engine's options for one choice. Choices of one request get consecutive seeds, so that they differ and are reproducible. Penalties
 * apply only to the output, as in OpenAI's API.
 */
export function samplingOptions(
  input: SamplingInput,
  choiceIndex: number,
  progress: () => Progress,
): SequenceEvaluateOptions {
  return {
    temperature: input.temperature ?? DEFAULT_TEMPERATURE,
    topP: input.top_p ?? DEFAULT_TOP_P,
    topK: 0,
    minP: 0,
    seed: seedOf(input.seed, choiceIndex),
    repeatPenalty: repeatPenalty(input, progress),
  };
}

/** @throws RequestError 400 when a key is not one of the model's token ids. */
export function logitBias(model: LlamaModel, biases: Record<string, number> | null | undefined): TokenBias {
  const bias = TokenBias.for(model);
  for (const [key, logit] of Object.entries(biases ?? {})) bias.set([tokenOf(model, key)], { logit });
  return bias;
}

interface Penalties {
  /** Divides a positive logit, multiplies a negative one. */
  factor: number;
  presence: number;
  frequency: number;
  /** The tokens to penalise, with their counts. */
  tokensOf: (progress: Progress) => readonly Token[];
  tokensMax: number;
}

function penaltiesOf({ presence_penalty: presence, frequency_penalty: frequency }: SamplingInput): Penalties {
  const isChosen = typeof presence === 'number' || typeof frequency === 'number';
  if (!isChosen) {
    const { penalty, lastTokens } = DEFAULT_REPEAT_PENALTY;
    const recent = ({ output, inJson }: Progress) => (inJson ? [] : output.slice(-lastTokens));
    return { factor: penalty, presence: 0, frequency: 0, tokensOf: recent, tokensMax: lastTokens };
  }
  const whole = ({ output }: Progress) => output;
  // Longer than any answer, so that every token of it counts.
  return { factor: 1, presence: presence ?? 0, frequency: frequency ?? 0, tokensOf: whole, tokensMax: 8192 };
}

function repeatPenalty(input: SamplingInput, progress: () => Progress): SequenceEvaluateOptions['repeatPenalty'] {
  const { factor, presence, frequency, tokensOf, tokensMax } = penaltiesOf(input);
  return {
    penalty: factor,
    presencePenalty: presence,
    frequencyPenalty: frequency,
    punishTokens: () => [...tokensOf(progress())],
    maxPunishTokens: tokensMax,
  };
}

/** How sampling changes logits before a token is drawn. Log probabilities are those of the changed logits. */
export interface Reshaping {
  /** The tokens with changed logits. */
  tokens: Token[];
  apply: (token: Token, logit: number) => number;
}

/** The caller's biases, then the penalties for earlier output, as llama.cpp's sampler applies them. */
export function reshapingOf(input: SamplingInput, progress: Progress): Reshaping {
  const biases = new Map(Object.entries(input.logit_bias ?? {}).map(([key, logit]) => [Number(key) as Token, logit]));
  const { factor, presence, frequency, tokensOf } = penaltiesOf(input);
  const counts = new Map<Token, number>();
  for (const token of tokensOf(progress)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return {
    tokens: [...new Set([...biases.keys(), ...counts.keys()])],
    apply(token, logit) {
      const biased = logit + (biases.get(token) ?? 0);
      const count = counts.get(token);
      if (count === undefined) return biased;
      return (biased > 0 ? biased / factor : biased * factor) - count * frequency - presence;
    },
  };
}

/** The sampler takes 32 bits and treats the highest value as "any seed", so the highest value is never passed. */
function seedOf(seed: number | null | undefined, choiceIndex: number): number {
  if (seed === null || seed === undefined) return randomInt(SEED_MAX);
  return Number(BigInt.asUintN(32, BigInt(seed) + BigInt(choiceIndex))) % SEED_MAX;
}

function tokenOf(model: LlamaModel, key: string): Token {
  const id = Number(key);
  if (!Number.isInteger(id) || id < 0 || id >= model.fileInfo.metadata.tokenizer.ggml.tokens.length) {
    throw invalidValue('logit_bias', `'${key}' in logit_bias is not a token id of this model.`);
  }
  return id as Token;
}
