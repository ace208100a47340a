import type { Product } from '../catalog/products.ts';
import { projectLabelsSql, projectSql } from './projectSql.ts';
import { boundaryOf } from '../ledger/entryBoundaries.ts';
import { archiveNotSet, joinArchived } from '../postgres/archive.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { monthAfter } from '../../base/dateText.ts';

/** The cost of the calls of one model, or of the runs of one agent, in a month: bills minus refunds and corrections, in nano-USD. */
export interface SpendLine {
  product: Product;
  model: string | null;
  agent: string | null;
  /** Number of billed calls or runs. */
  requests: number;
  costNanos: bigint;
}

/** What the calls and runs of a project cost in a month, in nano-USD. */
export interface ProjectSpend {
  /** Its id in the API. */
  projectId: string;
  name: string;
  requests: number;
  costNanos: bigint;
}

/**
 * A month (UTC) of a workspace's account, in nano-USD from the ledger: opening + topups + refunds + adjustments + payouts - spend =
 * closing. `earnedNanos` is its agents' earning; only the part paid out to the balance counts in the sum.
 */
export interface AccountStatement {
  openingNanos: bigint;
  topupsNanos: bigint;
  /** Reversed payments, by refunds and disputes: below zero. */
  refundsNanos: bigint;
  adjustmentsNanos: bigint;
  /** Earnings paid out to the balance. */
  payoutsNanos: bigint;
  earnedNanos: bigint;
  spend: SpendLine[];
  /** The same spending by project, the largest first. */
  projects: ProjectSpend[];
  spendNanos: bigint;
  closingNanos: bigint;
}

const SPENDING = ['debit', 'refund', 'correction'];
const TAKEN_BACK = ['topup_refund', 'dispute'];
// A month may have a million entries.
const MONTH_MS = 30_000;

/** Reads the statement of a month, `YYYY-MM`. The current month is stated up to now. */
export function readAccountStatement(
  rows: Rows,
  { accountId, month }: { accountId: string; month: string },
): Promise<AccountStatement> {
  return rows.transaction(async (tx) => {
    await tx.client.query(`set local statement_timeout = ${MONTH_MS}`);
    const [from, to] = await monthBounds(tx, accountId, month);
    await joinChanged(tx, accountId, { from, to });
    const openingNanos = await balanceBefore(tx, accountId, from);
    const sums = await sumByKind(tx, accountId, { from, to });
    const spend = await readSpend(tx, accountId, { from, to });
    const names = await readProjectNames(tx);
    const sumOf = (isWanted: (kind: string) => boolean) =>
      sums.reduce((sum, { kind, nanos }) => (isWanted(kind) ? sum + nanos : sum), 0n);
    const isOther = (kind: string) =>
      kind !== 'topup' && kind !== 'payout' && !TAKEN_BACK.includes(kind) && !SPENDING.includes(kind);
    return {
      openingNanos,
      topupsNanos: sumOf((kind) => kind === 'topup'),
      refundsNanos: sumOf((kind) => TAKEN_BACK.includes(kind)),
      adjustmentsNanos: sumOf(isOther),
      payoutsNanos: sumOf((kind) => kind === 'payout'),
      earnedNanos: await readEarned(tx, month),
      spend: foldBy(spend, ({ product, model, agent }) => [product, model, agent].join('\n')).map(withoutProject),
      projects: foldBy(spend, ({ projectId }) => projectId).map(({ projectId, requests, costNanos }) => ({
        projectId,
        name: names.get(projectId) ?? projectId,
        requests,
        costNanos,
      })),
      spendNanos: -sumOf((kind) => SPENDING.includes(kind)),
      closingNanos: await balanceBefore(tx, accountId, to),
    };
  });
}

/**
 * The sequences of a month's first entry and of the next month's. Calls of an archived month become visible to the transaction; its days are
 * signed, so they have the same bounds.
 */
async function monthBounds(tx: Transaction, accountId: string, month: string): Promise<[string, string]> {
  const next = nextMonthOf(month);
  await joinArchived(tx, { from: new Date(`${month}-01`), to: new Date(next) });
  const account = { workspaceId: tx.workspaceId, accountId };
  return [await boundaryOf(tx, account, `${month}-01`), await boundaryOf(tx, account, next)];
}

/** Entries of an account from one sequence up to another. */
interface Range {
  from: string;
  to: string;
}

/** A bill of an archived month that was changed later, in this one, is described with its call. */
async function joinChanged(tx: Transaction, accountId: string, { from, to }: Range): Promise<void> {
  if (!(await tx.archive.hasMonths(tx.client))) return;
  const { rows } = await tx.client.query<{ id: string }>(CHANGED, [accountId, from, to]);
  if (rows.length > 0) await tx.archive.join(tx, { ids: rows.map(({ id }) => id) });
}

