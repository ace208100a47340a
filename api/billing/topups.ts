import type { z } from 'zod';
import {
  describeCard,
  readAutoTopup,
  saveAutoTopup,
  type AutoTopupSettings,
  type AutoTopupState,
  type Card,
} from '../../db/payments/autoTopups.ts';
import { listTopups, type TopupRow } from '../../db/payments/listTopups.ts';
import { nanosOfUsd, usdOf } from '../../db/money.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { answerPage, type PageInput } from '../http/page.ts';
import { conflict, validationErrorAt } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';
import { requireTaxAddress } from './taxAddress.ts';
import type { AutoTopupAnswer, TopupAnswer } from './billingAnswers.ts';
import type { AutoTopupChangeBody } from './billingSchema.ts';

/** `GET /platform/v1/billing/topups`: payments into the balance, newest first, in pages. */
export function listPayments({ db, cursors }: Services): Handler<PageInput> {
  return async (ctx) => {
    const rows = db.read(ctx.state.key.workspaceId);
    await answerPage(ctx, cursors, { list: 'topups', read: (page) => listTopups(rows, page), present: presentTopup });
  };
}

function presentTopup(topup: TopupRow): z.infer<typeof TopupAnswer> {
  return {
    id: topup.id,
    object: 'topup',
    source: topup.origin as 'checkout' | 'auto',
    status: topup.status as z.infer<typeof TopupAnswer>['status'],
    amount_usd: usdOf(topup.amountNanos),
    tax_usd: topup.isTaxed ? usdOf(topup.taxNanos) : null,
    total_usd: usdOf(topup.amountNanos + topup.taxNanos),
    refunded_usd: usdOf(topup.refundedNanos),
    disputed_usd: usdOf(topup.disputedNanos),
    returned_tax_usd: usdOf(topup.refundedTaxNanos + topup.disputedTaxNanos),
    receipt_url: topup.receiptUrl ?? null,
    created_at: topup.createdAt.toISOString(),
    paid_at: topup.paidAt?.toISOString() ?? null,
  };
}

/** `GET /platform/v1/billing/auto_topup`: when the saved card is charged automatically, and the card. */
export function retrieveAutoTopup(services: Services): Handler {
  return async (ctx) => {
    ctx.body = await present(services, ctx, await readAutoTopup(services.db.read(ctx.state.key.workspaceId)));
  };
}

/** `PATCH /platform/v1/billing/auto_topup`: changes the sent members, or turns it off. */
export function changeAutoTopup(services: Services): Handler<z.output<typeof AutoTopupChangeBody>> {
  const { db } = services;
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    const sent = ctx.state.input;
    const state = await readAutoTopup(db.read(workspaceId));
    if (state.paymentMethodId === null) throw noCard();
    const change = {
      ...(sent.enabled !== undefined && { isEnabled: sent.enabled }),
      ...(sent.threshold_usd !== undefined && { thresholdNanos: nanosOfUsd(sent.threshold_usd) }),
      ...(sent.amount_usd !== undefined && { amountNanos: nanosOfUsd(sent.amount_usd) }),
      ...(sent.monthly_cap_usd !== undefined && { monthlyCapNanos: nanosOfUsd(sent.monthly_cap_usd) }),
    };
    if (sent.enabled ?? state.isEnabled) await requireTaxAddress(ctx, services);
    // Of the settings by then: another person may be changing them.
    const saved = await saveAutoTopup(db.write(workspaceId), change, actorOf(ctx), checkComplete);
    ctx.body = await present(services, ctx, saved ?? state);
  };
}

function checkComplete({ isEnabled, thresholdNanos, amountNanos, monthlyCapNanos }: AutoTopupSettings): void {
  const issue = (name: string, msg: string) => validationErrorAt(['body', name], msg);
  const needed = { threshold_usd: thresholdNanos, amount_usd: amountNanos, monthly_cap_usd: monthlyCapNanos };
  for (const [name, nanos] of Object.entries(needed))
    if (isEnabled && nanos === null) throw issue(name, 'It is not set yet: send it to turn the automatic top-up on.');
  if (amountNanos !== null && monthlyCapNanos !== null && amountNanos > monthlyCapNanos)
    throw issue('monthly_cap_usd', 'The cap of a month is smaller than one payment.');
}

const noCard = () =>
  conflict('no_card', 'The workspace has no saved card. Save one first: POST /platform/v1/billing/card.');

async function present(
  services: Services,
  ctx: Context,
  state: AutoTopupState,
): Promise<z.infer<typeof AutoTopupAnswer>> {
  const orNull = (nanos: bigint | null) => (nanos === null ? null : usdOf(nanos));
  return {
    enabled: state.isEnabled,
    threshold_usd: orNull(state.thresholdNanos),
    amount_usd: orNull(state.amountNanos),
    monthly_cap_usd: orNull(state.monthlyCapNanos),
    spent_this_month_usd: usdOf(state.spentThisMonthNanos),
    card: await cardOf(services, ctx, state),
    last_error: state.lastError,
  };
}

const UNKNOWN_CARD: Card = { brand: 'card', last4: '' };

/** The saved card. Stripe's description is stored once; until it is available the card is shown without its number. */
async function cardOf({ db, payments, log }: Services, ctx: Context, { paymentMethodId, card }: AutoTopupState) {
  if (card !== null || paymentMethodId === null) return card;
  if (!payments) return UNKNOWN_CARD;
  try {
    const method = await (await payments.open()).paymentMethods.retrieve(paymentMethodId);
    const described = { brand: method.card?.brand ?? method.type, last4: method.card?.last4 ?? '' };
    await describeCard(db.write(ctx.state.key.workspaceId), paymentMethodId, described);
    return described;
  } catch (err) {
    log.warn({ err }, 'a saved card cannot be described');
    return UNKNOWN_CARD;
  }
}
