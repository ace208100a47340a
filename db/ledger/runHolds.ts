import type { Pool, PoolClient } from 'pg';
import { createPlaces } from '../../base/places.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { HoldRefused, type HoldRefusalReason } from './hold.ts';
import { LedgerUnavailable } from '../postgres/ledgerUnavailable.ts';
import { closeHolds, extendHold, shrinkHold, splitHold, takeHold, type HoldOutcome } from './holdRows.ts';

/** The owner of all holds of runs: a process whose lease never expires, so that only a settlement ends them. */
export const RUNS_PROCESS = 'runs';
const WAIT_MS = 2_000;
const POLL_MS = 100;
// Concurrent transactions of one account: each takes a connection, and would wait for the account's lock with it.
const ACCOUNT_TRANSACTIONS_MAX = 2;

/** The most a run wants to hold, and the least it can start with. The caller makes `holdId`. */
export interface RunHoldOrder {
  holdId: string;
  keyId: string;
  wantNanos: bigint;
  needNanos: bigint;
  /** A hold without a run is a request's. */
  kind?: 'run' | 'request';
  /** What the hold covers already, when it grows. */
  keptNanos?: bigint;
}

/** The amounts of a finished run. A failed run is charged nothing: what it consumed is `absorbedNanos`. */
export interface RunSettlement {
  runId: string;
  holdId: string;
  subtotalNanos: bigint;
  networkFeeNanos: bigint;
  /** What the platform is paid for model and sandbox, out of the subtotal and of the subsidy. */
  platformCostNanos: bigint;
  subsidyNanos: bigint;
  /** The workspace that earns the rest of the subtotal. */
  publisherWorkspaceId: string;
  absorbedNanos: bigint;
}

