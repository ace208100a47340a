import { Pool } from 'pg';
import { openDatabase, type Database } from '../../db/database.ts';
import type { Spender } from '../../db/ledger/ledger.ts';
import { makeBill } from './bill.ts';
import { allPosted } from './databaseMeter.ts';
import { createSpender, type Installation } from './installation.ts';
import { inShortRounds, type Rounds } from './point.ts';
import { percentileOf } from './statistics.ts';

/** Settlements answered per second (on disk), and per second until all were in the ledger. */
interface LedgerRate extends Rate {
  postedPerSecond: number;
}

export interface LedgerRates {
  /** The ledger, with all waiters on one account. */
  hot: LedgerRate[];
  /** The ledger, with settlements spread over many accounts. */
  spread: LedgerRate[];
  /** A transaction for each debit, all on one account. */
  transactions: Rate[];
  /** The ledger with one waiter. */
  alone: LedgerRate[];
}

const WAITERS = 64;
// The first hold is large enough for a slice that lasts the whole run: this measures settlements, not refills.
const FIRST_HOLD_NANOS = 10_000_000_000n;
const CALL_NANOS = 70_000n;

/** Holds and settlements per second directly in PostgreSQL, without HTTP: the ledger against one transaction per debit. */
export async function measureLedger(
  { postgres }: Installation,
  { accounts, ...plan }: Rounds & { accounts: number },
): Promise<LedgerRates> {
  const db = await openDatabase({
    url: postgres.applicationUrl,
    spends: true,
    onError: (error) => console.error(error),
  });
  const spenders: Spender[] = [];
  // Some at a time: all at once wait longer for a connection than one may on a slow machine.
  while (spenders.length < accounts) {
    const length = Math.min(WAITERS, accounts - spenders.length);
    spenders.push(...(await Promise.all(Array.from({ length }, () => createSpender(db)))));
  }
  const bill = {
    hot: () => billOnce(db, spenders[0]!, CALL_NANOS),
    spread: () => billOnce(db, spenders[Math.floor(Math.random() * spenders.length)]!, CALL_NANOS),
  };
  const rates: LedgerRates = { hot: [], spread: [], transactions: [], alone: [] };
  // Hot and spread are compared to a tenth, but single rounds differ by half.
  const { rounds, roundMs } = inShortRounds(plan);
  await withScratchDebits(postgres.url, WAITERS, async (debit) => {
    for (let round = 0; round < rounds; round += 1) {
      for (const name of inTurns(round)) {
        await openSlices(db, spenders);
        rates[name].push(await untilPosted(db, () => keepWaiting(WAITERS, roundMs, bill[name])));
      }
      rates.transactions.push(await keepWaiting(WAITERS, roundMs / 2, debit));
      rates.alone.push(await untilPosted(db, () => keepWaiting(1, roundMs / 2, bill.hot)));
    }
  });
  await db.close();
  return rates;
}

/** They alternate in going first, so that the order favours neither. */
function inTurns(round: number): ('hot' | 'spread')[] {
  return round % 2 === 0 ? ['spread', 'hot'] : ['hot', 'spread'];
}

// Waits until everything is posted, so that the next measurement is not slowed down.
async function untilPosted(db: Database, measure: () => Promise<Rate>): Promise<LedgerRate> {
  const startedAtMs = performance.now();
  const rate = await measure();
  const settlements = (rate.perSecond * (performance.now() - startedAtMs)) / 1_000;
  await allPosted(db.pool);
  return { ...rate, postedPerSecond: settlements / ((performance.now() - startedAtMs) / 1_000) };
}

// Before both measurements, for equal starts. An idle slice is returned after some seconds; its refill must not be measured.
async function openSlices(db: Database, spenders: Spender[]): Promise<void> {
  // In groups, because the last of a thousand could wait longer for a connection than a hold does.
  for (let at = 0; at < spenders.length; at += WAITERS)
    await Promise.all(spenders.slice(at, at + WAITERS).map((spender) => billOnce(db, spender, FIRST_HOLD_NANOS)));
  await allPosted(db.pool);
}

async function billOnce({ ledger }: Database, spender: Spender, holdNanos: bigint): Promise<void> {
  const hold = await ledger.hold(spender, holdNanos);
  await ledger.settle(hold, makeBill(spender, CALL_NANOS));
}

interface Rate {
  perSecond: number;
  p50Ms: number;
}

/** Runs this many concurrent loops of `work` for a period. */
async function keepWaiting(waiters: number, durationMs: number, work: () => Promise<unknown>): Promise<Rate> {
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const repeat = async (): Promise<void> => {
    while (performance.now() - startedAtMs < durationMs) {
      const beganAtMs = performance.now();
      await work();
      latenciesMs.push(performance.now() - beganAtMs);
    }
  };
  await Promise.all(Array.from({ length: waiters }, repeat));
  const seconds = (performance.now() - startedAtMs) / 1000;
  return { perSecond: latenciesMs.length / seconds, p50Ms: percentileOf(latenciesMs, 0.5) };
}

const CREDIT = 1_000_000_000_000_000n;

const TABLES = `
  create table bench_balances (id int primary key, amount bigint not null);
  create table bench_debits (id bigint generated always as identity primary key, balance_id int not null, amount bigint not null,
    created_at timestamptz not null default now());
  insert into bench_balances values (1, ${CREDIT});
`;

/**
 * The baseline for the ledger: a guarded update and a row, in one transaction per debit, on one balance. Each of `connections` waiters has
 * its own connection. The tables exist while `work` runs.
 */
async function withScratchDebits<T>(
  url: string,
  connections: number,
  work: (debit: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const pool = new Pool({ connectionString: url, max: connections });
  await pool.query(TABLES);
  try {
    return await work(() => debitOnce(pool));
  } finally {
    await pool.query('drop table bench_debits, bench_balances');
    await pool.end();
  }
}

async function debitOnce(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({
      name: 'bench_update',
      text: 'update bench_balances set amount = amount - $1 where id = 1 and amount >= $1',
      values: [70_000],
    });
    await client.query({
      name: 'bench_insert',
      text: 'insert into bench_debits (balance_id, amount) values (1, $1)',
      values: [70_000],
    });
    await client.query('commit');
  } finally {
    client.release();
  }
}
