import type { Model } from '../../db/catalog.ts';
import type { ApiError } from '../errors/apiError.ts';
import { invalidRequest } from '../errors/requestErrors.ts';

// No text of any language or kind has as many bytes per token.
const BYTES_PER_TOKEN_MAX = 64;

/**
 * Refuses a conversation that is too long for its model by its size alone: 400 `context_length_exceeded`. Its upstream would tokenise it
 * first, which costs seconds that are never billed.
 */
export function refuseOversized(model: Model, textBytes: number): void {
  if (isOversized(model, textBytes))
    throw contextExceeded(model, `your messages have ${textBytes} bytes`, 'the messages', 'messages');
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

function refuseOne(model: Model, prompt: Prompt, noun: string, param: string): void {
  const isText = typeof prompt === 'string';
  const size = isText ? Buffer.byteLength(prompt) : prompt.length;
  if (isText ? isOversized(model, size) : size > model.contextTokens)
    throw contextExceeded(model, `your ${noun} has ${size} ${isText ? 'bytes' : 'tokens'}`, `the ${noun}`, param);
}

const isOversized = ({ contextTokens }: Model, textBytes: number): boolean =>
  contextTokens > 0 && textBytes > contextTokens * BYTES_PER_TOKEN_MAX;

// In the words that LiteLLM and LangChain look for.
const contextExceeded = ({ contextTokens }: Model, found: string, noun: string, param: string): ApiError =>
  invalidRequest(
    'context_length_exceeded',
    `This model's maximum context length is ${contextTokens} tokens. However, ${found}, which is more than that. Please reduce the length of ${noun}.`,
    param,
  );
