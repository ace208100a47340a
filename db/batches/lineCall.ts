import type { BatchEndpoint, BatchRow } from './batches.ts';

/** One line of a batch as a call: its endpoint (`/v1/chat/completions`) and body. */
export interface LineCall {
  endpoint: BatchEndpoint;
  body: unknown;
  bodyBytes: number;
  /** Of its batch. */
  metadata?: BatchRow['metadata'];
}

/** The answer of a line. */
export interface LineAnswer {
  requestId: string;
  body: unknown;
}

/** A line as a call of an upstream with batches: with the upstream's name for the model. */
export interface PreparedLine {
  upstream: string;
  model: string;
  endpoint: string;
  body: object;
  /** Names with which its answer's `model` begins, if it must be checked. */
  answersAs: readonly string[] | undefined;
  worstCaseNanos: bigint;
}

/** Where a line was sent to, and when: it costs what held then. */
export interface SentTo {
  upstream: string;
  /** The upstream's name of its model. */
  model: string;
  createdAt: Date;
}

/** The upstream's existing reply to a line. */
export interface AnsweredLine {
  sentTo: SentTo;
  answersAs: PreparedLine['answersAs'];
  reply: Record<string, unknown>;
}
