import { nextMonthOf, readAccountStatement } from '../accounting/statement.ts';
import { boundaryOf } from '../ledger/entryBoundaries.ts';
import type { InvoiceLine } from '../entities/invoice.ts';
import type { Transaction } from '../postgres/rows.ts';

/** A month of an account as lines, and its sums in nano-USD. */
export interface InvoiceContent {
  lines: InvoiceLine[];
  /** Credit that was bought, less what was returned. */
  netNanos: bigint;
  taxNanos: bigint;
  openingNanos: bigint;
  closingNanos: bigint;
  usageNanos: bigint;
}

/**
 * What an invoice of a month (`YYYY-MM`) says; undefined for a month in which the balance did not change. Its lines come from the ledger's
 * entries and its usage from the statement, and both sum up to the statement's closing balance: otherwise it throws.
 */
export async function readInvoiceContent(
  tx: Transaction,
  { accountId, month }: { accountId: string; month: string },
): Promise<InvoiceContent | undefined> {
  const account = { workspaceId: tx.workspaceId, accountId };
  const from = await boundaryOf(tx, account, `${month}-01`);
  const to = await boundaryOf(tx, account, nextMonthOf(month));
  if (from === to) return undefined;
  const statement = await readAccountStatement(tx, { accountId, month });
  const changes = await readChanges(tx, { accountId, from, to });
  const usage = statement.spend.map(({ product, model, agent, requests, costNanos }): InvoiceLine => {
    const nanos = String(-costNanos);
    return { kind: 'usage', product, name: agent ?? model, requests, nanos };
  });
  const lines = [...changes, ...usage];
  const sum = (isWanted: (line: InvoiceLine) => boolean) => sumOf(lines.filter(isWanted).map(({ nanos }) => nanos));
  const content = {
    lines,
    netNanos: sum(isPurchase),
    taxNanos: sumOf(lines.map(({ taxNanos = '0' }) => taxNanos)),
    openingNanos: statement.openingNanos,
    closingNanos: statement.closingNanos,
    usageNanos: statement.spendNanos,
  };
  if (
    content.netNanos !== statement.topupsNanos + statement.refundsNanos ||
    sum(({ kind }) => kind === 'usage') !== -statement.spendNanos ||
    statement.openingNanos + sum(() => true) !== statement.closingNanos
  )
    throw new Error(`the invoice of ${accountId} for ${month} differs from its statement`);
  return content;
}

/** Whether a line is credit that was bought or returned: those carry tax. */
export const isPurchase = ({ kind }: Pick<InvoiceLine, 'kind'>): boolean =>
  kind === 'payment' || kind === 'refund' || kind === 'dispute';

export const sumOf = (amounts: string[]): bigint => amounts.reduce((sum, nanos) => sum + BigInt(nanos), 0n);

interface Range {
  accountId: string;
  from: string;
  to: string;
}

interface Row {
  kind: string;
  subject: string;
  nanos: string;
  at: Date;
  topup: string | null;
  source: 'checkout' | 'auto' | null;
  tax: string | null;
  reason: string | null;
}

async function readChanges({ client }: Transaction, { accountId, from, to }: Range): Promise<InvoiceLine[]> {
  const { rows } = await client.query<Row>(CHANGES, [accountId, from, to]);
  return rows.map(lineOf);
}

// Raw: entries with the payments and taxes beside them. A bill is no line of its own: usage is summed by model.
const CHANGES = `
select e.kind, e.subject, e.amount_nanos as nanos, e.created_at as at, t.id as topup, t.origin as source, x.tax_nanos as tax, x.reason
from ledger_legs e
  left join topups t on t.payment_intent = split_part(e.subject, '/', 1)
  left join payment_taxes x on x.kind = e.kind and x.subject = e.subject
where e.account_id = $1 and e.sequence >= $2 and e.sequence < $3 and e.kind not in ('debit', 'refund', 'correction')
order by e.sequence`;

const KINDS: Partial<Record<string, InvoiceLine['kind']>> = {
  topup: 'payment',
  topup_refund: 'refund',
  dispute: 'dispute',
  payout: 'payout',
};

function lineOf({ kind: entryKind, subject, nanos, at, topup, source, tax, reason }: Row): InvoiceLine {
  const kind = KINDS[entryKind] ?? 'adjustment';
  const line = { kind, nanos, at: at.toISOString(), reference: topup ?? subject };
  return isPurchase(line) ? { ...line, taxNanos: tax ?? '0', taxReason: reason, ...(source && { source }) } : line;
}
