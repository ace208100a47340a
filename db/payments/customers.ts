import type { Queryable } from '../postgres/queryable.ts';
import type { Rows } from '../postgres/rows.ts';
import { type OrderedTopup, setOrdered, stopAutoTopup } from './autoTopups.ts';

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
 * Stores a card saved by this customer's owner at that time, with the automatic top-up that was ordered with it. Declines of the card before
 * do not delay it. The card that was saved last stays: events come late and twice. What was ordered is set once, also with a card that another
 * has followed, but not without one: the owner may have changed it since. Undefined: no such customer.
 */
export function saveCard(
  everywhere: Rows<undefined>,
  customerId: string,
  { paymentMethodId, savedAt, ordered }: { paymentMethodId: string; savedAt: Date; ordered: OrderedTopup | undefined },
): Promise<'noted' | 'repeated' | undefined> {
  return everywhere.transaction(async (tx) => {
    const { em, PaymentCustomer, LockMode } = tx;
    const before = await em.findOne(PaymentCustomer, { customerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!before) return undefined;
    const { workspaceId, cardSavedAt } = before;
    const replaces = before.paymentMethodId !== null && before.paymentMethodId !== paymentMethodId;
    const laterMs = cardSavedAt ? savedAt.getTime() - cardSavedAt.getTime() : Infinity;
    const isLast = laterMs > 0 || (laterMs === 0 && replaces);
    if (isLast) {
      const undescribed = { cardBrand: null, cardLast4: null };
      const undeclined = { lastError: null, declineCount: 0, retryAt: null };
      const saved = { paymentMethodId, cardSavedAt: savedAt, ...undescribed, ...undeclined };
      await em.nativeUpdate(PaymentCustomer, { workspaceId }, saved);
    }
    const hasCard = isLast || before.paymentMethodId !== null;
    const isSet = ordered !== undefined && hasCard && (await setOrdered(tx, before, ordered, savedAt));
    return isLast || isSet ? 'noted' : 'repeated';
  });
}

/** What was removed at Stripe: a customer with its card, or a card. */
type Removed = { customerId: string } | { paymentMethodId: string };

/**
 * Forgets a card that was removed at Stripe, and turns its automatic top-up off, audited: another card that is saved later is charged when
 * its owner wants it. Undefined: no workspace has this customer or card.
 */
export function removeCard(
  everywhere: Rows<undefined>,
  { reason, removedAt, ...removed }: Removed & { reason: string; removedAt: Date },
): Promise<'noted' | 'repeated' | undefined> {
  return everywhere.transaction(async (tx) => {
    const { em, PaymentCustomer, LockMode } = tx;
    const before = await em.findOne(PaymentCustomer, removed, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!before) return undefined;
    const { workspaceId, customerId, paymentMethodId, cardSavedAt } = before;
    // The card does not return. Another one that was saved before its removal may still be told of, unless their customer is gone.
    const goneAt = 'customerId' in removed ? removedAt : cardSavedAt;
    if (paymentMethodId === null && cardSavedAt && removedAt <= cardSavedAt) return 'repeated';
    const facts = 'customerId' in removed ? {} : { card_saved_at: cardSavedAt?.toISOString() };
    await stopAutoTopup(tx, before, { keyId: null, requestId: customerId }, { reason, ...facts });
    const card = { paymentMethodId: null, cardSavedAt: goneAt, cardBrand: null, cardLast4: null };
    const stopped = { autoEnabled: false, lastError: reason, declineCount: 0, retryAt: null };
    await em.nativeUpdate(PaymentCustomer, { workspaceId }, { ...card, ...stopped });
    return 'noted';
  });
}
