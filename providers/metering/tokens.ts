import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadEncoding } from './encoding/loadEncoding.ts';
import { partTokensOf, type MediaSize, type MediaTokens } from './media.ts';
import type { Json } from '../provider.ts';

/** Longer texts are counted in pieces. After so many characters the event loop gets a turn: 1.5 ms where they are rare. */
const PIECE_CHARS_MAX = 8_000;
/** What a text costs beside its characters, as characters. */
const TEXT_CHARS = 8;
const TOKENS_PER_MESSAGE = 3;
const TOKENS_PER_REPLY = 3;
/** The tokens added by a model's chat template: a default system message, instructions for tools. */
const TEMPLATE_TOKENS_MAX = 256;
const NO_MEDIA: MediaSize = { characters: 0, tokens: 0 };

/** Counted by all counts together since the event loop had its last turn. */
let charsSinceTurn = 0;

/** Tokens of a text in o200k_base; names of special tokens count as plain text. */
export async function countTokens(text: string): Promise<number> {
  const encoding = await loadEncoding();
  let tokens = 0;
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start);
    if (isTurnDue(end - start)) await nextTurn();
    tokens += encoding.count(text.slice(start, end));
    start = end;
  }
  return tokens;
}

/** Whether the event loop gets a turn before so many characters are counted: a request may hold many short texts. */
function isTurnDue(chars: number): boolean {
  charsSinceTurn += chars + TEXT_CHARS;
  const isDue = charsSinceTurn > PIECE_CHARS_MAX;
  if (isDue) charsSinceTurn = 0;
  return isDue;
}

/** Counts the tokens of short texts at once; a long text counts by its bytes, because each token has at least one byte. */
export async function loadCounter(): Promise<(text: string) => number> {
  const encoding = await loadEncoding();
  return (text) => (text.length <= PIECE_CHARS_MAX ? encoding.count(text) : Buffer.byteLength(text));
}

/** The longest beginning of a text with at most so many tokens. */
export async function beginningOf(text: string, tokensMax: number): Promise<string> {
  const encoding = await loadEncoding();
  let left = tokensMax;
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start);
    const piece = text.slice(start, end);
    const tokens = encoding.encode(piece);
    // As many characters: of half a surrogate pair the text keeps what UTF-8 can't say.
    if (tokens.length > left) return text.slice(0, start + encoding.textsOf(tokens.slice(0, left)).join('').length);
    left -= tokens.length;
    start = end;
  }
  return text;
}

/**
 * Prompt tokens of a chat, completion or embedding body as OpenAI counts them: each message costs three and its texts, the reply three
 * more; tools and schemas count as their JSON, token numbers as one each, images and audio by `media`. Used when an upstream reports no
 * usage.
 */
export async function countPromptTokens(body: Json, media?: MediaTokens, count = countTokens): Promise<number> {
  if (!Array.isArray(body.messages)) return countInputTokens(body.prompt ?? body.input);
  let tokens = TOKENS_PER_REPLY;
  for (const message of body.messages as Json[]) tokens += await countMessageTokens(message, media, count);
  for (const extra of [body.tools, body.response_format]) if (extra) tokens += await count(JSON.stringify(extra));
  return tokens;
}

/**
 * Counts tokens like `countTokens`, each text once: the prompts of a run repeat its instructions, its tools and its earlier messages. Keeps
 * the counts of the last `textsMax` texts, by their hashes: no content stays in memory.
 */
export function createTokenMemory(textsMax: number): typeof countTokens {
  const counts = new Map<string, number>();
  return async (text) => {
    if (isTurnDue(0)) await nextTurn();
    const key = hash('sha256', text, 'base64');
    const tokens = counts.get(key) ?? (await countTokens(text));
    // The last used are at the end.
    counts.delete(key);
    counts.set(key, tokens);
    if (counts.size > textsMax) counts.delete(counts.keys().next().value!);
    return tokens;
  };
}

/**
 * A high estimate from the request's size and its media (`mediaIn`): text in any common language has at least 3 bytes per token, and chat
 * templates add tokens. If a prompt cost more than its hold, part of it could not be billed.
 */
export function estimatePromptTokens(bodyBytes: number, media: MediaSize = NO_MEDIA): number {
  return Math.ceil(Math.max(0, bodyBytes - media.characters) / 3) + media.tokens + TEMPLATE_TOKENS_MAX;
}

/** Those of one of the messages, of which a chat's count is the sum, beside its reply, tools and schemas. */
export async function countMessageTokens(
  message: Json,
  media: MediaTokens | undefined,
  count: typeof countTokens,
): Promise<number> {
  let tokens = TOKENS_PER_MESSAGE + (await count(String(message.role)));
  if (typeof message.name === 'string') tokens += 1 + (await count(message.name));
  if (message.tool_calls) tokens += await count(JSON.stringify(message.tool_calls));
  if (typeof message.content === 'string') return tokens + (await count(message.content));
  if (!Array.isArray(message.content)) return tokens;
  for (const part of message.content as Json[]) {
    tokens += typeof part.text === 'string' ? await count(part.text) : partTokensOf(part, media);
  }
  return tokens;
}

async function countInputTokens(input: unknown): Promise<number> {
  if (typeof input === 'string') return countTokens(input);
  if (typeof input === 'number') return 1;
  if (!Array.isArray(input)) return 0;
  if (input.every((item) => typeof item === 'number')) return input.length;
  let tokens = 0;
  for (const item of input) tokens += await countInputTokens(item);
  return tokens;
}

/**
 * The end of the next piece of a text to encode. Cuts before a space if possible: tokens begin with the space, so the count stays exact.
 */
export function endOfPiece(text: string, start: number): number {
  const limit = start + PIECE_CHARS_MAX;
  if (limit >= text.length) return text.length;
  // Of the piece alone: in a text without spaces, the search would go back to its beginning for each piece.
  const space = text.slice(start, limit + 1).lastIndexOf(' ');
  return space > 0 ? start + space : limit;
}
