import type { Client } from 'pg';
import { idAt, type Chance } from './chance.ts';
import type { PastCall } from './pastCalls.ts';

const ROWS_PER_STATEMENT = 5_000;

/** Inserts ended calls with their entries. Only within `rewriteLedger`, which seals the entries. */
export async function insertCalls(owner: Client, accountId: string, calls: PastCall[]): Promise<void> {
  for (let at = 0; at < calls.length; at += ROWS_PER_STATEMENT) {
    const rows = calls.slice(at, at + ROWS_PER_STATEMENT);
    await owner.query(CALLS, [JSON.stringify(rows)]);
    await owner.query(DEBITS, [JSON.stringify(rows.filter(({ cost_nanos: cost }) => cost !== '0')), accountId]);
  }
}

const CALLS = `insert into requests select * from jsonb_populate_recordset(
  jsonb_populate_record(null::requests, '{"provisional": false}'), $1::jsonb)`;

const DEBITS = `
with sold as (
  select nextval('ledger_transaction_ids') as tx, c.* from jsonb_to_recordset($1::jsonb)
    c(id text, workspace_id text, key_id text, cost_nanos bigint, settled_at timestamptz))
insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, key_id, created_at)
select tx, 1, $2, workspace_id, 'debit', id, -cost_nanos, key_id, settled_at from sold
union all select tx, 2, 'revenue', null, 'revenue', 'settlement ' || tx, cost_nanos, null, settled_at from sold`;

/** A payment of the past. */
export interface PastTopup {
  atMs: number;
  usd: number;
  origin: 'checkout' | 'auto';
}

/** Inserts paid top-ups with their entries. Only within `rewriteLedger`. */
export async function insertTopups(
  owner: Client,
  { workspaceId, accountId }: { workspaceId: string; accountId: string },
  topups: PastTopup[],
  chance: Chance,
): Promise<void> {
  for (const { atMs, usd, origin } of topups) {
    const id = idAt('top', atMs, chance);
    const intent = idAt('pi', atMs, chance).replace('_', '_3');
    const session = origin === 'checkout' ? idAt('cs_test', atMs, chance) : null;
    await owner.query(TOPUP, [id, workspaceId, origin, session, intent, usd * 1_000_000_000, new Date(atMs)]);
    await owner.query(TAX, [intent, workspaceId, usd * 1_000_000_000 * TAX_RATE]);
    await owner.query(CREDIT, [accountId, workspaceId, intent, usd * 1_000_000_000, new Date(atMs)]);
  }
}

const TAX_RATE = 0.19;

const TOPUP = `
insert into topups (id, workspace_id, origin, session_id, payment_intent, amount_nanos, is_taxed, tax_nanos, livemode, status, created_at, paid_at)
values ($1, $2, $3, $4, $5, $6::bigint, true, $6::bigint * ${TAX_RATE}, false, 'paid', $7::timestamptz - interval '40 seconds', $7)`;

const TAX = `insert into payment_taxes (kind, subject, workspace_id, tax_nanos) values ('topup', $1, $2, $3)`;

const CREDIT = `
with next as (select nextval('ledger_transaction_ids') as tx)
insert into ledger_legs (transaction_id, leg, account_id, workspace_id, kind, subject, amount_nanos, created_at)
select tx, 1, $1, $2, 'topup', $3, $4::bigint, $5::timestamptz from next
union all select tx, 2, 'payments', null, 'topup contra', $3, -$4::bigint, $5 from next`;
