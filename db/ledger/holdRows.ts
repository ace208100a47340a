import type { Pool } from 'pg';
import { oneAtATime } from '../../base/waiting.ts';
import { newId } from '../ids.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { HoldRefused } from './hold.ts';
import { LedgerUnavailable } from '../postgres/ledgerUnavailable.ts';

type HoldKind = 'slice' | 'request' | 'run';
export type HoldOutcome =
  | 'granted'
  | 'balance'
  | 'ceiling'
  | 'project'
  | 'secret'
  | 'short'
  | 'held'
  | 'stale'
  | 'scarce'
  | 'revoked'
  | 'reaped';

interface HoldAnswer {
  outcome: HoldOutcome;
  grantedNanos: bigint;
  partial: boolean;
  /** Until the UTC day ends, by the database's clock: spending under the hold counts towards that day. */
  dayLeftMs: number;
}

/** Takes a hold by the rules in sql/hold_within.sql. */
export async function takeHold(
  pool: Queryable,
  hold: HoldOrder & { id: string; processId: string },
): Promise<HoldAnswer> {
  const { rows } = await pool.query({
    name: 'ledger_hold_within',
    text: `select * from ledger_hold_within(
      p_id => $1, p_process => $2, p_key => $3, p_kind => $4, p_want => $5, p_need => $6, p_secret => $7)`,
    values: [hold.id, hold.processId, hold.keyId, hold.kind, hold.wantNanos, hold.needNanos, hold.secretId ?? null],
  });
  const row = rows[0];
  return {
    outcome: row.outcome,
    grantedNanos: BigInt(row.granted),
    partial: row.partial,
    dayLeftMs: Number(row.day_left_ms),
  };
}

/** What the limit of a client secret leaves beside what its calls hold; null without a limit. */
export async function secretFreeNanos(pool: Queryable, secretId: string): Promise<bigint | null> {
  const { rows } = await pool.query<{ room: string[] | null }>('select ledger_secret_room($1) as room', [secretId]);
  const free = rows[0]?.room?.[1];
  return free === undefined ? null : BigInt(free);
}

/** Grows an open hold by at most `moreNanos`, and at most the `share`-th part of what is free. Returns the added amount. */
export async function extendHold(pool: Queryable, holdId: string, moreNanos: bigint, share: number): Promise<bigint> {
  const { rows } = await pool.query({
    name: 'ledger_extend',
    text: 'select ledger_extend(p_id => $1, p_more => $2, p_share => $3) as added',
    values: [holdId, moreNanos, share],
  });
  return BigInt(rows[0].added);
}

/** Whether another open hold has money of the account that it may return. */
export async function isHeldByOthers(pool: Queryable, accountId: string, holdId: string): Promise<boolean> {
  const text = `select exists (select from holds where account_id = $1 and state = 'open' and id <> $2) as held`;
  const { rows } = await pool.query(text, [accountId, holdId]);
  return rows[0].held;
}

/** Whether an open hold of a key's account is smaller than its call may cost: only one may be. */
export async function isHeldInPart(pool: Queryable, keyId: string): Promise<boolean> {
  const text = `select exists (select from holds h join api_keys k on k.account_id = h.account_id
    where k.id = $1 and h.state = 'open' and h.partial) as held`;
  const { rows } = await pool.query(text, [keyId]);
  return rows[0].held;
}

/** Lowers an open hold to `keepNanos`; a smaller one is unchanged. */
export async function shrinkHold(pool: Queryable, holdId: string, keepNanos: bigint): Promise<void> {
  await pool.query({
    name: 'ledger_shrink',
    text: 'select ledger_shrink(p_id => $1, p_keep => $2)',
    values: [holdId, keepNanos],
  });
}

/** Moves a part of a run's hold to a new one. False: it has less, or has ended. */
export async function splitHold(
  pool: Queryable,
  { fromId, toId, amountNanos }: { fromId: string; toId: string; amountNanos: bigint },
): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'ledger_split',
    text: 'select ledger_split(p_from => $1, p_to => $2, p_amount => $3) as split',
    values: [fromId, toId, amountNanos],
  });
  return rows[0].split;
}

/** Returns a part of a slice, and ends it when `close` is set. */
export async function returnFunds(pool: Pool, holdId: string, amountNanos: bigint, close: boolean): Promise<void> {
  await pool.query({
    name: 'ledger_give_back',
    text: 'select ledger_give_back(p_id => $1, p_amount => $2, p_close => $3)',
    values: [holdId, amountNanos, close],
  });
}

/** Ends those of these holds that exist and are open. */
export async function closeHolds(pool: Queryable, ids: string[]): Promise<void> {
  await pool.query(CLOSE, [ids]);
}

const CLOSE = `
select ledger_give_back(h.id, 0, true)
from (select id from holds where id = any ($1) and ended_at is null order by id collate "C" for update) h`;

// The kernel keeps sending data of a broken connection for up to two minutes, and the database executes it. After this time, a hold that
// does not exist will not appear any more.
const UNKNOWN_OUTCOME_MS = 180_000;

export type TakenHold = HoldAnswer & { id: string };

interface HoldOrder {
  keyId: string;
  /** The client secret whose limit binds it too. */
  secretId?: string;
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
      case 'project':
      case 'secret':
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
  throw new LedgerUnavailable('money is held by a dead process');
}

const lostLease = () => new LedgerUnavailable('this process lost its lease');

// No connection was available to send it.
function isUnsent(error: unknown): boolean {
  const { code, syscall, message } = error as { code?: string; syscall?: string; message?: string };
  return code === 'ECONNREFUSED' || syscall === 'connect' || message === 'timeout exceeded when trying to connect';
}
