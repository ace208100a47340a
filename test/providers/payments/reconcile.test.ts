import { afterAll, describe, expect, test } from '@jest/globals';
import { orderErasure } from '../../../db/erasure/erasures.ts';
import { readAutoTopup } from '../../../db/payments/autoTopups.ts';
import { orderAutoTopup, recordProcessing } from '../../../db/payments/cardOrders.ts';
import { endOldCheckouts } from '../../../db/payments/openCheckouts.ts';
import { readStripeConfig } from '../../../providers/payments/config.ts';
import { endCheckouts } from '../../../providers/payments/endCheckouts.ts';
import { reconcilePayments, type Uncredited } from '../../../providers/payments/reconcile.ts';
import { createPayments } from '../../../providers/payments/stripe.ts';
import { StripeRefusal } from '../../../rules/payments/refusal.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';
import { setPaymentStage, USD } from './paymentStage.ts';

const stage = await setPaymentStage();
afterAll(() => stage.close());

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
  const page = (await (await stage.post('/platform/v1/billing/card', account, {})).json()) as { url: string };
  await fetch(page.url, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
  await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
  await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'refund', usd: '10' }), redirect: 'manual' });
  expect(await stage.balance(account)).toBe(0n);
  const since = new Date(Date.now() - 60_000);
  const payments = createPayments(readStripeConfig(stage.env)!);
  const reconcile = () => reconcilePayments(stage.db, payments, { since, onProgress: () => {} });
  const hasCard = async () => (await readAutoTopup(stage.db.read(account.workspaceId))).paymentMethodId !== null;
  expect(await hasCard()).toBe(false);
  expect(await reconcile()).toMatchObject({ credited: 1 });
  expect(await stage.balance(account)).toBe(20n * USD);
  expect(await hasCard()).toBe(true);
  expect(await reconcile()).toMatchObject({ credited: 0 });
  stage.setting.webhookUrl = webhookUrl;
  await until(() => stage.payments.deliveries.every(({ status }) => status === 200), { timeoutMs: 120_000 });
  expect(await stage.balance(account)).toBe(20n * USD);
  await expectSoundLedger(stage.db);
});

test.each([
  ['succeeded', { balanceUsd: 11n, end: 'paid', declines: 0 }],
  ['requires_payment_method', { balanceUsd: 1n, end: 'failed', declines: 1 }],
])('an automatic payment that a bank decides on after a week is found %s', async (status, ends) => {
  const { db } = stage;
  const account = await stage.account({ balanceNanos: USD });
  const { workspaceId } = account;
  const auto_topup = { threshold_usd: 5, amount_usd: 10, monthly_cap_usd: 25 };
  const page = (await (await stage.post('/platform/v1/billing/card', account, { auto_topup })).json()) as {
    url: string;
  };
  await stage.act(page.url, 'pay');
  const { topupId, customerId } = (await orderAutoTopup(db.pool, workspaceId, { isLive: false, addsTax: false }))!;
  await recordProcessing(db.pool, topupId);
  await db.pool.query(`update topups set created_at = created_at - interval '8 days' where id = $1`, [topupId]);
  stage.payments.store.create('payment_intent', 'pi', {
    created: Math.floor(Date.now() / 1000) - 8 * 86_400,
    status,
    customer: customerId,
    currency: 'usd',
    amount_received: 1_000,
    last_payment_error: null,
    metadata: { topup_id: topupId, workspace_id: workspaceId },
  });
  const payments = createPayments(readStripeConfig(stage.env)!);
  // It is older than the lists that are read.
  const since = new Date(Date.now() + 60_000);
  for (let time = 0; time < 2; time += 1) await reconcilePayments(db, payments, { since, onProgress: () => {} });
  const sql = `select t.status as end, c.decline_count as declines from topups t join payment_customers c using (workspace_id) where t.id = $1`;
  const { rows } = await db.pool.query(sql, [topupId]);
  expect({ ...rows[0], balanceUsd: (await stage.balance(account)) / USD }).toEqual(ends);
});

