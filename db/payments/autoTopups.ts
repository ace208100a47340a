import type { InferEntity } from '@mikro-orm/core';
import type { Pool } from 'pg';
import { audit, type Actor } from '../workspaces/audit.ts';
import type { PaymentCustomer } from '../entities/payment.ts';
import { newId } from '../ids.ts';
import { usdTextOf } from '../money.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { recordMailedEvent } from '../mails/eventMails.ts';
import { isErasingSql } from '../entities/erasureSql.ts';

/** The rule for charging a saved card automatically: the balance threshold, the amount, and the limit per month (UTC). */
export interface AutoTopup {
  thresholdNanos: bigint;
  amountNanos: bigint;
  monthlyCapNanos: bigint;
}

/** The automatic top-up of a workspace, and its card. Amounts are null until they are first set. */
export interface AutoTopupState {
  isEnabled: boolean;
  thresholdNanos: bigint | null;
  amountNanos: bigint | null;
  monthlyCapNanos: bigint | null;
  spentThisMonthNanos: bigint;
  /** Null before a card is saved; `card` is null until its description is known. */
  paymentMethodId: string | null;
  card: Card | null;
  lastError: string | null;
}

/** The card's display data. */
export interface Card {
  brand: string;
  last4: string;
}

/** An automatic top-up that begins when its card is saved, and who ordered it. */
export interface OrderedTopup {
  rule: AutoTopup;
  by: Actor;
}

/** When a card is charged automatically. */
export type AutoTopupSettings = Pick<AutoTopupState, 'isEnabled' | keyof AutoTopup>;

/**
 * Changes when a workspace's card is charged automatically, or stops it, audited: what is left out stays as it is by then. Nothing is charged
 * before a card is saved. Resets earlier declines. `check` may refuse the result by an error. Returns
 * the state then; undefined: the workspace has no Stripe customer.
 */
export function saveAutoTopup(
  rows: Rows,
  change: Partial<AutoTopupSettings>,
  by: Actor,
  check: (settings: AutoTopupSettings) => void = () => {},
): Promise<AutoTopupState | undefined> {
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    const { em, PaymentCustomer, LockMode } = tx;
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const before = await em.findOne(PaymentCustomer, { workspaceId }, { lockMode });
    if (!before) return undefined;
    const { thresholdNanos = null, amountNanos = null, monthlyCapNanos = null } = before;
    const settings = { isEnabled: isOn(before), thresholdNanos, amountNanos, monthlyCapNanos, ...change };
    check(settings);
    await setAutoTopup(tx, before, settings, by);
    return readAutoTopup(tx);
  });
}

/** Sets what was ordered with a card, once, unless it was changed or stopped after the card was saved. False: it was not set. */
export async function setOrdered(
  tx: AnyTransaction,
  before: CustomerRow,
  { rule, by }: OrderedTopup,
  savedAt: Date,
): Promise<boolean> {
  const { rowCount } = await tx.client.query(SET_SINCE, [before.workspaceId, by.requestId, savedAt]);
  if (rowCount !== 0) return false;
  await setAutoTopup(tx, before, { isEnabled: true, ...rule }, by, { card_saved_at: savedAt.toISOString() });
  return true;
}

// Events come late, twice and in any order. Stripe says when a card was saved in whole seconds.
const SET_SINCE = `
select from audit_entries where subject_id = $1 and action = 'change_auto_topup' and (request_id = $2
  or coalesce((detail ->> 'card_saved_at')::timestamptz, created_at) >= $3::timestamptz + interval '1 second') limit 1`;

/** Turns off what is on, audited with these facts. */
export async function stopAutoTopup(tx: AnyTransaction, before: CustomerRow, by: Actor, facts: object): Promise<void> {
  if (isOn(before)) await setAutoTopup(tx, before, { isEnabled: false }, by, facts);
}

async function setAutoTopup(
  tx: AnyTransaction,
  before: CustomerRow,
  { isEnabled: autoEnabled, ...amounts }: Pick<AutoTopupSettings, 'isEnabled'> & Partial<AutoTopupSettings>,
  by: Actor,
  facts: object = {},
): Promise<void> {
  const { workspaceId } = before;
  const changed = { autoEnabled, ...amounts, declineCount: 0, retryAt: null, lastError: null };
  await tx.em.nativeUpdate(tx.PaymentCustomer, { workspaceId }, changed);
  const detail = { before: shown(before), after: shown({ ...before, ...amounts, autoEnabled }), ...facts };
  const entry = { action: 'change_auto_topup', subjectType: 'workspace', subjectId: workspaceId, detail };
  await audit(tx, by, { workspaceId, ...entry });
}

function shown(customer: Pick<CustomerRow, 'autoEnabled' | keyof AutoTopup>) {
  const usd = (nanos: bigint | null | undefined) => (typeof nanos === 'bigint' ? usdTextOf(nanos) : null);
  return {
    enabled: isOn(customer),
    threshold_usd: usd(customer.thresholdNanos),
    amount_usd: usd(customer.amountNanos),
    monthly_cap_usd: usd(customer.monthlyCapNanos),
  };
}

type CustomerRow = InferEntity<typeof PaymentCustomer>;

const isOn = ({ autoEnabled, thresholdNanos }: Pick<CustomerRow, 'autoEnabled' | 'thresholdNanos'>): boolean =>
  autoEnabled && thresholdNanos !== null;

/** Reads the settings; the defaults when the workspace has no card. */
export function readAutoTopup(rows: Rows): Promise<AutoTopupState> {
  return rows.transaction(async ({ em, client, PaymentCustomer, workspaceId }) => {
    const row = await em.findOne(PaymentCustomer, { workspaceId });
    const sql = `select ${spentThisMonth('$1')} as spent`;
    const found = await client.query<{ spent: string }>(sql, [workspaceId]);
    return {
      isEnabled: row !== null && isOn(row),
      thresholdNanos: row?.thresholdNanos ?? null,
      amountNanos: row?.amountNanos ?? null,
      monthlyCapNanos: row?.monthlyCapNanos ?? null,
      spentThisMonthNanos: BigInt(found.rows[0]!.spent),
      paymentMethodId: row?.paymentMethodId ?? null,
      card: row?.cardBrand && row.cardLast4 ? { brand: row.cardBrand, last4: row.cardLast4 } : null,
      lastError: row?.lastError ?? null,
    };
  });
}

/** Stores the display data of a saved card, unless the card has changed. */
export async function describeCard(rows: Rows, paymentMethodId: string, { brand, last4 }: Card): Promise<void> {
  await rows.statement(({ em, PaymentCustomer }) =>
    em.nativeUpdate(PaymentCustomer, { paymentMethodId }, { cardBrand: brand, cardLast4: last4 }),
  );
}

// The sum of automatic payments since the month (UTC) began. An order of the last month may be paid in this one.
const spentThisMonth = (
  workspace: string,
) => `(select coalesce(sum(t.amount_nanos), 0) from topups t where t.workspace_id = ${workspace} and t.origin = 'auto'
    and t.status = 'paid' and coalesce(t.paid_at, t.created_at) >= date_trunc('month', now() at time zone 'utc') at time zone 'utc')`;

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
