import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readStripeConfig } from '../../../providers/payments/config.ts';
import { reconcilePayments, type Uncredited } from '../../../providers/payments/reconcile.ts';
import { createPayments } from '../../../providers/payments/stripe.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';
import { setPaymentStage, USD, type PaymentStage } from './paymentStage.ts';

let stage: PaymentStage;
beforeAll(async () => {
  stage = await setPaymentStage();
});
afterAll(() => stage?.close());

test('a payment that differs from its order and whose events were lost is reported, once', async () => {
  const account = await stage.account({ balanceNanos: 0n });
  const { session_id: id } = await stage.order(account, 30);
  const session = stage.payments.store.find('checkout.session', id)!;
  stage.payments.store.change(session, {
    status: 'complete',
    payment_status: 'paid',
    payment_intent: 'pi_other',
    amount_total: 99_900,
  });
  const payments = createPayments(readStripeConfig(stage.env)!);
  const since = new Date(Date.now() - 60_000);
  const reported: Uncredited[] = [];
  const onUncredited = (one: Uncredited) => void reported.push(one);
  for (let time = 0; time < 2; time += 1)
    expect(await reconcilePayments(stage.db, payments, { since, onProgress: () => {}, onUncredited })).toMatchObject({
      credited: 0,
    });
  expect(reported).toEqual([{ id, type: 'checkout.session', outcome: 'mismatch' }]);
  const { rows } = await stage.db.pool.query('select outcome from payment_events where id = $1', [id]);
  expect(rows).toEqual([{ outcome: 'mismatch' }]);
  expect(await stage.balance(account)).toBe(0n);
});

test("the reconciliation finds missed payments in Stripe's lists, once", async () => {
  const account = await stage.account({ balanceNanos: 0n });
  const { webhookUrl } = stage.setting;
  stage.setting.webhookUrl = 'http://127.0.0.1:9/';
  const { url } = await stage.order(account, 30);
  await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
  await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'refund', usd: '10' }), redirect: 'manual' });
  expect(await stage.balance(account)).toBe(0n);
  const since = new Date(Date.now() - 60_000);
  const payments = createPayments(readStripeConfig(stage.env)!);
  const reconcile = () => reconcilePayments(stage.db, payments, { since, onProgress: () => {} });
  expect(await reconcile()).toMatchObject({ credited: 1 });
  expect(await stage.balance(account)).toBe(20n * USD);
  expect(await reconcile()).toMatchObject({ credited: 0 });
  stage.setting.webhookUrl = webhookUrl;
  await until(() => stage.payments.deliveries.every(({ status }) => status === 200), { timeoutMs: 120_000 });
  expect(await stage.balance(account)).toBe(20n * USD);
  await expectSoundLedger(stage.db);
}, 300_000);