describe('a payment page', () => {
  test('that Stripe does not make is answered 502, and its order is not open for ever', async () => {
    const account = await stage.account({ balanceNanos: 0n });
    const create = stage.payments.store.create.bind(stage.payments.store);
    const refuse = () => {
      throw new StripeRefusal(402, 'no_luck', 'Not today.');
    };
    Object.assign(stage.payments.store, { create: refuse });
    try {
      const response = await stage.post('/platform/v1/billing/checkout', account, { amount: 25 });
      expect(response.status).toBe(502);
    } finally {
      Object.assign(stage.payments.store, { create });
    }
    const { rows } = await stage.db.pool.query('select status from topups where workspace_id = $1', [
      account.workspaceId,
    ]);
    expect(rows).toEqual([{ status: 'expired' }]);
  });

  test('whose end was never told ends after a day, and a payment that comes all the same is credited', async () => {
    const account = await stage.account({ balanceNanos: 0n });
    const orders = [await stage.order(account), await stage.order(account)];
    const sql = `update topups set created_at = created_at - interval '26 hours' where session_id = $1`;
    await stage.db.pool.query(sql, [orders[0]!.session_id]);
    await endOldCheckouts(stage.db.pool);
    const { rows } = await stage.db.pool.query(
      'select status from topups where workspace_id = $1 order by created_at',
      [account.workspaceId],
    );
    expect(rows).toEqual([{ status: 'expired' }, { status: 'open' }]);
    await stage.act(orders[0]!.url, 'pay');
    expect(await stage.balance(account)).toBe(25n * USD);
  });

  test('of an erased workspace cannot be paid; one that was paid all the same is told to operators', async () => {
    const { db } = stage;
    const account = await stage.account({ balanceNanos: 0n });
    const { workspaceId } = account;
    const [open, late, paid] = [await stage.order(account), await stage.order(account), await stage.order(account)];
    await stage.act(paid.url, 'pay');
    const order = { workspaceId, by: { keyId: null, requestId: 'req_test' } };
    const due = await orderErasure(db.everywhere, { ...order, graceDays: 0 });
    if (typeof due === 'string') throw new Error(due);
    await db.pool.query('update erasures set due_at = now(), started_at = now() where id = $1', [due.id]);
    await stage.act(late.url, 'pay');
    const { rows: told } = await db.pool.query(
      `select distinct outcome from payment_events where received_at >= (select started_at from erasures where id = $1)`,
      [due.id],
    );
    expect(told).toContainEqual({ outcome: 'mismatch' });
    const payments = createPayments(readStripeConfig(stage.env)!);
    await endCheckouts(db, payments, workspaceId);
    await until(() => stage.payments.deliveries.every(({ status }) => status === 200));
    const { rows } = await db.pool.query('select session_id as id, status from topups where workspace_id = $1', [
      workspaceId,
    ]);
    expect(Object.fromEntries(rows.map(({ id, status }) => [id, status]))).toEqual({
      [open.session_id]: 'expired',
      [late.session_id]: 'paid',
      [paid.session_id]: 'paid',
    });
    expect((await stage.act(open.url, 'pay')).status).toBe(400);
    // What operators do in Stripe's dashboard.
    await stage.act(late.url, 'refund');
    expect(await stage.balance(account)).toBe(25n * USD);
    await endCheckouts(db, payments, workspaceId);
  });
});

// The last one: its lost events are sent again and again.
test('the reconciliation reads old payments, refunds and disputes whose ends were missed', async () => {
  const names = ['clear', 'bounce', 'win_dispute', 'fail_refund'] as const;
  const begin = {
    clear: ['pay_later'],
    bounce: ['pay_later'],
    win_dispute: ['pay', 'dispute'],
    fail_refund: ['pay', 'refund'],
  };
  const ordered = await Promise.all(
    names.map(async (name) => {
      const account = await stage.account({ balanceNanos: 0n });
      return { name, account, ...(await stage.order(account, 30)) };
    }),
  );
  for (const { name, url } of ordered) for (const action of begin[name]) await stage.act(url, action);
  stage.setting.webhookUrl = 'http://127.0.0.1:9/';
  for (const { name, url } of ordered)
    await fetch(url, { method: 'POST', body: new URLSearchParams({ action: name }), redirect: 'manual' });
  const balances = () => Promise.all(ordered.map(({ account }) => stage.balance(account)));
  expect(await balances()).toEqual([0n, 0n, 0n, 0n]);
  const payments = createPayments(readStripeConfig(stage.env)!);
  // All of them are older than the lists that are read.
  const since = new Date(Date.now() + 60_000);
  const reconcile = () => reconcilePayments(stage.db, payments, { since, onProgress: () => {} });
  expect(await reconcile()).toMatchObject({ credited: 1 });
  expect(await balances()).toEqual([30n * USD, 0n, 30n * USD, 30n * USD]);
  const { rows } = await stage.db.pool.query('select status from topups where session_id = $1', [
    ordered[1]!.session_id,
  ]);
  expect(rows).toEqual([{ status: 'failed' }]);
  expect(await reconcile()).toMatchObject({ credited: 0 });
  expect(await balances()).toEqual([30n * USD, 0n, 30n * USD, 30n * USD]);
  await expectSoundLedger(stage.db);
});
