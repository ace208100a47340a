import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { payAutoTopup } from '../../../providers/payments/autoTopup.ts';
import { readStripeConfig } from '../../../providers/payments/config.ts';
import { reconcilePayments } from '../../../providers/payments/reconcile.ts';
import { createPayments, isStripeError } from '../../../providers/payments/stripe.ts';
import { NO_DETAILS } from '../../../db/invoices/details.ts';
import { addressOf, computeTax, pageTax } from '../../../providers/payments/tax.ts';
import { setGuardStage, type GuardStage } from '../../support/guardStage.ts';
import { describeWhen } from '../../support/needs.ts';
import { findStripeMock, startStripeMock } from '../../support/stripeMock.ts';

const USD = 1_000_000_000n;
const found = await findStripeMock();
const describeWithMock = describeWhen('program' in found, 'reason' in found ? found.reason : '');

describeWithMock('every request that is sent to Stripe has the shape that Stripe describes', () => {
  let mock: Awaited<ReturnType<typeof startStripeMock>>;
  let stage: GuardStage;
  let env: Record<string, string>;
  beforeAll(async () => {
    mock = await startStripeMock((found as { program: string }).program);
    env = { STRIPE_SECRET_KEY: 'sk_test_123', STRIPE_WEBHOOK_SECRET: 'whsec_123', STRIPE_API_URL: mock.url };
    stage = await setGuardStage({ env });
  });
  afterAll(async () => {
    await stage?.close();
    await mock?.stop();
  });

  const post = (path: string, { secret }: { secret: string }, body: object) =>
    stage.ask(`/platform/v1/billing/${path}`, {
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify(body),
    });
  const payments = () => createPayments(readStripeConfig(env)!);

  test('a mistake in a request is detected', async () => {
    const stripe = await payments().open();
    const wrong = { mode: 'payment', colour: 'red' } as unknown as Parameters<
      typeof stripe.checkout.sessions.create
    >[0];
    const refusal = await stripe.checkout.sessions.create(wrong).catch((error: unknown) => error);
    expect(isStripeError(refusal)).toBe(true);
  });

  test('accepts the payment page', async () => {
    const answer = await post('checkout', await stage.account(), { amount: 25.5 });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ session_id: expect.any(String) }),
    ]);
  });

  test("accepts a customer, the page that saves a card, and the card's description", async () => {
    const account = await stage.account();
    const auto = { threshold_usd: 5, amount_usd: 10, monthly_cap_usd: 25 };
    const answer = await post('card', account, { return_url: 'https://example.com/', auto_topup: auto });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ session_id: expect.any(String) }),
    ]);
    await stage.db.pool.query(`update payment_customers set payment_method_id = 'pm_1' where workspace_id = $1`, [
      account.workspaceId,
    ]);
    const headers = { authorization: `Bearer ${account.secret}` };
    const shown = (await (await stage.ask('/platform/v1/billing/auto_topup', { headers })).json()) as { card: object };
    expect(shown.card).toEqual({ brand: expect.any(String), last4: expect.any(String) });
    expect(stage.api.lines.filter((line) => line.includes('cannot be described'))).toEqual([]);
  });

  test('accepts a payment page and a saved card with tax', async () => {
    const stripe = await payments().open();
    const page = stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'usd',
            unit_amount: 2_500,
            tax_behavior: 'exclusive',
            product_data: { name: 'Credit' },
          },
        },
      ],
      success_url: 'https://example.com/',
      ...pageTax('cus_1'),
    });
    expect(await page).toMatchObject({ object: 'checkout.session' });
    const details = { ...NO_DETAILS, country: 'DE', postalCode: '10119', taxIdType: 'eu_vat', taxId: 'DE123456789' };
    const customer = stripe.customers.update('cus_1', { address: addressOf(details), name: 'Northwind' });
    expect(await customer).toMatchObject({ object: 'customer' });
    const order = { topupId: newId('top'), workspaceId: 'ws_1', customerId: 'cus_1', paymentMethodId: 'pm_1' };
    const tax = await computeTax(stripe, { ...order, amountNanos: 10n * USD, isTaxed: true }, details);
    expect(tax).toMatchObject({ calculationId: expect.any(String), totalCents: expect.any(Number) });
    const hooks = { inputs: { tax: { calculation: tax.calculationId } } };
    const intent = stripe.paymentIntents.create({ amount: 1_190, currency: 'usd', hooks });
    expect(await intent).toMatchObject({ object: 'payment_intent' });
  });

  test('accepts a payment by a saved card', async () => {
    const { workspaceId } = await stage.account({ balanceNanos: USD });
    await stage.db.pool.query(
      `insert into payment_customers (workspace_id, customer_id, payment_method_id, threshold_nanos, amount_nanos, monthly_cap_nanos)
       values ($1, $2, 'pm_1', $3, $3, $3)`,
      [workspaceId, newId('cus'), 5n * USD],
    );
    // The mock answers with an example, whose payment has not succeeded.
    expect(await payAutoTopup(stage.db, payments(), workspaceId)).toBe('declined');
  });

  test('accepts the lists of a reconciliation', async () => {
    const since = new Date(Date.now() - 86_400_000);
    const read = await reconcilePayments(stage.db, payments(), { since, onProgress: () => {} });
    expect(read).toMatchObject({ credited: 0 });
  });
});
