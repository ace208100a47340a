import type { Model } from '../../db/catalog/catalog.ts';
import { divideUp, PICOS_PER_NANO, type Quantities } from '../../db/money.ts';
import { mediaIn } from '../../providers/metering/media.ts';
import type { Json, TextPath, Usage } from '../../providers/provider.ts';
import { countPromptTokens, estimatePromptTokens } from '../../providers/metering/tokens.ts';
import type { ApiError } from '../../base/errors/apiError.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import type { Price } from '../reserve.ts';
import type { ParsedText } from './parameters/parameters.ts';
import { tariffOf } from './tariff.ts';

/** A call to a text model, from any route: what is sent upstream, and what its size and price depend on. */
export interface TextCall {
  route: string;
  path: TextPath;
  model: Model;
  /** The upstream's body, without the model's id. */
  body: Json;
  bodyBytes: number;
  /** A high estimate. */
  estimatedPromptTokens: number;
  /** The caller's limit for one sequence; null for none. */
  outputTokensMax: number | null;
  /** How many sequences are generated. */
  choices: number;
}

// A growing hold starts with this much output and grows by the same amount. Near the last cent it starts small and doubles, so that as many
// calls run at once as the money pays for.
const STEP_TOKENS_MAX = 512;
const STEP_TOKENS_MIN = 32;

export const ZERO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/** What of a request its estimates depend on, and its route. */
export type CallSize = Pick<TextCall, 'route' | 'bodyBytes'>;

/** The upstream call for a parsed request. Throws 400 for a parameter that the model's price does not allow. */
export function callOf(
  { route, bodyBytes }: CallSize,
  input: Pick<ParsedText, 'body' | 'outputTokensMax' | 'choices' | 'conversation'>,
  model: Model,
  path: TextPath,
): TextCall {
  const { body, outputTokensMax, choices, conversation = 'messages' } = input;
  const estimatedPromptTokens = estimatePrompt(model, body, { bodyBytes, conversation });
  const sized = { bodyBytes, estimatedPromptTokens, outputTokensMax, choices };
  return { route, path, model: tariffOf(model, path, body), body, ...sized };
}

/**
 * An upper estimate of a prompt's tokens: text by its size, images by their size in pixels, audio by its length. Media count no more than
 * the model can read. Throws 400 for a prompt whose size alone exceeds the model's context.
 */
function estimatePrompt(
  model: Model,
  body: Json,
  { bodyBytes, conversation }: { bodyBytes: number; conversation: Conversation },
): number {
  const media = mediaIn(body, model.mediaTokens);
  if (body.messages === undefined) refuseOversizedPrompt(model, body.prompt, 'prompt');
  else refuseOversized(model, bodyBytes - media.characters, conversation);
  const tokens = Math.min(media.tokens, model.contextTokens || Infinity);
  return estimatePromptTokens(bodyBytes, { ...media, tokens });
}

/** Price of these token counts at the model's rates in nano-USD, rounded up: for holds. Bills are priced by `db/money`. */
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

/** The maximum cost of a call. */
export const worstCaseNanos = (call: TextCall): bigint => startNanos(call, Infinity);

/** The first hold of a growing call: its prompt and a first step of output. */
export const firstStepNanos = (call: TextCall): bigint => startNanos(call, STEP_TOKENS_MAX);

/** The same near the last cent: a small first step. */
const smallStepNanos = (call: TextCall): bigint => startNanos(call, STEP_TOKENS_MIN);

/** The least hold of a call: its prompt and one token of each sequence. With less, part of the prompt's cost would be written off. */
const leastNanos = (call: TextCall): bigint => startNanos(call, call.choices);

// The fixed part of the estimate matters in small prompts. To count a large one costs what a caller without money should not cause.
const COUNTED_BYTES_MAX = 64_000;

/** The same with the prompt as it is counted: its estimate is high, and near the last cent that would refuse what can be paid. */
export async function countLeastNanos(call: TextCall): Promise<bigint> {
  if (call.bodyBytes > COUNTED_BYTES_MAX) return leastNanos(call);
  return startNanos({ ...call, estimatedPromptTokens: await countPrompt(call) }, call.choices);
}

/** Counts a prompt as it was sent. */
export const countPrompt = ({ body, model }: TextCall): Promise<number> => countPromptTokens(body, model.mediaTokens);

function startNanos(call: TextCall, stepTokens: number): bigint {
  const outputTokens = Math.min(stepTokens, capTokensOf(call) * call.choices);
  return holdNanosOf(call.model, call.estimatedPromptTokens, outputTokens);
}

