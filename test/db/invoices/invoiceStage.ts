import { newId } from '../../../db/ids.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

export type Account = Awaited<ReturnType<typeof makeAccount>>;

/** An entry of a past month, as the ledger would have written it then. */
export interface PastEntry {
  kind: string;
  nanos: bigint;
  at: string;
  /** Beside a payment. */
  taxNanos?: bigint;
  model?: string;
}

/** A database whose invoices begin with a month. */
export async function setInvoiceDatabase(beginsAfter: string) {
  const db = await setTestDatabase();
  await db.pool.query('update invoice_series set begins_after = $1', [beginsAfter]);

  /** A workspace that had these entries, in order of time. */
  async function accountWith(entries: PastEntry[], { isTest = false } = {}): Promise<Account> {
    const account = await makeAccount(db, { balanceNanos: 0n, isTest });
    let balance = 0n;
    for (const [index, entry] of entries.entries()) {
      balance += entry.nanos;
      await writeEntry(account, entry, { sequence: index + 1, balance });
    }
    await db.pool.query(
      `update accounts set entry_count = $2, posted_nanos = $3, reversed_nanos = greatest(0, -$3::bigint), created_at = $4 where id = $1`,
      [account.accountId, entries.length, balance, entries[0]?.at ?? 'now'],
    );
    return account;
  }

  async function writeEntry(
    { accountId, workspaceId, keyId }: Account,
    { kind, nanos, at, taxNanos, model = 'a-model' }: PastEntry,
    { sequence, balance }: { sequence: number; balance: bigint },
  ): Promise<void> {
    const subject = kind === 'topup' ? newId('pi') : newId('req');
    await db.pool.query(
      `with tx as (select nextval('ledger_transaction_ids') as id)
       insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, sequence, balance_after_nanos, created_at)
       select id, 1, $1, $2, $3, $4, $5::bigint, $6::bigint, $7::bigint, $8::timestamptz from tx
       union all select id, 2, 'payments', null, $3 || ' contra', $4, -$5::bigint, null, null, $8 from tx`,
      [accountId, workspaceId, kind, subject, nanos, sequence, balance, at],
    );
    if (taxNanos !== undefined)
      await db.pool.query(
        'insert into payment_taxes (kind, subject, workspace_id, tax_nanos) values ($1, $2, $3, $4)',
        [kind, subject, workspaceId, taxNanos],
      );
    if (!['debit', 'refund', 'correction'].includes(kind)) return;
    await db.pool.query(
      `insert into requests (id, workspace_id, key_id, route, model, status, cancelled, usage, cost_nanos, written_off_nanos, hold_nanos, started_at,
         duration_ms, stream_bytes) values ($1, $2, $3, '/v1/chat/completions', $4, 200, false, '{}', 0, 0, 0, $5, 1, 0)`,
      [subject, workspaceId, keyId, model, at],
    );
  }

  return { db, accountWith };
}
