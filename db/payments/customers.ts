import type { Queryable } from '../postgres/queryable.ts';

/** The id of the workspace's customer at Stripe; undefined before its first card. */
export async function findCustomerId(pool: Queryable, workspaceId: string): Promise<string | undefined> {
  const sql = 'select customer_id from payment_customers where workspace_id = $1';
  const { rows } = await pool.query<{ customer_id: string }>(sql, [workspaceId]);
  return rows[0]?.customer_id;
}

/** Stores the Stripe customer of a workspace. Returns the customer that was stored first. */
export async function saveCustomer(pool: Queryable, workspaceId: string, customerId: string): Promise<string> {
  const { rows } = await pool.query<{ customer_id: string }>(
    `insert into payment_customers (workspace_id, customer_id) values ($1, $2)
     on conflict (workspace_id) do update set customer_id = payment_customers.customer_id returning customer_id`,
    [workspaceId, customerId],
  );
  return rows[0]!.customer_id;
}

/** Replaces a customer that was deleted at Stripe, with its card. Returns the customer that replaced it first. */
export async function replaceCustomer(
  pool: Queryable,
  workspaceId: string,
  { gone, next }: { gone: string; next: string },
): Promise<string> {
  await pool.query(
    `update payment_customers set customer_id = $3, payment_method_id = null, card_saved_at = null, card_brand = null, card_last4 = null
     where workspace_id = $1 and customer_id = $2`,
    [workspaceId, gone, next],
  );
  return (await findCustomerId(pool, workspaceId)) ?? next;
}

/**
 * Stores a card saved by this customer's owner at that time. Declines of the card before do not delay it. The card that was saved last stays:
 * events come late and twice. Undefined: no such customer.
 */
export async function saveCard(
  pool: Queryable,
  customerId: string,
  { paymentMethodId, savedAt }: { paymentMethodId: string; savedAt: Date },
): Promise<'noted' | 'repeated' | undefined> {
  const { rowCount } = await pool.query(
    `update payment_customers set payment_method_id = $2, card_saved_at = $3, card_brand = null, card_last4 = null, last_error = null,
       decline_count = 0, retry_at = null
     where customer_id = $1 and (card_saved_at is null or card_saved_at < $3 or (card_saved_at = $3 and payment_method_id <> $2))`,
    [customerId, paymentMethodId, savedAt],
  );
  if (rowCount === 1) return 'noted';
  const known = await pool.query('select from payment_customers where customer_id = $1', [customerId]);
  return known.rowCount === 1 ? 'repeated' : undefined;
}