/** The next growth of a hold: as much output as it already covers, within the bounds of a step. */
export function nextStepNanos(call: TextCall, holdNanos: bigint, inputTokens: number): bigint {
  const outputNanos = holdNanos - holdNanosOf(call.model, inputTokens, 0);
  const leastStepNanos = holdNanosOf(call.model, 0, STEP_TOKENS_MIN);
  const mostStepNanos = holdNanosOf(call.model, 0, STEP_TOKENS_MAX);
  if (outputNanos > mostStepNanos) return mostStepNanos;
  return outputNanos > leastStepNanos ? outputNanos : leastStepNanos;
}

/** Largest usage that a hold covers with `spareNanos` in reserve, within the model's limits. */
export function coveredUsageOf(call: TextCall, holdNanos: bigint, inputTokens: number, spareNanos: bigint): Usage {
  const outputNanos = holdNanos - holdNanosOf(call.model, inputTokens, 0) - spareNanos;
  const tokenPicos = call.model.rates.output_tokens ?? 0n;
  const affordable = tokenPicos === 0n ? Infinity : Number((outputNanos * PICOS_PER_NANO) / tokenPicos);
  return { inputTokens, outputTokens: Math.min(affordable, capTokensOf(call) * call.choices) };
}

/** The most output tokens of one sequence: the caller's limit or the model's. */
export function capTokensOf(call: TextCall): number {
  return Math.min(call.outputTokensMax ?? Infinity, call.model.outputTokensMax);
}

/** What a call reserves whose hold grows: `wholeNanos` while the account is rich, small steps near the last cent. */
export const growingPrice = (call: TextCall, wholeNanos: bigint): Price => ({
  wholeNanos,
  stepNanos: smallStepNanos(call),
  leastNanos: leastNanos(call),
});

/** The billed units of a usage. Cached and written tokens without a price of their own cost the same as other input. */
export function quantitiesOf({ kind, rates }: Model, usage: Usage): Quantities {
  const cachedTokens = rates.cached_input_tokens === undefined ? 0 : (usage.cachedInputTokens ?? 0);
  const writtenTokens = rates.cache_write_tokens === undefined ? 0 : (usage.cacheWriteTokens ?? 0);
  const quantities: Quantities = { input_tokens: usage.inputTokens - cachedTokens - writtenTokens };
  if (cachedTokens > 0) quantities.cached_input_tokens = cachedTokens;
  if (writtenTokens > 0) quantities.cache_write_tokens = writtenTokens;
  if (kind !== 'embedding') quantities.output_tokens = usage.outputTokens;
  return quantities;
}

// An upper bound on bytes per token in any language.
const BYTES_PER_TOKEN_MAX = 64;

/**
 * Refuses a conversation whose size alone exceeds its model's context: 400 `context_length_exceeded`. Its upstream would tokenise it first,
 * which costs seconds that are never billed.
 */
function refuseOversized(model: Model, textBytes: number, conversation: Conversation): void {
  if (!isOversized(model, textBytes)) return;
  const found = `your ${conversation} ${conversation === 'input' ? 'has' : 'have'} ${textBytes} bytes`;
  throw contextExceeded(model, found, `the ${conversation}`, conversation);
}

/**
 * The same for the member `param` of a body: a text, token numbers, or a list of either, each of which must fit by itself. Token numbers
 * are counted exactly.
 */
export function refuseOversizedPrompt(model: Model, prompt: unknown, param: 'prompt' | 'input'): void {
  if (model.contextTokens === 0 || prompt === undefined) return;
  const isOne = typeof prompt === 'string' || typeof (prompt as unknown[])[0] === 'number';
  if (isOne) return refuseOne(model, prompt as Prompt, param, param);
  for (const [at, one] of (prompt as Prompt[]).entries()) refuseOne(model, one, param, `${param}[${at}]`);
}

type Prompt = string | number[];

type Conversation = NonNullable<ParsedText['conversation']>;

function refuseOne(model: Model, prompt: Prompt, noun: string, param: string): void {
  const isText = typeof prompt === 'string';
  const size = isText ? Buffer.byteLength(prompt) : prompt.length;
  if (isText ? isOversized(model, size) : size > model.contextTokens)
    throw contextExceeded(model, `your ${noun} has ${size} ${isText ? 'bytes' : 'tokens'}`, `the ${noun}`, param);
}

const isOversized = ({ contextTokens }: Model, textBytes: number): boolean =>
  contextTokens > 0 && textBytes > contextTokens * BYTES_PER_TOKEN_MAX;

// In the words by which LiteLLM and LangChain recognise the error.
const contextExceeded = ({ contextTokens }: Model, found: string, noun: string, param: string): ApiError =>
  invalidRequest(
    'context_length_exceeded',
    `This model's maximum context length is ${contextTokens} tokens. However, ${found}, which is more than that. Please reduce the length of ${noun}.`,
    param,
  );