const CHANGED = `
select subject as id from ledger_entries e where account_id = $1 and sequence >= $2 and sequence < $3 and kind in ('refund', 'correction')
  and not starts_with(subject, 'run_') and not exists (select from requests q where q.id = e.subject)`;

async function balanceBefore({ client, archive }: Transaction, accountId: string, sequence: string): Promise<bigint> {
  const sql =
    'select balance_after_nanos as nanos from ledger_entries where account_id = $1 and sequence = $2::bigint - 1';
  const { rows } = await client.query<{ nanos: string }>(sql, [accountId, sequence]);
  if (rows[0] || sequence === '1') return BigInt(rows[0]?.nanos ?? 0);
  const last = BigInt(sequence) - 1n;
  const line = (await archive.linesOf(client, { accountId, first: last, last })).get(last);
  if (line === undefined) throw archiveNotSet(`entry ${last} of ${accountId} is`);
  return BigInt((JSON.parse(line) as { balance_nanos: string }).balance_nanos);
}

async function sumByKind({ client }: Transaction, accountId: string, { from, to }: Range) {
  const sql = `select kind, sum(amount_nanos) as nanos from ledger_entries
    where account_id = $1 and sequence >= $2 and sequence < $3 group by kind`;
  const query = { text: sql, values: [accountId, from, to], query_timeout: MONTH_MS };
  const { rows } = await client.query<{ kind: string; nanos: string }>(query);
  return rows.map(({ kind, nanos }) => ({ kind, nanos: BigInt(nanos) }));
}

async function readSpend({ client }: Transaction, accountId: string, { from, to }: Range): Promise<SpendPart[]> {
  const query = { text: SPEND, values: [accountId, from, to], query_timeout: MONTH_MS };
  const { rows } = await client.query<Omit<SpendPart, 'costNanos'> & { cost: string }>(query);
  return rows.map(({ cost, ...line }) => ({ ...line, costNanos: BigInt(cost) }));
}

/** A spend line of one project. */
type SpendPart = SpendLine & { projectId: string };

const withoutProject = ({ projectId: _project, ...line }: SpendPart): SpendLine => line;

/** The parts with the same key as one, the largest first. */
function foldBy(parts: SpendPart[], keyOf: (part: SpendPart) => string): SpendPart[] {
  const folded = [...Map.groupBy(parts, keyOf).values()].map((same) => ({
    ...same[0]!,
    requests: same.reduce((sum, { requests }) => sum + requests, 0),
    costNanos: same.reduce((sum, { costNanos }) => sum + costNanos, 0n),
  }));
  return folded.toSorted((one, other) => Number(other.costNanos - one.costNanos));
}

async function readProjectNames({ client, workspaceId }: Transaction): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; name: string }>(projectLabelsSql, [workspaceId]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

// Raw: the debits of calls, which are in the calls' rows, and the other entries joined with the calls and runs that they bill; each is looked up
// only in its own kind.
const SPEND = `
select product, model, agent, ${projectSql('project_id')} as "projectId", count(*) filter (where kind = 'debit')::int as requests,
  -sum(amount_nanos) as cost
from (
  select q.product, q.model, null as agent, q.project_id, 'debit' as kind, -q.debited_nanos as amount_nanos
  from requests q where q.account_id = $1 and q.sequence >= $2 and q.sequence < $3
  union all
  select case when r.id is not null then 'agents' else q.product end, q.model, r.agent, coalesce(r.project_id, q.project_id), e.kind, e.amount_nanos
  from ledger_legs e
    left join requests q on q.id = case when not starts_with(e.subject, 'run_') then e.subject end
    left join runs r on r.id = case when starts_with(e.subject, 'run_') then e.subject end
  where e.account_id = $1 and e.sequence >= $2 and e.sequence < $3 and e.kind in ('${SPENDING.join("', '")}')) s
group by 1, 2, 3, 4 order by 1, 2, 3, 4`;

async function readEarned({ client, workspaceId }: Transaction, month: string): Promise<bigint> {
  const query = { text: EARNED, values: [workspaceId, `${month}-01`], query_timeout: MONTH_MS };
  const { rows } = await client.query<{ nanos: string }>(query);
  return BigInt(rows[0]!.nanos);
}

const EARNED = `
select coalesce(sum(amount_nanos), 0) as nanos from ledger_legs where workspace_id = $1 and kind = 'earning'
  and created_at >= $2::timestamp at time zone 'utc' and created_at < ($2::timestamp + interval '1 month') at time zone 'utc'`;

/** The first day of the month after `YYYY-MM`. */
export const nextMonthOf = (month: string): string => `${monthAfter(month)}-01`;
