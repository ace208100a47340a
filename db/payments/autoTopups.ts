import type { InferEntity } from '@mikro-orm/core';
import { audit, type Actor } from '../workspaces/audit.ts';
import type { PaymentCustomer } from '../entities/payment.ts';
import { usdTextOf } from '../money.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';

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

/** SQL: the sum of automatic payments since the month (UTC) began. An order of the last month may be paid in this one. */
export const spentThisMonth = (
  workspace: string,
) => `(select coalesce(sum(t.amount_nanos), 0) from topups t where t.workspace_id = ${workspace} and t.origin = 'auto'
    and t.status = 'paid' and coalesce(t.paid_at, t.created_at) >= date_trunc('month', now() at time zone 'utc') at time zone 'utc')`;
