import type { InvoiceCustomer, Seller } from '../entities/invoice.ts';
import { newId } from '../ids.ts';
import { recordMailedEvent } from '../mails/eventMails.ts';
import { recordEvent } from '../events/platformEvents.ts';
import { usdTextOf } from '../money.ts';
import type { Rows, RowsOfAll, Transaction } from '../postgres/rows.ts';
import { isTestSql, isTestWorkspace } from '../workspaces/mode.ts';
import { NO_DETAILS } from './details.ts';
import { readInvoiceContent } from './invoiceLines.ts';
import { isErasedSql } from '../entities/erasureSql.ts';
import { monthAfter } from '../../base/dateText.ts';

/** The name of an invoice in its series: a prefix before the number. */
export interface Issuer {
  seller: Seller;
  prefix: string;
}

interface Due {
  workspaceId: string;
  accountId: string;
  /** The last month that has ended, by the workspace's clock. */
  ended: string;
  /** The first one that was not looked at yet follows this one. */
  after: string;
}

interface Issuing {
  /** How long to go on: the next call does the rest. */
  limitMs?: number;
  onProgress?: (issued: number) => void;
  /** An invoice could not be issued. The others are. */
  onFailure: (error: unknown, workspaceId: string) => void;
}

/**
 * Issues the invoices of all months that have ended, and returns how many. Each is issued once, and takes its number in the transaction
 * that writes it, so numbers have no gap. A month without a change of the balance has no invoice, nor has an erased workspace.
 */
export async function issueInvoices(
  { everywhere, write }: Pick<RowsOfAll, 'everywhere' | 'write'>,
  issuer: Issuer,
  { limitMs = Infinity, onProgress = () => {}, onFailure }: Issuing,
): Promise<number> {
  const untilMs = performance.now() + limitMs;
  let issued = 0;
  for (const due of await readDue(everywhere)) {
    if (performance.now() > untilMs) break;
    try {
      for (let step: Step = 'empty'; step !== 'none'; onProgress(issued)) {
        step = await issueNext(write(due.workspaceId), due, issuer);
        if (step === 'issued') issued += 1;
      }
    } catch (error) {
      onFailure(error, due.workspaceId);
    }
  }
  return issued;
}

const readDue = async (everywhere: Rows<undefined>): Promise<Due[]> =>
  (await everywhere.statement(({ client }) => client.query<Due>(DUE))).rows;

/** By then every transaction from before midnight has ended. */
const DUE_MINUTES = 10;

// Raw: compares each workspace's clock with its last invoice.
const DUE = `
select d.id as "workspaceId", d.account as "accountId", d.ended, greatest(d.mark, d.created) as after from (
  select w.id, a.id as account, coalesce(m.month, s.begins_after) as mark,
    to_char((a.created_at at time zone 'utc') - interval '1 month', 'YYYY-MM') as created,
    to_char(date_trunc('month', (now() + w.clock_seconds * interval '1 second') at time zone 'utc' - interval '${DUE_MINUTES} minutes')
      - interval '1 day', 'YYYY-MM') as ended
  from accounts a join workspaces w on w.id = a.workspace_id
    join invoice_series s on s.is_test = ${isTestSql('w.id')}
    left join invoice_marks m on m.workspace_id = w.id
  where a.kind = 'customer' and a.entry_count > 0 and not ${isErasedSql('w.id', 'w.live_workspace_id')}) d
where greatest(d.mark, d.created) < d.ended order by 1 limit 10000`;

type Step = 'issued' | 'empty' | 'none';

/** Looks at the next month of a workspace. Of two at a time, the second waits for the first, and finds the month done. */
function issueNext(rows: Rows, due: Due, issuer: Issuer): Promise<Step> {
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    await tx.client.query('insert into invoice_marks (workspace_id, month) values ($1, $2) on conflict do nothing', [
      workspaceId,
      due.after,
    ]);
    const { rows: marks } = await tx.client.query<{ month: string }>(
      'select month from invoice_marks where workspace_id = $1 for update',
      [workspaceId],
    );
    const month = monthAfter(marks[0]!.month);
    if (month > due.ended) return 'none';
    const content = await readInvoiceContent(tx, { accountId: due.accountId, month });
    if (content) {
      const invoice = await insertInvoice(tx, { month, content, issuer });
      await announce(tx, invoice);
    }
    await tx.em.nativeUpdate(tx.InvoiceMark, { workspaceId }, { month });
    return content ? 'issued' : 'empty';
  });
}

type NonEmpty = NonNullable<Awaited<ReturnType<typeof readInvoiceContent>>>;

async function insertInvoice(
  tx: Transaction,
  { month, content, issuer }: { month: string; content: NonEmpty; issuer: Issuer },
) {
  const { em, Invoice, workspaceId } = tx;
  const isTest = isTestWorkspace(workspaceId);
  const customer = await customerOf(tx);
  // From here to the commit, no other invoice of the series can take a number.
  const { rows } = await tx.client.query<{ sequence: string; now: Date }>(
    `update invoice_series set last_sequence = last_sequence + 1 where is_test = $1
     returning last_sequence as sequence, ledger_now($2) as now`,
    [isTest, workspaceId],
  );
  const { sequence, now } = rows[0]!;
  const invoice = {
    id: newId('inv'),
    workspaceId,
    month,
    isTest,
    sequence: BigInt(sequence),
    number: `${isTest ? 'TEST-' : issuer.prefix}${sequence.padStart(6, '0')}`,
    seller: issuer.seller,
    customer,
    ...content,
    createdAt: now,
  };
  await em.insert(Invoice, invoice);
  return invoice;
}

async function customerOf({ em, BillingDetails, Workspace, workspaceId }: Transaction): Promise<InvoiceCustomer> {
  const details = await em.findOne(BillingDetails, { workspaceId });
  const { name } = await em.findOneOrFail(Workspace, { id: workspaceId });
  const named = Object.keys(NO_DETAILS).map((key) => [key, details?.[key as keyof typeof NO_DETAILS] ?? null]);
  return { workspaceName: name, ...(Object.fromEntries(named) as typeof NO_DETAILS) };
}

/** The event, and the mail to accounts payable or else to owners and finance people. Nobody outside gets mail about a test. */
async function announce(tx: Transaction, invoice: Awaited<ReturnType<typeof insertInvoice>>): Promise<void> {
  const { id, number, month, netNanos, taxNanos, customer, isTest } = invoice;
  const amounts = { total_usd: usdTextOf(netNanos + taxNanos), tax_usd: usdTextOf(taxNanos) };
  const data = { id, number, month, ...amounts };
  const event = { type: 'invoice.issued', resourceType: 'invoice', resourceId: id, data } as const;
  if (isTest) await recordEvent(tx, tx.workspaceId, event);
  else if (customer.email === null) await recordMailedEvent(tx, tx.workspaceId, event);
  else {
    const eventId = await recordEvent(tx, tx.workspaceId, event);
    await tx.em.insert(tx.EventMail, { eventId, recipient: customer.email });
  }
}
