import type { Pool } from 'pg';
import { newId } from '../ids.ts';
import { HoldRefused, LedgerUnavailable } from './refusals.ts';
import { giveBack, takeHold, type HoldAnswer, type HoldKind } from './statements.ts';

// Longer than a statement may run: after it, a hold that was not there will not come either.
const UNSURE_MS = 6_000;

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
  onError,
}: {
  pool: Pool;
  processId: () => string;
  onError: (error: unknown) => void;
}) {
  const sureAtMs = new Map<string, number>();

  /**
   * The hold, or undefined when what it needs is held by others and may become free. Throws `HoldRefused` when it can't,
   * `LedgerUnavailable` when this process lost its lease, and whatever the database throws.
   */
  async function take(order: HoldOrder): Promise<TakenHold | undefined> {
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
      case 'balance':
      case 'ceiling':
      case 'revoked':
        throw new HoldRefused(answer.outcome);
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

const lostLease = () => new LedgerUnavailable('this process lost its lease');
