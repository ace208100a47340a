import type { Json, Usage } from '../../providers/provider.ts';

/** The four members every error of the platform has. */
export interface ErrorBody {
  message: string;
  type: string;
  param: string | null;
  code: string;
}

/** How a streamed answer ended: complete, or cut because its hold could not grow (the client sees `length`). */
export interface StreamEnd {
  usage: Usage;
  cutShort: boolean;
}

/**
 * Turns an upstream's chat or completion chunks into server-sent events for one route's clients. A presenter serves one answer and keeps
 * its state. It does no I/O.
 */
export interface StreamPresenter {
  /** Text to send before the first chunk (may be empty). */
  start(): string;
  /** Text for the chunks of one network read. Chunks arrive in order and are the upstream's JSON, which may be modified. */
  push(chunks: Json[]): string;
  /** The last text of a complete stream. Sent after the answer is settled. */
  end(end: StreamEnd): string;
  /** The last text of a stream that broke after its first byte. */
  fail(error: ErrorBody): string;
}
