import type { Pool } from 'pg';
import { isErasingSql } from '../entities/erasureSql.ts';
import { newId } from '../ids.ts';
import { recordMailedEvent } from '../mails/eventMails.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { spentThisMonth } from './autoTopups.ts';

// Only settled money counts: held money is returned or spent, and then counted.
const wanted = (amountNanos: string) => `
from payment_customers c join accounts a on a.workspace_id = c.workspace_id
where c.payment_method_id is not null and c.auto_enabled and a.posted_nanos < c.threshold_nanos
  and not ${isErasingSql('c.workspace_id')}
  and ${amountNanos} + ${spentThisMonth('c.workspace_id')} <= c.monthly_cap_nanos`;

const MAY_CHARGE = `${wanted('c.amount_nanos')} and (c.retry_at is null or c.retry_at <= now())`;

/** SQL: the card of a workspace is charged now, or is being charged. */
export const chargesCardSql = (workspace: string): string =>
  `exists (select ${MAY_CHARGE} and c.workspace_id = ${workspace})`;

// An open order of 20 hours is abandoned, see ABANDON.
const DUE = `${MAY_CHARGE}
  and not exists (select from topups t where t.workspace_id = c.workspace_id and t.origin = 'auto'
    and (t.status = 'processing' or t.status = 'open' and t.created_at >= now() - interval '20 hours'))`;

/** The workspaces with a balance below their threshold, and a card that may be charged now. */
export async function findDueTopups(pool: Queryable): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(`select c.workspace_id as id ${DUE} order by 1 limit 1000`);
  return rows.map(({ id }) => id);
}

// Stripe keeps an idempotency key for a day. An order that is no longer wanted, for example after a switch-off, is not charged either. If
// it was paid but the answer was lost, its event or the reconciliation credits it.
const ABANDON = `
update topups o set status = 'failed'
where o.workspace_id = $1 and o.origin = 'auto' and o.status = 'open' and (o.created_at < now() - interval '20 hours'
  or not exists (select ${wanted('o.amount_nanos')} and c.workspace_id = o.workspace_id))`;

/** A payment by a saved card. */
export interface CardOrder {
  topupId: string;
  workspaceId: string;
  customerId: string;
  paymentMethodId: string;
  amountNanos: bigint;
  /** Stripe adds tax to the amount. */
  isTaxed: boolean;
}

/**
 * Orders a payment by a workspace's card when it is still due: one at a time and never above the month's limit, however often this is
 * called. Returns the order (an open, still wanted one if there is any), or undefined.
 */
export function orderAutoTopup(
  pool: Pool,
  workspaceId: string,
  { isLive, addsTax }: { isLive: boolean; addsTax: boolean },
): Promise<CardOrder | undefined> {
  return inTransaction(pool, async (client) => {
    // Serializes the orders of one workspace.
    await client.query('select from payment_customers where workspace_id = $1 for update', [workspaceId]);
    await client.query(ABANDON, [workspaceId]);
    const open = await findOpenOrder(client, workspaceId);
    if (open) return open;
    await client.query(
      `insert into topups (id, workspace_id, origin, amount_nanos, livemode, is_taxed)
       select $2, c.workspace_id, 'auto', c.amount_nanos, $3, $4 ${DUE} and c.workspace_id = $1`,
      [workspaceId, newId('top'), isLive, addsTax],
    );
    return findOpenOrder(client, workspaceId);
  });
}

async function findOpenOrder(client: Queryable, workspaceId: string): Promise<CardOrder | undefined> {
  const { rows } = await client.query(
    `select t.id, t.amount_nanos, t.is_taxed, c.customer_id, c.payment_method_id from topups t join payment_customers c using (workspace_id)
     where t.workspace_id = $1 and t.origin = 'auto' and t.status = 'open'`,
    [workspaceId],
  );
  const [row] = rows;
  return (
    row && {
      topupId: row.id,
      workspaceId,
      customerId: row.customer_id,
      paymentMethodId: row.payment_method_id,
      amountNanos: BigInt(row.amount_nanos),
      isTaxed: row.is_taxed,
    }
  );
}

// Longer than a request to Stripe and the retries of its client.
const UNANSWERED_MINUTES = 10;

/** Gives up an order that was not paid. False: it is so young that Stripe, which has not answered, may still be paying it. */
export async function giveUpOrder(
  pool: Queryable,
  topupId: string,
  { isAnswered }: { isAnswered: boolean },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update topups set status = 'failed' where id = $1 and status = 'open' and ($2 or created_at < now() - $3 * interval '1 minute')`,
    [topupId, isAnswered, UNANSWERED_MINUTES],
  );
  return rowCount === 1;
}

// After the last delay, another decline ends automatic payments until the owner configures them again.
const RETRY_DELAYS_HOURS = [1, 6, 24, 72];

/** Ends an order with a declined card, with the reason. */
export function recordDecline(
  everywhere: Rows<undefined>,
  { topupId, workspaceId }: CardOrder,
  reason: string,
): Promise<void> {
  return everywhere.transaction(async (tx) => {
    const { em, Topup } = tx;
    if ((await em.nativeUpdate(Topup, { id: topupId, status: 'open' }, { status: 'failed' })) === 0) return;
    await countDecline(tx, { topupId, workspaceId, reason });
  });
}

/** Counts a decline, and tells of it. Delays between attempts increase; after the fourth there is none. */
export async function countDecline(
  tx: AnyTransaction,
  { topupId, workspaceId, reason }: Pick<CardOrder, 'topupId' | 'workspaceId'> & { reason: string },
): Promise<void> {
  await tx.client.query(
    `update payment_customers set decline_count = decline_count + 1, last_error = $4,
       retry_at = now() + ($2::int[])[decline_count + 1] * interval '1 hour', auto_enabled = auto_enabled and decline_count < $3
     where workspace_id = $1`,
    [workspaceId, RETRY_DELAYS_HOURS, RETRY_DELAYS_HOURS.length, reason],
  );
  await recordMailedEvent(tx, workspaceId, {
    type: 'topup.failed',
    resourceType: 'topup',
    resourceId: topupId,
    data: { id: topupId, reason },
  });
}

/** Records that a card's bank has not decided yet. An event of the payment ends the order. */
export async function recordProcessing(pool: Queryable, topupId: string): Promise<void> {
  await pool.query(`update topups set status = 'processing' where id = $1 and status = 'open'`, [topupId]);
}

/** Resets earlier declines after a successful payment. */
export async function recordCardPaid(pool: Queryable, workspaceId: string): Promise<void> {
  await pool.query(
    `update payment_customers set decline_count = 0, retry_at = null, last_error = null where workspace_id = $1 and decline_count > 0`,
    [workspaceId],
  );
}
