import type { CallProduct } from '../db/catalog/products.ts';
import type { KeptCall } from '../db/answers/keptCall.ts';
import type { Key } from '../db/keys/keys.ts';
import type { TestCall } from '../providers/provider.ts';
import type { TestFault } from '../providers/testFault.ts';

/** Who asks for a call: a request, a turn of a socket, or a line of a batch. */
export interface Caller {
  readonly requestId: string;
  readonly key: Key;
  /** The route's path as in the route table. */
  readonly route: string;
  /** What is sold, where that is not what the model's kind says: lines of batches and calls of voice sessions. */
  readonly product?: CallProduct;
  /** When the call began, by the wall clock and by the monotonic clock that measures durations. */
  readonly startedAtMs: number;
  readonly begunAtMs: number;
  /** The failure that a test call asks for. */
  readonly testFault?: TestFault;
  /** How far the clock of a test workspace is ahead. */
  readonly aheadMs?: number;
  /** Grows by the items and files that the body names by their ids. */
  bodyBytes: number;
  readonly log: CallLog;
  /** The call whose answer is kept, where a retry may follow. */
  readonly kept?: KeptCall;
  /** Whether less money than the price buys a part of the answer. Throws 400 when that is said wrongly. */
  allowsPartial(): boolean;
  /** Whether nobody waits for the answer any more. */
  hasLeft(): boolean;
  /** Calls `listener` when nobody waits any more. It stays attached: after its call it must do nothing. */
  onLeave(listener: () => void): void;
}

/** What a call adds to the log line of its request. */
export interface CallLog {
  model?: string;
  costNanos?: bigint;
  error?: unknown;
  cancelled?: boolean;
}

/** Whole milliseconds since a call began, by the monotonic clock. */
export const elapsedMsOf = ({ begunAtMs }: Pick<Caller, 'begunAtMs'>): number =>
  Math.round(performance.now() - begunAtMs);

/** The time of the caller's workspace: in a test workspace, that of its clock. */
export const nowMsOf = ({ aheadMs = 0 }: Pick<Caller, 'aheadMs'>): number => Date.now() + aheadMs;

/** What a call of a test workspace asks of its upstream; undefined for live calls. */
export const testCallOf = ({ key, testFault }: Pick<Caller, 'key' | 'testFault'>): TestCall | undefined =>
  key.isTest ? { fault: testFault } : undefined;

/**
 * The status of a call whose client disconnected before the answer ended, in the ledger and in the log. It is nginx's number and is never
 * sent.
 */
export const CLIENT_CLOSED_STATUS = 499;
