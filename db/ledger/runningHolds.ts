import type { Pool } from 'pg';
import type { HoldTaker, TakenHold } from './holdTaker.ts';
import type { CallHold } from './slice.ts';
import { closeHolds, type SlicesInUse } from './statements.ts';

// Of the pool's ten connections: other calls need some too.
const TOGETHER = 4;

/**
 * The running calls of this process, from their hold to their settlement. When the lease is lost, the database has ended their holds:
 * each call takes its amount again under the next lease, or is marked lost.
 */
export function createRunningHolds({
  taker,
  pool,
  processId,
  onError,
}: {
  taker: HoldTaker;
  pool: Pool;
  processId: () => string;
  onError: (error: unknown) => void;
}) {
  const running = new Set<CallHold>();

  async function holdAgain(): Promise<void> {
    const lost = [...running];
    const holdNext = async () => {
      for (let held = lost.pop(); held; held = lost.pop()) await holdOne(held);
    };
    await Promise.all(Array.from({ length: TOGETHER }, holdNext));
  }

  async function holdOne(held: CallHold): Promise<void> {
    const leaseId = processId();
    const taken = await take(held);
    if (!running.has(held)) {
      // Settled in the meantime, under its earlier hold.
      if (taken) await closeHolds(pool, [taken.id]).catch(onError);
    } else if (taken) {
      held.moveTo(taken.id);
      held.leaseId = leaseId;
    } else held.onLost?.();
  }

  async function take({ spender, amountNanos }: CallHold): Promise<TakenHold | undefined> {
    try {
      const order = { keyId: spender.keyId, kind: 'request' as const, wantNanos: amountNanos, needNanos: amountNanos };
      return await taker.take(order);
    } catch (error) {
      if ((error as Error).name !== 'HoldRefused') onError(error);
      return undefined;
    }
  }

  /** What running calls hold, by the id of the hold that covers them: for a slice, the sum over its calls. */
  function inUse(): SlicesInUse {
    const sums: SlicesInUse = {};
    for (const { id, amountNanos } of running) sums[id] = (sums[id] ?? 0) + Number(amountNanos);
    return sums;
  }

  return {
    inUse,
    add: (held: CallHold): void => void running.add(held),
    end: (held: object): void => void running.delete(held as CallHold),
    /** Call it under the next lease. Never rejects. */
    holdAgain,
  };
}
