import type { Queryable } from '../postgres/queryable.ts';

/** An automatic payment, with what Stripe's list is searched by. */
export interface SentOrder {
  topupId: string;
  customerId: string;
  createdAt: Date;
}

/** Objects of Stripe that may still change although they are old. */
export interface Unfinished {
  /** Payment pages that a bank has still to pay. */
  sessions: string[];
  /** Automatic payments that a bank has still to decide on: Stripe knows them by their order alone. */
  orders: SentOrder[];
  /** Refunds, which may fail for weeks, and disputes without a result. */
  refunds: string[];
  disputes: string[];
}

const PROCESSING_DAYS = 60;
// A payment may be refunded and disputed for some months, and a dispute takes some more.
const REVERSAL_DAYS = 365;
const OBJECTS_MAX = 1_000;

/** What the database knows as unfinished, the newest first. */
export async function readUnfinished(pool: Queryable, { livemode }: { livemode: boolean }): Promise<Unfinished> {
  const { rows } = await pool.query<Unfinished>(UNFINISHED, [livemode, PROCESSING_DAYS, REVERSAL_DAYS, OBJECTS_MAX]);
  const { orders, ...others } = rows[0]!;
  return { ...others, orders: orders.map((order) => ({ ...order, createdAt: new Date(order.createdAt) })) };
}

// A reversal of a payment that is not known here is of another product.
const reversals = (kind: string) => `array(
  select r.id from topup_reversals r join topups t on t.payment_intent = r.payment_intent
  where r.kind = '${kind}' and r.stage < 2 and t.livemode = $1 and t.paid_at > now() - make_interval(days => $3)
  order by t.paid_at desc, r.id limit $4)`;

const UNFINISHED = `
select array(
    select t.session_id from topups t where t.status = 'processing' and t.livemode = $1 and t.session_id is not null
      and t.created_at > now() - make_interval(days => $2) order by t.created_at desc, t.id limit $4) as sessions,
  coalesce((select json_agg(o) from (
    select t.id as "topupId", c.customer_id as "customerId", t.created_at as "createdAt" from topups t join payment_customers c using (workspace_id)
    where t.status = 'processing' and t.livemode = $1 and t.origin = 'auto' and t.created_at > now() - make_interval(days => $2)
    order by t.created_at desc, t.id limit $4) o), '[]') as orders,
  ${reversals('refund')} as refunds, ${reversals('dispute')} as disputes`;
