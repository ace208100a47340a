import { divideUp, type Quantities } from '../../db/money.ts';
import type { Model } from '../../db/catalog.ts';
import type { Json, TextPath, Usage } from '../../providers/provider.ts';
import { mediaIn } from '../../providers/metering/media.ts';
import { estimatePromptTokens } from '../../providers/tokens.ts';
import type { Context } from '../context.ts';
import type { ParsedText } from './schema/parsed.ts';
import { refuseOversized } from './oversizedPrompt.ts';
import { tariffOf } from './tariff.ts';

/** A call to a text model, from whichever route: what is sent upstream, and what its size and price depend on. */
export interface TextCall {
  route: string;
  path: TextPath;
  model: Model;
  /** For the upstream, but for the model's id. */
  body: Json;
  bodyBytes: number;
  /** Rather too many than too few. */
  estimatedPromptTokens: number;
  /** The caller's limit for one sequence, null for none. */
  outputTokensMax: number | null;
  /** How many sequences are generated. */
  choices: number;
  outputCapParam: 'max_tokens' | 'max_completion_tokens';
}

// A stream's hold starts with this much output and grows by as much.
const STREAM_STEP_TOKENS = 512;

const PICOS_PER_NANO = 1_000n;
const CAP_PARAMS = ['max_tokens', 'max_completion_tokens'];

/** The call that a parsed request makes at an upstream. Throws 400 for a parameter that the model's price does not allow. */
export function callOf(ctx: Context, input: ParsedText, model: Model, path: TextPath): TextCall {
  const { body, outputTokensMax, choices, outputCapParam } = input;
  const { route, bodyBytes } = ctx.state;
  const estimatedPromptTokens = estimatePrompt(model, body, bodyBytes);
  const sized = { bodyBytes, estimatedPromptTokens, outputTokensMax, choices, outputCapParam };
  return { route, path, model: tariffOf(model, path, body), body, ...sized };
}

/**
 * What a prompt may count, before anything has counted it: text by its size, images by their squares, sounds by their length. Media count
 * no more than the model can read. Throws 400 for a conversation that is too long for the model by its size alone.
 */
function estimatePrompt(model: Model, body: Json, bodyBytes: number): number {
  const media = mediaIn(body, model.mediaTokens);
  if (body.messages !== undefined) refuseOversized(model, bodyBytes - media.characters);
  const tokens = Math.min(media.tokens, model.contextTokens || Infinity);
  return estimatePromptTokens(bodyBytes, { ...media, tokens });
}

/** Price of so many tokens at the model's rates in nano-USD, rounded up: for holds. Bills are priced by `db/money`. */
function holdNanosOf(model: Model, inputTokens: number, outputTokens: number): bigint {
  const {
    input_tokens: inputPicos = 0n,
    output_tokens: outputPicos = 0n,
    cache_write_tokens: writePicos = 0n,
  } = model.rates;
  // A prompt that is written to a cache may cost more than one that is only read.
  const promptPicos = writePicos > inputPicos ? writePicos : inputPicos;
  const picos = BigInt(inputTokens) * promptPicos + BigInt(outputTokens) * outputPicos;
  return divideUp(picos, PICOS_PER_NANO);
}

/** What a call whose progress can't be seen may cost at most. */
export function worstCaseNanos(call: TextCall): bigint {
  return holdNanosOf(call.model, call.estimatedPromptTokens, capTokensOf(call) * call.choices);
}

/** The least that a call runs with: its prompt and one token of each sequence. The rest of a dearer prompt would be written off. */
export function leastNanos(call: TextCall): bigint {
  return holdNanosOf(call.model, call.estimatedPromptTokens, Math.min(1, capTokensOf(call)) * call.choices);
}

/** What a stream sets aside before it starts: its prompt and a first step of output. */
export function firstStepNanos(call: TextCall): bigint {
  const stepTokens = Math.min(STREAM_STEP_TOKENS, capTokensOf(call) * call.choices);
  return holdNanosOf(call.model, call.estimatedPromptTokens, stepTokens);
}

/** What a stream's hold grows by. */
export function nextStepNanos(call: TextCall): bigint {
  return holdNanosOf(call.model, 0, STREAM_STEP_TOKENS);
}

/** A usage up to which a hold covers a stream with a quarter of a step to spare, and within which the model keeps to its limit. */
export function coveredUsageOf(call: TextCall, holdNanos: bigint, inputTokens: number): Usage {
  const spareNanos = holdNanos - holdNanosOf(call.model, inputTokens, 0) - nextStepNanos(call) / 4n;
  const tokenPicos = call.model.rates.output_tokens ?? 0n;
  const affordable = tokenPicos === 0n ? Infinity : Number((spareNanos * PICOS_PER_NANO) / tokenPicos);
  return { inputTokens, outputTokens: Math.min(affordable, capTokensOf(call) * call.choices) };
}

/** The most output tokens of one sequence: the caller's limit or the model's. */
export function capTokensOf(call: TextCall): number {
  return Math.min(call.outputTokensMax ?? Infinity, call.model.outputTokensMax);
}

/** The body for a call whose hold is smaller than its worst case: the upstream is told to stop where the hold does. */
export function bodyWithin(call: TextCall, holdNanos: bigint): Json {
  const promptNanos = holdNanosOf(call.model, call.estimatedPromptTokens, 0);
  const tokenPicos = (call.model.rates.output_tokens ?? 0n) * BigInt(call.choices);
  if (tokenPicos === 0n) return call.body;
  const affordable = Number(((holdNanos - promptNanos) * PICOS_PER_NANO) / tokenPicos);
  const capTokens = Math.max(1, Math.min(affordable, capTokensOf(call)));
  // A caller may send both names of the cap, and an upstream obey either.
  const sent = CAP_PARAMS.filter((name) => call.body[name] !== undefined);
  const caps = [call.outputCapParam, ...sent].map((name) => [name, capTokens]);
  return { ...call.body, ...Object.fromEntries(caps) };
}

/** The billed units of a usage. Parts of the prompt that the model has no price of their own for cost what the rest of it does. */
export function quantitiesOf({ kind, rates }: Model, usage: Usage): Quantities {
  const cachedTokens = rates.cached_input_tokens === undefined ? 0 : (usage.cachedInputTokens ?? 0);
  const writtenTokens = rates.cache_write_tokens === undefined ? 0 : (usage.cacheWriteTokens ?? 0);
  const quantities: Quantities = { input_tokens: usage.inputTokens - cachedTokens - writtenTokens };
  if (cachedTokens > 0) quantities.cached_input_tokens = cachedTokens;
  if (writtenTokens > 0) quantities.cache_write_tokens = writtenTokens;
  if (kind !== 'embedding') quantities.output_tokens = usage.outputTokens;
  return quantities;
}
