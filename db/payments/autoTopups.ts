import type { Pool } from 'pg';
import { newId } from '../ids.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { inTransaction } from '../postgres/transaction.ts';

/** When a saved card pays by itself: below which balance, how much, and how much at most in a month (UTC). */
export interface AutoTopup {
  thresholdNanos: bigint;
  amountNanos: bigint;
  monthlyCapNanos: bigint;
}

/** Sets when the card of a workspace pays by itself. It pays nothing before a card is saved. Forgets earlier declines. */
export async function saveAutoTopup(pool: Queryable, workspaceId: string, settings: AutoTopup): Promise<void> {
  await pool.query(
    `update payment_customers set threshold_nanos = $2, amount_nanos = $3, monthly_cap_nanos = $4, decline_count = 0, retry_at = null
     where workspace_id = $1`,
    [workspaceId, settings.thresholdNanos, settings.amountNanos, settings.monthlyCapNanos],
  );
}

// Settled money alone counts: what is held comes back, or is spent and then seen. An open order of 20 hours has been given up, see ABANDON.
const DUE = `
from payment_customers c join accounts a on a.workspace_id = c.workspace_id
where c.payment_method_id is not null and a.posted_nanos < c.threshold_nanos and (c.retry_at is null or c.retry_at <= now())
  and not exists (select from topups t where t.workspace_id = c.workspace_id and t.origin = 'auto'
    and (t.status = 'processing' or t.status = 'open' and t.created_at >= now() - interval '20 hours'))
  and c.amount_nanos + (select coalesce(sum(t.amount_nanos), 0) from topups t where t.workspace_id = c.workspace_id and t.origin = 'auto'
    and t.status = 'paid' and t.created_at >= date_trunc('month', now() at time zone 'utc') at time zone 'utc') <= c.monthly_cap_nanos`;

/** The workspaces whose balance is below their threshold, and whose card may pay now. */
export async function findDueTopups(pool: Queryable): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(`select c.workspace_id as id ${DUE} order by 1 limit 1000`);
  return rows.map(({ id }) => id);
}

// Stripe keeps an idempotency key for a day. An older order that did not end may have been paid: the reconciliation then credits it.
const ABANDON = `
update topups set status = 'failed'
where workspace_id = $1 and origin = 'auto' and status = 'open' and created_at < now() - interval '20 hours'`;

/** A payment by a saved card. */
export interface CardOrder {
  topupId: string;
  workspaceId: string;
  customerId: string;
  paymentMethodId: string;
  amountNanos: bigint;
}

/**
 * Orders a payment of a workspace's card when it is still due: one at a time and never above the month's cap, however often this is called.
 * Returns the order, the open one where there is one, or undefined.
 */
export function orderAutoTopup(pool: Pool, workspaceId: string, livemode: boolean): Promise<CardOrder | undefined> {
  return inTransaction(pool, async (client) => {
    // Orders of one workspace wait for each other here.
    await client.query('select from payment_customers where workspace_id = $1 for update', [workspaceId]);
    await client.query(ABANDON, [workspaceId]);
    const open = await findOpenOrder(client, workspaceId);
    if (open) return open;
    await client.query(
      `insert into topups (id, workspace_id, origin, amount_nanos, livemode)
       select $2, c.workspace_id, 'auto', c.amount_nanos, $3 ${DUE} and c.workspace_id = $1`,
      [workspaceId, newId('top'), livemode],
    );
    return findOpenOrder(client, workspaceId);
  });
}

async function findOpenOrder(client: Queryable, workspaceId: string): Promise<CardOrder | undefined> {
  const { rows } = await client.query(
    `select t.id, t.amount_nanos, c.customer_id, c.payment_method_id from topups t join payment_customers c using (workspace_id)
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
    }
  );
}

// After the last delay a card that is declined again pays no more by itself, until its owner sets it up anew.
const RETRY_DELAYS_HOURS = [1, 6, 24, 72];

/** Ends an order whose card was declined. The next attempt comes later each time, and after the fourth none. */
export function recordDecline(pool: Pool, { topupId, workspaceId }: CardOrder): Promise<void> {
  return inTransaction(pool, async (client) => {
    const ended = await client.query(`update topups set status = 'failed' where id = $1 and status = 'open'`, [
      topupId,
    ]);
    if (!ended.rowCount) return;
    await client.query(
      `update payment_customers set decline_count = decline_count + 1,
         retry_at = now() + ($2::int[])[decline_count + 1] * interval '1 hour',
         threshold_nanos = case when decline_count < $3 then threshold_nanos end
       where workspace_id = $1`,
      [workspaceId, RETRY_DELAYS_HOURS, RETRY_DELAYS_HOURS.length],
    );
    await recordPlatformEvent(client, workspaceId, 'topup.failed', topupId);
  });
}

/** Notes that a card's bank takes its time. An event of the payment ends the order. */
export async function recordProcessing(pool: Queryable, topupId: string): Promise<void> {
  await pool.query(`update topups set status = 'processing' where id = $1 and status = 'open'`, [topupId]);
}

/** Forgets earlier declines once the card has paid. */
export async function recordCardPaid(pool: Queryable, workspaceId: string): Promise<void> {
  await pool.query(
    'update payment_customers set decline_count = 0, retry_at = null where workspace_id = $1 and decline_count > 0',
    [workspaceId],
  );
}

async function recordPlatformEvent(
  client: Queryable,
  workspaceId: string,
  type: string,
  topupId: string,
): Promise<void> {
  await client.query(
    `insert into platform_events (id, workspace_id, type, resource_type, resource_id, data) values ($1, $2, $3, 'topup', $4, $5)`,
    [newId('evt'), workspaceId, type, topupId, { id: topupId }],
  );
}
