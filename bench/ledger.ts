import { Pool } from 'pg';
import { newId } from '../db/ids.ts';
import { createBatchWriter } from '../db/ledger/batchWriter.ts';
import { type Settlement, takeHold } from '../db/ledger/statements.ts';
import { createSpender, type Installation } from './installation.ts';
import { keepWaiting, type Rate } from './keepWaiting.ts';
import type { Rounds } from './point.ts';
import { withScratchDebits } from './scratchDebits.ts';

export interface LedgerRates {
  /** The writer, all waiters on one account. */
  hot: Rate[];
  /** The writer, each settlement on another of many accounts. */
  spread: Rate[];
  /** A transaction for each debit, all on one account. */
  transactions: Rate[];
  /** The writer with one waiter. */
  alone: Rate[];
}

const WAITERS = 64;
const SLICE_NANOS = 1_000_000_000_000n;
const SESSION = '-c role=ledgerline_system';

type Payer = Pick<Settlement, 'workspace' | 'account' | 'key' | 'hold'>;

/** Settlements a second straight into PostgreSQL, without HTTP: the ledger's writer against a transaction for each debit. */
export async function measureLedger(
  { db, postgres }: Installation,
  { rounds, roundMs, accounts }: Rounds & { accounts: number },
): Promise<LedgerRates> {
  const payers = await makePayers(db, accounts);
  const pool = new Pool({ connectionString: postgres.url, max: 1, options: SESSION });
  const writer = createBatchWriter(pool, (error) => console.error(error));
  const settle = (payer: Payer) =>
    writer.write(settlementOf(payer), { flushed: false, expiresAtMs: Infinity, onFinal: () => {} });
  const settleAny = () => settle(payers[Math.floor(Math.random() * payers.length)]!);
  const rates: LedgerRates = { hot: [], spread: [], transactions: [], alone: [] };
  await withScratchDebits(postgres.url, WAITERS, async (debit) => {
    for (let round = 0; round < rounds; round += 1) {
      rates.hot.push(await keepWaiting(WAITERS, roundMs, () => settle(payers[0]!)));
      rates.spread.push(await keepWaiting(WAITERS, roundMs, settleAny));
      rates.transactions.push(await keepWaiting(WAITERS, roundMs, debit));
      rates.alone.push(await keepWaiting(1, roundMs / 2, () => settle(payers[0]!)));
    }
  });
  await pool.end();
  return rates;
}

/** Accounts with a key and an open slice each, as a busy process holds them. */
async function makePayers(db: Installation['db'], count: number): Promise<Payer[]> {
  const processId = newId('proc');
  await db.pool.query(`insert into processes (id, lease_until) values ($1, now() + interval '1 hour')`, [processId]);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { workspaceId, keyId, accountId } = await createSpender(db);
      const id = newId('hold');
      const wanted = { kind: 'slice', wantNanos: SLICE_NANOS, needNanos: 1n } as const;
      await takeHold(db.pool, { id, processId, keyId, ...wanted });
      return { workspace: workspaceId, account: accountId, key: keyId, hold: id };
    }),
  );
}

function settlementOf(payer: Payer): Settlement {
  return {
    ...payer,
    id: newId('req'),
    cost: 70_000,
    charge: 70_000,
    route: '/v1/chat/completions',
    model: 'bench-text',
    status: 200,
    cancelled: false,
    usage: { input_tokens: 14, output_tokens: 26 },
    held: 1_000_000,
    started: new Date().toISOString(),
    first: null,
    duration: 2,
    bytes: 0,
  };
}
