import type Stripe from 'stripe';
import type { z } from 'zod';
import { findCustomerId, replaceCustomer, saveCustomer } from '../../db/payments/customers.ts';
import { endOpenCheckout } from '../../db/payments/openCheckouts.ts';
import { createTopup, setSession } from '../../db/payments/topups.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { readDetails } from '../../db/invoices/details.ts';
import { metadataOfOrdered } from '../../providers/payments/orderedTopup.ts';
import { TAXED_BY_PAGE } from '../../providers/payments/paymentFacts.ts';
import { isCustomerGone, isStripeError, type Payments } from '../../providers/payments/stripe.ts';
import { addressOf, pageTax } from '../../providers/payments/tax.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { plainPagePolicy, renderPlainPage } from '../../base/plainPage.ts';
import { paymentsFailed, paymentsUnavailable } from '../../base/errors/serviceErrors.ts';
import { requireLive } from '../guard/testMode.ts';
import type { Services } from '../services.ts';
import { payWithTestCard } from '../testMode/testPayment.ts';
import { requireTaxAddress } from './taxAddress.ts';
import type { CardSession, CheckoutSession } from './billingAnswers.ts';
import type { CardBody, CheckoutBody } from './billingSchema.ts';

const CENTS_PER_USD = 100;

/**
 * `POST /platform/v1/billing/checkout`: orders a payment and answers with its payment page. The order is recorded first, so that Stripe's
 * events find it. With a test key it is paid at once, with test money.
 */
export function createCheckout(services: Services): Handler<z.output<typeof CheckoutBody>> {
  return async (ctx) => {
    const { amount: amountUsd } = ctx.state.input;
    if (ctx.state.key.isTest) {
      ctx.body = await payWithTestCard(ctx, services, amountUsd);
      return;
    }
    const payments = requirePayments(services);
    const { workspaceId } = ctx.state.key;
    const { requestId } = ctx.state;
    const topupId = await createTopup(services.db.pool, {
      workspaceId,
      origin: 'checkout',
      amountNanos: nanosOfUsd(amountUsd),
      livemode: payments.isLive,
      isTaxed: payments.addsTax,
      requestId,
    });
    const metadata = { topup_id: topupId, workspace_id: workspaceId, ...(payments.addsTax && TAXED_BY_PAGE) };
    const stripe = await payments.open();
    const order = (tax: object, idempotencyKey: string) =>
      stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: workspaceId,
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: 'usd',
                unit_amount: Math.round(amountUsd * CENTS_PER_USD),
                ...(payments.addsTax && { tax_behavior: 'exclusive' }),
                product_data: { name: 'Ledgerline credit' },
              },
            },
          ],
          ...tax,
          metadata,
          payment_intent_data: { metadata, description: `Ledgerline credit for ${workspaceId}` },
          ...(ctx.state.member ? consoleUrls(services) : returnUrls(services)),
        },
        { idempotencyKey },
      );
    const placed = asked(() =>
      payments.addsTax
        ? withCustomer(ctx, services, stripe, async (customer, idempotencyKey) => {
            await placeCustomer(ctx, services, stripe, customer);
            return order(pageTax(customer), idempotencyKey);
          })
        : order({}, requestId),
    );
    // Stripe may have made the page after a timeout, but its address is never returned.
    const session = await placed.catch(async (error: unknown) => {
      await endOpenCheckout(services.db.pool, topupId);
      throw error;
    });
    await setSession(services.db.pool, topupId, session.id);
    ctx.body = { url: session.url!, session_id: session.id, amount: amountUsd } satisfies z.infer<
      typeof CheckoutSession
    >;
  };
}

/**
 * `POST /platform/v1/billing/card`: answers with the page that saves a card for later payments; `auto_topup` makes them automatic once it is
 * saved.
 */
export function saveCard(services: Services): Handler<z.output<typeof CardBody>> {
  return async (ctx) => {
    requireLive(ctx);
    const payments = requirePayments(services);
    if (ctx.state.input.auto_topup) await requireTaxAddress(ctx, services);
    const { return_url: returnUrl, auto_topup: autoTopup } = ctx.state.input;
    const { workspaceId } = ctx.state.key;
    const metadata = { workspace_id: workspaceId };
    const rule = autoTopup && {
      thresholdNanos: nanosOfUsd(autoTopup.threshold_usd),
      amountNanos: nanosOfUsd(autoTopup.amount_usd),
      monthlyCapNanos: nanosOfUsd(autoTopup.monthly_cap_usd),
    };
    // The card may never be saved: what pays by it is stored with it.
    const ordered = rule && metadataOfOrdered({ rule, by: actorOf(ctx) });
    const stripe = await payments.open();
    const session = await asked(() =>
      withCustomer(ctx, services, stripe, (customer, idempotencyKey) =>
        stripe.checkout.sessions.create(
          {
            mode: 'setup',
            currency: 'usd',
            customer,
            client_reference_id: workspaceId,
            metadata,
            setup_intent_data: { metadata: { ...metadata, ...ordered } },
            ...(ctx.state.member ? consoleUrls(services, '') : returnUrls(services, returnUrl)),
          },
          { idempotencyKey },
        ),
      ),
    );
    ctx.body = { url: session.url!, session_id: session.id } satisfies z.infer<typeof CardSession>;
  };
}

