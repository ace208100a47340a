import { waitAtMost } from '../../base/waiting.ts';
import type { createBatchWriter, KeptWith } from './batchWriter.ts';
import { type BilledLine, LineTaken } from './billedLines.ts';
import type { createProgress } from './heartbeat.ts';
import { asLedgerError, type Hold, type Spender } from './hold.ts';
import { LedgerUnavailable } from '../postgres/ledgerUnavailable.ts';
import type { createLease } from './lease.ts';
import type { createPurses, HoldOrder } from './purses.ts';
import { chargeNanosOf, settlementOf, type Bill, type Settlement } from './settlement.ts';

const FAILURE_WAIT_MS = 1_000;

/** A call's money: it takes a hold, runs, and is settled (billed at most the hold) or failed (billed nothing), exactly once. */
export function createCalls({
  lease,
  purses,
  progress,
  writer,
  onError,
}: {
  lease: Pick<ReturnType<typeof createLease>, 'id' | 'live'>;
  purses: Pick<ReturnType<typeof createPurses>, 'hold' | 'running'>;
  progress: Pick<ReturnType<typeof createProgress>, 'follow' | 'end'>;
  writer: Pick<ReturnType<typeof createBatchWriter>, 'write' | 'healthy'>;
  onError: (error: unknown) => void;
}) {
  /**
   * Reserves money for a call: `wholeNanos` while the account has plenty; near its last cent `wantNanos`, or less when no more is free,
   * but never less than `needNanos`. Throws `HoldRefused`, or `LedgerUnavailable` while the database is down.
   */
  async function hold(spender: Spender, wantNanos: bigint, more: Partial<HoldOrder> = {}): Promise<Hold> {
    if (!lease.live() || !writer.healthy()) throw new LedgerUnavailable('the ledger cannot be reached');
    try {
      const processId = lease.id();
      const held = await purses.hold(spender, { wholeNanos: wantNanos, needNanos: 1n, ...more, wantNanos });
      held.leaseId = processId;
      purses.running.add(held);
      return held;
    } catch (error) {
      throw asLedgerError(error);
    }
  }

  /** Bills a call. Resolves with the charge (nano-USD) once it is on disk. Retries while the database is down. */
  function settle(held: Hold, bill: Bill): Promise<bigint> {
    return write(held, settlementOf(held, bill));
  }

  /**
   * Like `settle`, for an answer whose end is not sent yet: reverses a bill that is not on disk in time and throws `LedgerUnavailable`.
   * `isUnsent`: nothing of the answer is sent before this resolves, so the bill is refunded if the process is killed until then. `kept`:
   * the answer, stored in the same transaction.
   */
  function settleWithin(
    limitMs: number,
    held: Hold,
    bill: Bill,
    { isUnsent = false, kept }: { isUnsent?: boolean; kept?: KeptWith } = {},
  ): Promise<bigint> {
    return write(held, settlementOf(held, bill), { expiresAtMs: performance.now() + limitMs, isUnsent, kept });
  }

  /**
   * Bills a line of a batch, and stores its result with the bill: on disk there are both or none. Undefined: the line has the result of
   * another call, so this one is not billed, and its hold is to be ended.
   */
  async function settleLine(held: Hold, bill: Bill, line: BilledLine): Promise<bigint | undefined> {
    try {
      return await write(held, settlementOf(held, bill), { line });
    } catch (error) {
      if (error instanceof LineTaken) return undefined;
      throw error;
    }
  }

  /** What the call will be charged (nano-USD); undefined while that is not certain, because its lease was lost. */
  const chargeOf = (held: Hold, bill: Bill): bigint | undefined =>
    isCertain(held) ? chargeNanosOf(held, bill) : undefined;

  const isCertain = (held: Hold): boolean => lease.live() && held.leaseId === lease.id();

  /**
   * Ends a call that failed: bills nothing, and records how it ended. Resolves when that is on disk, where the caller can read it; waits
   * at most 1 s for the disk.
   */
  async function fail(held: Hold, bill: Bill): Promise<void> {
    const written = write(held, settlementOf(held, { ...bill, costNanos: 0n })).catch(onError);
    await waitAtMost(FAILURE_WAIT_MS, written);
  }

  function write(
    held: Hold,
    item: Settlement,
    {
      expiresAtMs = Infinity,
      isUnsent = false,
      kept,
      line,
    }: { expiresAtMs?: number; isUnsent?: boolean; kept?: KeptWith; line?: BilledLine } = {},
  ): Promise<bigint> {
    purses.running.end(held);
    return writer.write(item, {
      flushed: progress.end(item.id),
      expiresAtMs,
      isUnsent,
      isCertain: isCertain(held),
      hold: held,
      kept,
      line,
    });
  }

  /**
   * Follows a stream: what `billSoFar` returns is stored each second, and soon after it `hasBegun`, for the sweep to settle if this process
   * dies. `count` resolves when `billSoFar` has counted what it needs.
   */
  function follow(
    held: Hold,
    requestId: string,
    billSoFar: () => Bill,
    { count = async () => {}, hasBegun = () => true }: { count?: () => Promise<void>; hasBegun?: () => boolean } = {},
  ): void {
    progress.follow(requestId, { hasBegun, count, settlement: () => settlementOf(held, billSoFar()) });
  }

  return { hold, settle, settleWithin, settleLine, chargeOf, fail, follow };
}
