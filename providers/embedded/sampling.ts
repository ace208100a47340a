import { randomInt } from 'node:crypto';
import { TokenBias } from 'node-llama-cpp';
import type { LlamaModel, SequenceEvaluateOptions, Token } from 'node-llama-cpp';
import { invalidValue } from './requestError.ts';

/** The sampling parameters as OpenAI names them. */
export interface SamplingInput {
  temperature?: number | null;
  top_p?: number | null;
  seed?: number | null;
  presence_penalty?: number | null;
  frequency_penalty?: number | null;
  logit_bias?: Record<string, number> | null;
}

// The model card's own recommendation: at OpenAI's default of 1 a model this small writes nonsense.
const defaultTemperature = 0.2;
const defaultTopP = 0.9;

const seedMax = 0xffff_ffff;

/**
 * The engine's options for one choice. Choices of one request get neighbouring seeds, so that they differ and can be repeated.
 * `outputTokens` is the live list of what was produced so far: penalties look at the output only, as OpenAI's do.
 */
export function samplingOptions(
  input: SamplingInput,
  choiceIndex: number,
  outputTokens: readonly Token[],
): SequenceEvaluateOptions {
  const penalised = Boolean(input.presence_penalty || input.frequency_penalty);
  return {
    temperature: input.temperature ?? defaultTemperature,
    topP: input.top_p ?? defaultTopP,
    topK: 0,
    minP: 0,
    seed: seedOf(input.seed, choiceIndex),
    ...(penalised && { repeatPenalty: penalties(input, outputTokens) }),
  };
}

/** @throws RequestError 400 when a key is not one of the model's token ids. */
export function logitBias(model: LlamaModel, biases: Record<string, number> | null | undefined): TokenBias | undefined {
  if (!biases || Object.keys(biases).length === 0) return undefined;
  const bias = TokenBias.for(model);
  for (const [key, logit] of Object.entries(biases)) bias.set([tokenOf(model, key)], { logit });
  return bias;
}

function penalties(input: SamplingInput, outputTokens: readonly Token[]): SequenceEvaluateOptions['repeatPenalty'] {
  return {
    punishTokens: () => [...outputTokens],
    maxPunishTokens: 8192,
    penalty: 1,
    presencePenalty: input.presence_penalty ?? 0,
    frequencyPenalty: input.frequency_penalty ?? 0,
  };
}

/** The sampler takes 32 bits, and reads the highest value as "any seed": that one is never passed. */
function seedOf(seed: number | null | undefined, choiceIndex: number): number {
  if (seed === null || seed === undefined) return randomInt(seedMax);
  return Number(BigInt.asUintN(32, BigInt(seed) + BigInt(choiceIndex))) % seedMax;
}

function tokenOf(model: LlamaModel, key: string): Token {
  const id = Number(key);
  if (!Number.isInteger(id) || id < 0 || id >= model.fileInfo.metadata.tokenizer.ggml.tokens.length) {
    throw invalidValue('logit_bias', `'${key}' in logit_bias is not a token id of this model.`);
  }
  return id as Token;
}