/**
 * Calls Stripe with the customer of the calling workspace. One that was deleted at Stripe is replaced, once: its card is gone with it. Another
 * customer makes another request, so it has another idempotency key.
 */
async function withCustomer<T>(
  ctx: Context,
  { db }: Services,
  stripe: Stripe,
  call: (customer: string, idempotencyKey: string) => Promise<T>,
): Promise<T> {
  const { workspaceId } = ctx.state.key;
  const { requestId } = ctx.state;
  const customer = await customerOf(db, stripe, workspaceId);
  try {
    return await call(customer, requestId);
  } catch (error) {
    if (!isCustomerGone(error)) throw error;
    const next = await createCustomer(stripe, workspaceId, `-${customer}`);
    return call(await replaceCustomer(db.pool, workspaceId, { gone: customer, next }), `${requestId}-${next}`);
  }
}

/** The known Stripe customer of a workspace, created with its first card. */
async function customerOf(db: Services['db'], stripe: Stripe, workspaceId: string): Promise<string> {
  const known = await findCustomerId(db.pool, workspaceId);
  return known ?? saveCustomer(db.pool, workspaceId, await createCustomer(stripe, workspaceId));
}

/** Creates a customer. Concurrent requests create one, because they share an idempotency key. */
async function createCustomer(stripe: Stripe, workspaceId: string, after = ''): Promise<string> {
  const { id } = await stripe.customers.create(
    { metadata: { workspace_id: workspaceId } },
    { idempotencyKey: `ledgerline-customer-${workspaceId}${after}` },
  );
  return id;
}

/** Tells Stripe the address of the billing details, so that the payment page need not ask for it again. */
async function placeCustomer(ctx: Context, { db }: Services, stripe: Stripe, customer: string): Promise<void> {
  const { country, ...details } = await readDetails(db.read(ctx.state.key.workspaceId));
  if (country === null) return;
  const change = { address: addressOf({ ...details, country }), ...(details.company && { name: details.company }) };
  await stripe.customers.update(customer, change);
}

function requirePayments({ payments }: Services): Payments {
  if (payments) return payments;
  throw paymentsUnavailable();
}

const returnUrls = ({ config: { publicUrl } }: Services, returnUrl?: string) => ({
  success_url: returnUrl ?? `${publicUrl}/billing/done`,
  cancel_url: returnUrl ?? `${publicUrl}/billing/cancelled`,
});

// A member returns to the page on which the payment was ordered, and the payment link must not lead anywhere else.
const consoleUrls = ({ config: { publicUrl } }: Services, query = '?paid=1') => ({
  success_url: `${publicUrl}/billing${query}`,
  cancel_url: `${publicUrl}/billing?cancelled=1`,
});

/** Calls Stripe. A refusal or timeout becomes this service's error; the log has the reason. */
async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isStripeError(error)) throw paymentsFailed(error);
    throw error;
  }
}

const BACK = '<p><a class="button" href="/billing">Back to billing</a></p>';

const DONE_PAGE = renderPlainPage({
  title: 'Ledgerline: payment',
  content: `<section class="card"><h1>Thank you</h1>
<p>A payment is on the balance as soon as it clears. A saved card can be used from now on. You can close this page.</p>
<p class="soft">Programs read the balance: <code>GET /platform/v1/billing/balance</code></p>${BACK}</section>`,
});

const CANCELLED_PAGE = renderPlainPage({
  title: 'Ledgerline: payment cancelled',
  content: `<section class="card"><h1>Payment cancelled</h1>
<p>Nothing was charged, and the balance is as before. You can begin again at any time.</p>${BACK}</section>`,
});

const showPage =
  (page: string): Handler =>
  (ctx) => {
    ctx.type = 'html';
    ctx.set('content-security-policy', plainPagePolicy());
    ctx.body = page;
  };

/** `GET /billing/done`: the page to which a payment page returns. */
export const showPaymentDone = showPage(DONE_PAGE);

/** `GET /billing/cancelled`: the page to which it returns when nothing was paid. */
export const showPaymentCancelled = showPage(CANCELLED_PAGE);
