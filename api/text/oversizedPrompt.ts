import type { Model } from '../../db/catalog.ts';
import { invalidRequest } from '../errors/requestErrors.ts';

// No text of any language or kind has as many bytes for each of its tokens.
const BYTES_PER_TOKEN_MAX = 64;

/**
 * Refuses a conversation whose text is too long for its model by its size alone: 400 `context_length_exceeded`. Its upstream would cut it into
 * tokens first, which costs seconds that nobody pays. In the words that LiteLLM and LangChain look for.
 */
export function refuseOversized({ contextTokens }: Model, textBytes: number): void {
  if (contextTokens === 0 || textBytes <= contextTokens * BYTES_PER_TOKEN_MAX) return;
  throw invalidRequest(
    'context_length_exceeded',
    `This model's maximum context length is ${contextTokens} tokens. However, your messages have ${textBytes} bytes, which is more than that. Please reduce the length of the messages.`,
    'messages',
  );
}
