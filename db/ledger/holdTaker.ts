import type { Pool } from 'pg';
import { newId } from '../ids.ts';
import { LedgerUnavailable } from './refusals.ts';
import { giveBack, takeHold, type HoldAnswer, type HoldKind, type HoldOutcome } from './statements.ts';

// Longer than a statement may run: after it, a hold that was not there will not come either.
const UNSURE_MS = 6_000;

/** An answer to a process that still has its lease. */
export type TakenHold = HoldAnswer & { id: string; outcome: Exclude<HoldOutcome, 'reaped'> };
export type HoldTaker = ReturnType<typeof createHoldTaker>;

/**
 * Takes holds for this process. When the answer to a statement is lost, nobody knows whether its hold exists: it is closed, again and
 * again, until it can't appear any more. Otherwise it would keep the customer's money for as long as this process lives.
 */
export function createHoldTaker({
  pool,
  processId,
  onError,
}: {
  pool: Pool;
  processId: () => string;
  onError: (error: unknown) => void;
}) {
  const sureAtMs = new Map<string, number>();

  /** Throws `LedgerUnavailable` when this process lost its lease, and whatever the database throws. */
  async function take(order: {
    keyId: string;
    kind: HoldKind;
    wantNanos: bigint;
    needNanos: bigint;
  }): Promise<TakenHold> {
    const id = newId('hold');
    try {
      const answer = await takeHold(pool, { id, processId: processId(), ...order });
      const { outcome } = answer;
      if (outcome === 'reaped') throw new LedgerUnavailable('this process lost its lease');
      return { ...answer, id, outcome };
    } catch (error) {
      sureAtMs.set(id, performance.now() + UNSURE_MS);
      throw error;
    }
  }

  async function close(id: string): Promise<void> {
    try {
      await giveBack(pool, id, 0n, true);
      if (performance.now() > sureAtMs.get(id)!) sureAtMs.delete(id);
    } catch (error) {
      onError(error);
    }
  }

  /** To be called every second. */
  function tick(): void {
    for (const id of sureAtMs.keys()) void close(id);
  }

  return { take, tick };
}
