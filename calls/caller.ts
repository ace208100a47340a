import type { CallProduct } from '../db/catalog/products.ts';
import type { KeptCall } from '../db/answers/keptCall.ts';
import type { Key } from '../db/keys/keys.ts';
import type { Queryable } from '../db/postgres/queryable.ts';
import { readAheadMs } from '../db/workspaces/clock.ts';
import type { TestCall } from '../providers/provider.ts';

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
  /** What it asks of upstreams in test mode; absent for live calls. */
  readonly test?: TestCall;
  /** How far the clock of its workspace is ahead. */
  readonly aheadMs?: number;
  /** Grows by the items and files that the body names by their ids. */
  bodyBytes: number;
  readonly log: CallLog;
  /** The call whose answer is kept, where a retry may follow. */
  readonly kept?: KeptCall;
  /** Whether less money than the price buys a part of the answer. Throws 400 when that is said wrongly. */
  allowsPartial(): boolean;
  /** Whether the client has disconnected. */
  hasLeft(): boolean;
  /** Calls `listener` on disconnect. It stays attached: after its call it must do nothing. */
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

/** Reads the clock of the caller's workspace. Live ones have the real time: nothing is read. */
export async function setClock(
  pool: Queryable,
  caller: Pick<Caller, 'key' | 'test'> & { aheadMs?: number },
): Promise<void> {
  if (caller.test) caller.aheadMs = await readAheadMs(pool, caller.key.workspaceId);
}

/**
 * The status of a call whose client disconnected before the answer ended, in the ledger and in the log. It is nginx's number and is never
 * sent.
 */
export const CLIENT_CLOSED_STATUS = 499;
