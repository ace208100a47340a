import type { Chunk } from './plainChunk.ts';
import type { Routed } from './routingNote.ts';
import type { TestFault } from './testFault.ts';

/** The usage of a model call, as counted by the vendor. `outputTokens` includes reasoning tokens (they are billed as output). */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** Part of the input that the upstream read from its prompt cache, and part that it wrote to it. */
  cachedInputTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
}

/** A JSON object to or from an upstream: the platform reads a few members and forwards the rest. */
export type Json = Record<string, unknown>;

/** The paths of an OpenAI-compatible upstream, below its base address (`https://host/v1`). */
const TEXT_PATHS = ['chat/completions', 'completions', 'embeddings'] as const;
export type TextPath = (typeof TEXT_PATHS)[number];

export const isTextPath = (path: string): path is TextPath => (TEXT_PATHS as readonly string[]).includes(path);

/**
 * A model vendor, behind the OpenAI wire format. Bodies are sent unchanged; `model` is already the upstream's own id. Both calls throw
 * `ProviderError` before the first byte; a stream throws it from the iterator when it breaks later.
 */
export interface TextProvider {
  /** One whole answer. Aborting the signal closes the upstream's socket. */
  answer(path: TextPath, body: Json, signal: CallSignal): Promise<Json>;
  /** A streamed answer. Resolves when the upstream has accepted the call (status 200), so a fallback is still possible before that. */
  stream(path: TextPath, body: Json, signal: CallSignal): Promise<ChunkStream>;
}

/** Gets the chunks of each network read, in order. Its promise delays the next ones. */
export type TakeChunks = (read: Chunk[]) => Promise<void> | undefined;

/** The chunks of an answer, without `[DONE]`, for one reader. Iterated, they are objects. */
export interface ChunkStream extends AsyncIterable<Json[]> {
  /** Passes them on as they arrive. Resolves at the end; rejects with what broke the stream, or with what `take` throws. */
  each(take: TakeChunks): Promise<void>;
  /** Resolves when the first chunks have arrived or the stream has ended; rejects where it broke before. */
  begun(): Promise<void>;
  /** Ends the call, as its reader needs no more. */
  cancel(): void;
}

declare const isHeld: unique symbol;

/**
 * Proof that money is held for a call: a model's provider requires it. Only two places create one: `reserve` of the API's paid calls, and
 * the spending of a run's step.
 */
export interface Held {
  readonly [isHeld]: true;
  /** Test money pays only for the test upstream. */
  readonly test?: TestCall;
  /** Only upstreams that keep nothing of the call. */
  readonly noRetention?: boolean;
}

/** A call paid with test money: the failure it asks for. */
export interface TestCall {
  readonly fault: TestFault | undefined;
  /** Of an agent's run: rules decide which of the platform's tools it calls. */
  readonly isRun?: boolean;
}

/** Ends a call early: an `AbortSignal`, or the part of it that providers use. Listeners are called once. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: { handleEvent(): void }): void;
  removeEventListener(type: 'abort', listener: { handleEvent(): void }): void;
  /** Called with the name of each upstream tried. */
  attempted?(upstream: string): void;
  /** Called once a model's upstream was chosen among several, or all have failed. */
  routed?(routed: Routed): void;
  /** The answer is not what it claims to be, as by its usage: its upstream's health gets to know. */
  doubted?(): void;
  /** The names of models with which an answer may begin; any where omitted. */
  readonly answersAs?: readonly string[] | undefined;
}

/** Why an upstream call failed. `retryable` means another upstream may be tried. */
export type ProviderFault =
  | 'refused' // the upstream answered 4xx: the caller's request is at fault, see `status` and `detail`
  | 'account' // the upstream refuses the platform's own key or credit: an operator has to fix it
  | 'overloaded' // 429 or 503, `retryAfterMs` when the upstream sent it
  | 'failed' // 5xx, or an answer that violates the protocol
  | 'unreachable' // no connection, or it broke before the first byte
  | 'stalled' // nothing arrived within the idle limit
  | 'unavailable'; // not installed on this machine: `message` explains how to get it

/** The only error class of this folder. `message` is for the log; callers see the platform's own text. */
export class ProviderError extends Error {
  readonly fault: ProviderFault;
  readonly status: number | undefined;
  /** The upstream's `error` member when it refused the request (message, param, code). */
  readonly detail: { message?: string; param?: string | null; code?: string | null; type?: string } | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    fault: ProviderFault,
    message: string,
    more: { status?: number; detail?: ProviderError['detail']; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'ProviderError';
    this.fault = fault;
    this.status = more.status;
    this.detail = more.detail;
    this.retryAfterMs = more.retryAfterMs;
  }
}
