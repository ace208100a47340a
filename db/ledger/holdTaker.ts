import type { Pool } from 'pg';
import { oneAtATime } from '../../base/waiting.ts';
import { newId } from '../ids.ts';
import { HoldRefused, LedgerUnavailable } from './refusals.ts';
import { closeHolds, takeHold, type HoldAnswer, type HoldKind } from './statements.ts';

// The kernel keeps sending data of a broken connection for up to two minutes, and the database executes it. After this time, a hold that
// does not exist will not appear any more.
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
 * Takes holds for this process. When the answer to a statement is lost, it is unknown whether its hold exists: it is closed repeatedly,
 * until it cannot appear any more. Otherwise it would hold the customer's money for as long as this process lives.
 */
export function createHoldTaker({
  pool,
  processId,
  endDead,
  onError,
}: {
  pool: Pool;
  processId: () => string;
  /** Ends the holds of dead processes. */
  endDead: () => Promise<unknown>;
  onError: (error: unknown) => void;
}) {
  const sureAtMs = new Map<string, number>();

  /**
   * Returns the hold, or undefined when others hold the needed money and may free it. Throws `HoldRefused` when they cannot,
   * `LedgerUnavailable` when this process lost its lease or a dead one holds the money, and any error of the database.
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
    // The process that reaped this one has ended its holds.
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

  /** Call it every second. */
  const closeOnce = oneAtATime<void, void>(() => close().catch(onError));
  const tick = (): void => void closeOnce();

  return { take, tick };
}

async function refuseStale(): Promise<never> {
  throw new LedgerUnavailable('money is held by a process that is gone');
}

const lostLease = () => new LedgerUnavailable('this process lost its lease');

// No connection was available to send it.
function isUnsent(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'ECONNREFUSED' || message === 'timeout exceeded when trying to connect';
}
