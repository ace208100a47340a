import type { Pool } from 'pg';
import { oneAtATime } from '../oneAtATime.ts';
import { newId } from '../ids.ts';
import { HoldRefused, LedgerUnavailable } from './refusals.ts';
import { closeHolds, takeHold, type HoldAnswer, type HoldKind } from './statements.ts';

// What a broken connection had not delivered the kernel goes on sending for up to two minutes, and the database carries it out: after
// this, a hold that was not there will not come either.
const UNKNOWN_OUTCOME_MS = 180_000;

export type TakenHold = HoldAnswer & { id: string };

interface HoldOrder {
  keyId: string;
  kind: HoldKind;
  wantNanos: bigint;
  needNanos: bigint;
}

export type HoldTaker = ReturnType<typeof createHoldTaker>;

/**
 * Takes holds for this process. When the answer to a statement is lost, nobody knows whether its hold exists: it is closed, again and
 * again, until it can't appear any more. Otherwise it would keep the customer's money for as long as this process lives.
 */
export function createHoldTaker({
  pool,
  processId,
  endDead,
  onError,
}: {
  pool: Pool;
  processId: () => string;
  /** Ends what dead processes hold. */
  endDead: () => Promise<unknown>;
  onError: (error: unknown) => void;
}) {
  const sureAtMs = new Map<string, number>();

  /**
   * The hold, or undefined when what it needs is held by others and may become free. Throws `HoldRefused` when it can't,
   * `LedgerUnavailable` when this process lost its lease or a dead one has the money, and whatever the database throws.
   */
  async function take(order: HoldOrder): Promise<TakenHold | undefined> {
    return takeOnce(order, () => endDead().then(() => takeOnce(order, refuseStale)));
  }

  async function takeOnce(
    order: HoldOrder,
    onStale: () => Promise<TakenHold | undefined>,
  ): Promise<TakenHold | undefined> {
    const id = newId('hold');
    const owner = processId();
    const answer = await ask(id, owner, order);
    // Whoever reaped this process meanwhile has ended its holds.
    if (owner !== processId()) throw lostLease();
    switch (answer.outcome) {
      case 'granted':
        return { ...answer, id };
      case 'held':
      case 'scarce':
        return undefined;
      case 'stale':
        return onStale();
      case 'balance':
      case 'ceiling':
      case 'short':
      case 'revoked':
        throw new HoldRefused(answer.outcome, order.needNanos);
      case 'reaped':
        throw lostLease();
      default:
        return answer.outcome satisfies never;
    }
  }

  async function ask(id: string, owner: string, order: HoldOrder): Promise<HoldAnswer> {
    try {
      return await takeHold(pool, { id, processId: owner, ...order });
    } catch (error) {
      if (!isUnsent(error)) sureAtMs.set(id, performance.now() + UNKNOWN_OUTCOME_MS);
      throw error;
    }
  }

  async function close(): Promise<void> {
    if (sureAtMs.size === 0) return;
    const sentAtMs = performance.now();
    await closeHolds(pool, [...sureAtMs.keys()]);
    for (const [id, atMs] of sureAtMs) if (sentAtMs > atMs) sureAtMs.delete(id);
  }

  /** To be called every second. */
  const closeOnce = oneAtATime<void, void>(() => close().catch(onError));
  const tick = (): void => void closeOnce();

  return { take, tick };
}

async function refuseStale(): Promise<never> {
  throw new LedgerUnavailable('money is held by a process that is gone');
}

const lostLease = () => new LedgerUnavailable('this process lost its lease');

// No connection was had to send it over.
function isUnsent(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'ECONNREFUSED' || message === 'timeout exceeded when trying to connect';
}
