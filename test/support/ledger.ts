import { afterAll, afterEach, expect } from '@jest/globals';
import { tmpdir } from 'node:os';
import type { Pool } from 'pg';
import type { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { checkInvariants } from '../../db/invariants/invariants.ts';
import { createLedger, type Bill, type Spender } from '../../db/ledger/ledger.ts';
import type { Settlement } from '../../db/ledger/settlement.ts';
import { inTransaction } from '../../db/postgres/transaction.ts';
import { balanceOf, makeAccount } from './account.ts';
import { setTestDatabase } from './database.ts';
import { until } from './until.ts';

/** A ledger for the tests of a file, checked after each. Ends with the file. */
export async function openLedger() {
  const db = await setTestDatabase();
  afterEach(() => expectSoundLedger(db));
  afterAll(() => db.close());
  return db;
}

/** The ledger of another process, with pools of the test. */
export async function openOtherLedger(
  { pool }: Pick<Database, 'pool'>,
  options: Pick<Parameters<typeof createLedger>[0], 'onError'> & { writerPool?: Pool; postingPool?: Pool },
) {
  const ledger = createLedger({
    pool,
    writerPool: pool,
    postingPool: pool,
    leaseMs: 20_000,
    reaps: false,
    readWaitMs: 60_000,
    journalFolder: tmpdir(),
    storeAnswers: async () => true,
    announceScarcity: () => {},
    announceReader: () => {},
    ...options,
  });
  await ledger.open();
  return ledger;
}

/** A pool whose statements a test executes. */
export const poolWith = (
  pool: Pool,
  query: (statement: { name?: string }, ...values: unknown[]) => Promise<unknown>,
): Pool => Object.assign(Object.create(pool) as Pool, { query });

/** The bill of a call of this spender with this cost. */
export const billOf = (spender: Spender, costNanos: bigint, more: Partial<Bill> = {}): Bill =>
  makeBill(spender, { costNanos, ...more });

/** A new account's key in the ledger's form, and its balance. */
export async function makeSpender(
  db: Pick<Database, 'pool' | 'ledger' | 'everywhere'>,
  options: Parameters<typeof makeAccount>[1],
) {
  const { keyId, accountId, workspaceId } = await makeAccount(db, options);
  const spender: Spender = { keyId, accountId, workspaceId };
  return { spender, balance: () => balanceOf(db, workspaceId) };
}

/** The amount of an account's open holds, in nano-USD, and their number. */
export async function openHoldsOf(db: Pick<Database, 'pool'>, accountId: string) {
  const { rows } = await db.pool.query(
    `select coalesce(sum(amount_nanos), 0) as total, count(*)::int as count from holds where state = 'open' and account_id = $1`,
    [accountId],
  );
  return { nanos: BigInt(rows[0].total as string), count: rows[0].count as number };
}

/**
 * Ends every spending process as dead, and returns the sweep's result. In one transaction: a heartbeat between the end of a lease and the
 * sweep would renew it.
 */
export async function endProcesses({ pool }: Pick<Database, 'pool'>): Promise<{ requestsSettled: number }> {
  return inTransaction(pool, async (client) => {
    await client.query(
      `update processes set lease_until = clock_timestamp() - interval '1 ms' where reaped_at is null`,
    );
    const { rows } = await client.query('select requests_settled from ledger_reap()');
    return { requestsSettled: rows[0].requests_settled as number };
  });
}

/** A key's spending on each day, oldest first, in nano-USD. */
export async function spentByDay(db: Pick<Database, 'pool'>, keyId: string): Promise<bigint[]> {
  const { rows } = await db.pool.query('select spent_nanos from key_days where key_id = $1 order by day', [keyId]);
  return rows.map((row) => BigInt(row.spent_nanos as string));
}

/** Settles a call that may have been settled before. Returns its charge in nano-USD. */
export async function settleAgain(db: Pick<Database, 'pool'>, item: Settlement): Promise<bigint> {
  const text = `select * from ledger_settle_again(array[json_populate_record(null::ledger_settlement, $1)], '{}')`;
  const { rows } = await db.pool.query(text, [JSON.stringify(item)]);
  return BigInt(rows[0].charged_nanos as string);
}

/** Fails with every rule of the ledger that its rows violate, except a rule that a test violates by moving days. */
export async function expectSoundLedger(db: Pick<Database, 'pool' | 'ledger'>, exceptRule?: string): Promise<void> {
  await db.ledger.posted();
  const { violations } = await checkInvariants(db.pool);
  expect(violations.filter(({ rule }) => rule !== exceptRule)).toEqual([]);
}

/** The bill of a successful call, with a test's changes. */
export function makeBill(spender: Spender, { costNanos, ...rest }: Partial<Bill> & { costNanos: bigint }): Bill {
  return {
    requestId: newId('req'),
    spender,
    costNanos,
    route: '/v1/chat/completions',
    model: 'ledgerline-text-1',
    status: 200,
    cancelled: false,
    usage: { input_tokens: 10, output_tokens: 5 },
    startedAtMs: Date.now(),
    firstByteMs: null,
    durationMs: 12,
    streamBytes: 0,
    upstream: 'scripted',
    attempts: 1,
    finishReason: 'stop',
    cachedTokens: 0,
    reasoningTokens: 0,
    priceId: null,
    product: 'text',
    ...rest,
  };
}

/** Holds money once that is granted. */
export async function untilHeld<T>(hold: () => Promise<T>): Promise<T> {
  let held: T | undefined;
  await until(async () => (held = await hold().catch(() => undefined)) !== undefined);
  return held!;
}
