import type { ErrorBody } from '../../base/errors/apiError.ts';
import type { Chunk } from '../../providers/plainChunk.ts';
import { nowMsOf, type Caller } from '../caller.ts';
import { responseIdOf } from './responseId.ts';
import type { BilledUsage } from './usage.ts';

/** How a streamed answer ended: complete, or cut because its hold could not grow (the client sees `length`). */
export interface StreamEnd {
  usage: BilledUsage;
  cutShort: boolean;
}

/**
 * Turns an upstream's chat or completion chunks into server-sent events for one route's clients. A presenter serves one answer and keeps
 * its state. It does no I/O.
 */
export interface StreamPresenter {
  /** Text to send before the first chunk (may be empty). */
  start(): string;
  /** Text for the chunks of one network read. Chunks arrive in order; those that are objects may be modified. */
  push(chunks: Chunk[]): string;
  /** The last text of a complete stream. Sent after the answer is settled. */
  end(end: StreamEnd): string;
  /** The last text of a stream that broke after its first byte. */
  fail(error: ErrorBody): string;
}

/** The identity of an answer, which all its parts carry: the platform's own, never the upstream's. */
export interface AnswerIdentity {
  /** The answer's id, with its route's prefix (`chatcmpl-…`, `cmpl-…`, `resp_…`). */
  id: string;
  /** When the answer began, in whole seconds since 1970. */
  created: number;
  /** The service's id of the model. */
  modelId: string;
  /** How far the clock of a test workspace is ahead. */
  aheadMs?: number | undefined;
}

/** Id, time and model of the answer to a request. Routes whose answers have no id use the request's. */
export function identify(caller: Caller, model: { id: string }): AnswerIdentity {
  const { route, requestId, aheadMs } = caller;
  const id = responseIdOf(route, requestId) ?? requestId;
  return { id, created: Math.floor(nowMsOf(caller) / 1000), modelId: model.id, aheadMs };
}
