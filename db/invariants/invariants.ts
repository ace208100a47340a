import type { ClientBase, Pool } from 'pg';
import { findUnsigned } from '../bill/checkDays.ts';
import { PLAN_WHOLE_TABLES } from '../postgres/planning.ts';
import { CARRIED, ENTRY_RULES, HOLD_RULES, REQUEST_RULES, SECRET_RULES } from './rules.ts';
import { PAYMENT_RULES, PAYOUT_RULES } from './paymentRules.ts';
import { RUN_RULES } from './runRules.ts';

const DETAILS_MAX = 20;
const TIMEOUT_MS = 600_000;

/** The ledger's totals. Amounts in nano-USD; to the platform, a customer's credit is the amount paid for it. */
export interface LedgerSums {
  entries: bigint;
  transactions: bigint;
  /** Of all entries: zero. */
  totalNanos: bigint;
  /** All customers together, and each house account by its id. */
  balancesNanos: Record<string, bigint>;
  /** Of all open holds. */
  heldNanos: bigint;
}

/** A violated rule of the ledger, and where. */
export interface Violation {
  rule: string;
  detail: string;
}

export interface InvariantReport {
  sums: LedgerSums;
  violations: Violation[];
}

/** How many of the last signed days a check reads by default. */
const SIGNED_DAYS = 7;

/**
 * Checks every rule of the ledger on one snapshot, while the ledger is in use. Reports at most twenty violations per rule. `signedDays`:
 * how many of the last days are compared with their signed roots; null: all.
 */
export async function checkInvariants(
  pool: Pool,
  { signedDays = SIGNED_DAYS }: { signedDays?: number | null } = {},
): Promise<InvariantReport> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query(`set local statement_timeout = ${TIMEOUT_MS}; ${PLAN_WHOLE_TABLES}; ${JOIN_WHOLE_TABLES}`);
    const report = await readInvariants(client, signedDays);
    await client.query('commit');
    client.release();
    return report;
  } catch (error) {
    // Closes the connection, and with it the transaction.
    client.release(true);
    throw error;
  }
}

// The planner expects few groups of a view, and would compare each entry with each transaction.
const JOIN_WHOLE_TABLES = 'set local enable_nestloop = off';

/** The same within the client's own transaction. */
export async function readInvariants(
  client: ClientBase,
  signedDays: number | null = SIGNED_DAYS,
): Promise<InvariantReport> {
  const violations: Violation[] = [];
  for (const { rule, sql } of ALL_RULES) {
    const rows = await read<{ detail: string | null }>(client, `${sql} limit ${DETAILS_MAX}`);
    violations.push(...rows.map(({ detail }) => ({ rule, detail: detail ?? UNNAMED })));
  }
  const unsigned = await findUnsigned(client, signedDays);
  const rule = 'the ledger is what was signed';
  violations.push(...unsigned.slice(0, DETAILS_MAX).map((detail) => ({ rule, detail })));
  return { sums: await readSums(client), violations };
}

// Of a row that lacks what would name it.
const UNNAMED = 'a row without an account, number, transaction or amount';

const ALL_RULES = [
  ...ENTRY_RULES,
  ...HOLD_RULES,
  ...REQUEST_RULES,
  ...RUN_RULES,
  ...PAYMENT_RULES,
  ...PAYOUT_RULES,
  ...SECRET_RULES,
];

async function readSums(client: ClientBase): Promise<LedgerSums> {
  const [all] = await read<Record<'entries' | 'transactions' | 'total' | 'held', string>>(client, SUMS);
  const balances = await read<{ name: string; total: string }>(client, BALANCES);
  return {
    entries: BigInt(all!.entries),
    transactions: BigInt(all!.transactions),
    totalNanos: BigInt(all!.total),
    balancesNanos: Object.fromEntries(balances.map(({ name, total }) => [name, BigInt(total)])),
    heldNanos: BigInt(all!.held),
  };
}

async function read<Row>(client: ClientBase, text: string): Promise<Row[]> {
  const query = { text, query_timeout: TIMEOUT_MS };
  return (await client.query(query)).rows as Row[];
}

const SUMS = `
select e.entries + c.entries as entries, e.transactions + c.transactions as transactions, e.total + c.total as total, h.held
from (select count(kind) as entries, count(distinct transaction_id) as transactions, coalesce(sum(amount_nanos), 0) as total from ledger_entries) e,
  (select coalesce(sum(entries), 0) as entries, coalesce(sum(nanos), 0) as total,
    (select coalesce(sum(transactions), 0) from ledger_months where state = 'dropped') as transactions from (${CARRIED}) c) c,
  (select coalesce(sum(amount_nanos), 0) as held from holds where state = 'open') h`;

const BALANCES = `
select case when a.kind = 'customer' then 'customers' when starts_with(a.id, 'clearing_') then 'clearing' else a.id end as name, coalesce(sum(e.nanos), 0) as total
from accounts a left join (select account_id, amount_nanos as nanos from ledger_entries union all select account_id, nanos from (${CARRIED}) c) e
  on e.account_id = a.id group by 1 order by 1`;