/** Holds of runs. They are placed, grown and settled within the caller's transactions, together with the run's row and events. */
export function createRunHolds({
  pool,
  announceScarcity,
  freeOwnSlices,
}: {
  pool: Pool;
  announceScarcity: (accountId: string) => void;
  freeOwnSlices: (accountId: string) => Promise<void>;
}) {
  const places = createPlaces({ perCaller: ACCOUNT_TRANSACTIONS_MAX });

  /** Reserves money for a run: all it wants, or less but at least what it needs. Locks the account until the commit. */
  async function holdRun(
    client: Queryable,
    { holdId, kind = 'run', ...order }: RunHoldOrder,
  ): Promise<{ outcome: HoldOutcome; grantedNanos: bigint }> {
    const hold = { ...order, id: holdId, processId: RUNS_PROCESS, kind };
    const { outcome, grantedNanos } = await takeHold(client, hold);
    return { outcome, grantedNanos };
  }

  /**
   * Runs `work` in a transaction, with a function that places a hold in it and returns the amount. When the money is held but not spent,
   * the transaction is rolled back and `work` runs again, for at most two seconds: so it must have no effect outside its transaction. The
   * first try takes all that is wanted or nothing, later ones at least what is needed. Throws `HoldRefused`, or what `work` throws.
   */
  async function holdRunPatiently<T>(
    accountId: string,
    work: (client: PoolClient, hold: (order: RunHoldOrder) => Promise<bigint>) => Promise<T>,
  ): Promise<T> {
    return patiently(accountId, (takesPart) =>
      inTransaction(pool, (client) => work(client, (order) => holdOrRefuse(client, order, takesPart))),
    );
  }

  /** The same for a run that has a hold: `extend` grows it and returns the added amount. */
  async function extendRunPatiently<T>(
    accountId: string,
    work: (client: PoolClient, extend: (order: RunHoldOrder) => Promise<bigint>) => Promise<T>,
  ): Promise<T> {
    return patiently(accountId, (takesPart) =>
      inTransaction(pool, (client) => work(client, (order) => extendOrRefuse(client, order, takesPart))),
    );
  }

  async function patiently<T>(accountId: string, attempt: (takesPart: boolean) => Promise<T>): Promise<T> {
    const deadlineMs = performance.now() + WAIT_MS;
    const inItsTurn = (takesPart: boolean) => places.run(() => attempt(takesPart), { caller: accountId });
    try {
      return await inItsTurn(false);
    } catch (error) {
      if (!isShort(error)) throw error;
    }
    await freeOwnSlices(accountId);
    announceScarcity(accountId);
    for (;;) {
      try {
        return await inItsTurn(true);
      } catch (error) {
        if (refusalOf(error) !== 'held' || performance.now() > deadlineMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    }
  }

  async function holdOrRefuse(client: Queryable, order: RunHoldOrder, takesPart: boolean): Promise<bigint> {
    const needNanos = takesPart ? order.needNanos : order.wantNanos;
    const { outcome, grantedNanos } = await holdRun(client, { ...order, needNanos });
    if (outcome === 'granted') return grantedNanos;
    if (outcome === 'stale') throw new LedgerUnavailable('money is held by a dead process');
    throw new HoldRefused(outcome === 'scarce' || outcome === 'reaped' ? 'held' : outcome, needNanos);
  }

  /** Grows the hold of a run that continues. Returns the added amount: less than requested, or nothing, when no more is free. */
  const extendRun = (client: Queryable, holdId: string, moreNanos: bigint): Promise<bigint> =>
    extendHold(client, holdId, moreNanos, 1);

  /** Lowers the hold of a run that waits for its caller to what it has consumed. */
  const shrinkRun = (client: Queryable, holdId: string, keepNanos: bigint): Promise<void> =>
    shrinkHold(client, holdId, keepNanos);

  /** Ends a hold under which nothing is billed any more. */
  const releaseHold = (client: Queryable, holdId: string): Promise<void> => closeHolds(client, [holdId]);

  async function extendOrRefuse(client: Queryable, order: RunHoldOrder, takesPart: boolean): Promise<bigint> {
    const { keptNanos = 0n, wantNanos, holdId } = order;
    if (wantNanos === 0n) return 0n;
    const needNanos = takesPart ? order.needNanos : wantNanos;
    const addedNanos = await extendRun(client, holdId, wantNanos);
    if (addedNanos >= needNanos) return addedNanos;
    // The error rolls back the transaction, and with it a partial extension.
    const totalNanos = keptNanos + needNanos;
    throw new HoldRefused((await isLeft(client, holdId, totalNanos)) ? 'held' : 'short', totalNanos);
  }

  const splitRun = splitHold;
  return { holdRun, holdRunPatiently, extendRun, extendRunPatiently, shrinkRun, splitRun, settleRun, releaseHold };
}

/** Whether the balance and the key's ceiling cover the amount, including what others hold. */
async function isLeft(client: Queryable, holdId: string, nanos: bigint): Promise<boolean> {
  const { rows } = await client.query(LEFT, [holdId, nanos]);
  return rows[0].left;
}

const LEFT = `
select r.posted >= $2 and coalesce(r.key_left >= $2, true) as left from holds h, ledger_room(h.key_id, h.day) r where h.id = $1`;

/**
 * Ends the hold of a run and charges its caller, once: a second call returns what the first one charged (nano-USD). Throws when the
 * charge exceeds the hold.
 */
async function settleRun(client: Queryable, settlement: RunSettlement): Promise<bigint> {
  const { rows } = await client.query({
    name: 'ledger_settle_run',
    text: `select ledger_settle_run(p_run => $1, p_hold => $2, p_publisher => $3, p_subtotal => $4, p_fee => $5, p_cost => $6,
      p_subsidy => $7, p_absorbed => $8) as charged`,
    values: [
      settlement.runId,
      settlement.holdId,
      settlement.publisherWorkspaceId,
      settlement.subtotalNanos,
      settlement.networkFeeNanos,
      settlement.platformCostNanos,
      settlement.subsidyNanos,
      settlement.absorbedNanos,
    ],
  });
  return BigInt(rows[0].charged);
}

// When everything is requested at once, an account or a ceiling that is too small is refused like an empty one.
function isShort(error: unknown): boolean {
  const reason = refusalOf(error);
  return reason !== undefined && ['held', 'short', 'balance', 'ceiling', 'project'].includes(reason);
}

function refusalOf(error: unknown): HoldRefusalReason | undefined {
  return (error as Error).name === 'HoldRefused' ? (error as HoldRefused).reason : undefined;
}
