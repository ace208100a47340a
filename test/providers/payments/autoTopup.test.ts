import { afterAll, describe, expect, test } from '@jest/globals';
import { Stripe } from 'stripe';
import { Webhook } from 'svix';
import { saveAutoTopup } from '../../../db/payments/autoTopups.ts';
import { findDueTopups, orderAutoTopup } from '../../../db/payments/cardOrders.ts';
import { newId } from '../../../db/ids.ts';
import { payAutoTopup } from '../../../providers/payments/autoTopup.ts';
import { readStripeConfig } from '../../../providers/payments/config.ts';
import { createPayments, type Payments } from '../../../providers/payments/stripe.ts';
import { eventIn, makeEndpointOf, startReceiver } from '../../flow/stages/webhookStage.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { startWorkerProcess } from '../../support/startWorker.ts';
import { startTestTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';
import { setPaymentStage, USD, type PaymentStage } from './paymentStage.ts';

const stage = await setPaymentStage();
const payments = createPayments(readStripeConfig(stage.env)!);
afterAll(() => stage.close());

type Account = Awaited<ReturnType<PaymentStage['account']>>;

/** An account with this balance, whose saved card is charged 10 USD below 5 USD, and at most 25 USD in a month. */
async function newAccount(balanceUsd: bigint, card = 'pay'): Promise<Account> {
  const account = await stage.account({ balanceNanos: balanceUsd * USD });
  const auto = { threshold_usd: 5, amount_usd: 10, monthly_cap_usd: 25 };
  const response = await stage.post('/platform/v1/billing/card', account, { auto_topup: auto });
  await stage.act(((await response.json()) as { url: string }).url, card);
  return account;
}

const pay = ({ workspaceId }: Account) => payAutoTopup(stage.db, payments, workspaceId);
const isDue = async ({ workspaceId }: Account) => (await findDueTopups(stage.db.pool)).includes(workspaceId);
const chargesOf = ({ workspaceId }: Account) =>
  stage.payments.store.list('charge', ({ metadata }) => metadata.workspace_id === workspaceId);

const spend = ({ workspaceId }: Account, usd: bigint) =>
  stage.db.ledger.transfer({
    kind: 'adjustment',
    subject: newId('test'),
    workspaceId,
    houseAccountId: 'adjustments',
    amountNanos: -usd * USD,
  });

describe('a saved card', () => {
  test('is charged when the balance is below the threshold, and not above it', async () => {
    const account = await newAccount(5n);
    expect([await isDue(account), await pay(account)]).toEqual([false, 'none']);
    await spend(account, 1n);
    expect([await isDue(account), await pay(account), await isDue(account)]).toEqual([true, 'paid', false]);
    expect(await stage.balance(account)).toBe(14n * USD);
  });

  test("is never charged above the month's limit, by orders of the month before neither", async () => {
    const account = await newAccount(1n);
    const ends = [];
    const move = `update topups set created_at = date_trunc('month', now(), 'UTC') - interval '1 s' where workspace_id = $1`;
    for (let nth = 0; nth < 3; nth += 1) {
      ends.push(await pay(account));
      await stage.db.pool.query(move, [account.workspaceId]);
      await spend(account, 9n).catch(() => undefined);
    }
    expect(ends).toEqual(['paid', 'paid', 'none']);
    expect(chargesOf(account)).toHaveLength(2);
  });

  test('is charged once by concurrent attempts', async () => {
    const account = await newAccount(1n);
    const ends = await Promise.all(Array.from({ length: 8 }, () => pay(account)));
    expect(ends).toContain('paid');
    expect(chargesOf(account)).toHaveLength(1);
    expect(await stage.balance(account)).toBe(11n * USD);
  });

  test("is charged once when Stripe's answer was lost", async () => {
    const account = await newAccount(1n);
    const losing: Payments = {
      ...payments,
      open: async () => {
        const stripe = await payments.open();
        const create = async (...args: Parameters<typeof stripe.paymentIntents.create>) => {
          await stripe.paymentIntents.create(...args);
          throw new Error('the connection broke');
        };
        return { paymentIntents: { create } } as unknown as typeof stripe;
      },
    };
    await expect(payAutoTopup(stage.db, losing, account.workspaceId)).rejects.toThrow('the connection broke');
    await pay(account);
    expect(chargesOf(account)).toHaveLength(1);
    expect(await stage.balance(account)).toBe(11n * USD);
  });

  test('is charged again after an order that never ended', async () => {
    const account = await newAccount(1n);
    await orderAutoTopup(stage.db.pool, account.workspaceId, payments);
    expect(await isDue(account)).toBe(false);
    await stage.db.pool.query(`update topups set created_at = now() - interval '21 hours' where workspace_id = $1`, [
      account.workspaceId,
    ]);
    expect(await isDue(account)).toBe(true);
    expect(await pay(account)).toBe('paid');
    expect(await stage.balance(account)).toBe(11n * USD);
  });

  const settings = { thresholdNanos: 5n * USD, amountNanos: 10n * USD, monthlyCapNanos: 25n * USD };
  const change = ({ workspaceId, keyId }: Account, changed: Partial<Parameters<typeof saveAutoTopup>[1]>) =>
    saveAutoTopup(
      stage.db.write(workspaceId),
      { isEnabled: true, ...settings, ...changed },
      { keyId, requestId: newId('req') },
    );

  test.each([
    ['was switched off', (account: Account) => change(account, { isEnabled: false })],
    ['may pay less in a month', (account: Account) => change(account, { monthlyCapNanos: 9n * USD })],
    ['has enough again', (account: Account) => spend(account, -9n)],
    [
      'is being erased',
      ({ workspaceId }: Account) =>
        stage.db.pool.query(`insert into erasures (id, workspace_id, due_at) values ($1, $2, now())`, [
          newId('era'),
          workspaceId,
        ]),
    ],
  ])('is not charged for an open order of a workspace that %s', async (_name, happens) => {
    const account = await newAccount(1n);
    const { topupId } = (await orderAutoTopup(stage.db.pool, account.workspaceId, payments))!;
    await happens(account);
    expect([await isDue(account), await pay(account), chargesOf(account)]).toEqual([false, 'none', []]);
    const { rows } = await stage.db.pool.query('select status from topups where id = $1', [topupId]);
    expect(rows).toEqual([{ status: 'failed' }]);
  });

  test('is charged once after it was switched off and on again', async () => {
    const account = await newAccount(1n);
    await orderAutoTopup(stage.db.pool, account.workspaceId, payments);
    await change(account, { isEnabled: false });
    expect(await pay(account)).toBe('none');
    await change(account, { isEnabled: true });
    expect([await isDue(account), await pay(account), await pay(account)]).toEqual([true, 'paid', 'none']);
    expect(chargesOf(account)).toHaveLength(1);
  });

  test('is retried later after each decline, and no more after the fourth', async () => {
    const account = await newAccount(1n, 'save_declining');
    const read = async () => {
      const sql = `select decline_count, round(extract(epoch from retry_at - now()) / 3600)::int as hours, not auto_enabled as ended
        from payment_customers where workspace_id = $1`;
      return (await stage.db.pool.query(sql, [account.workspaceId])).rows[0];
    };
    for (const [nth, hours] of [1, 6, 24, 72].entries()) {
      expect([await isDue(account), await pay(account), await isDue(account)]).toEqual([true, 'declined', false]);
      expect(await read()).toEqual({ decline_count: nth + 1, hours, ended: false });
      await stage.db.pool.query('update payment_customers set retry_at = now() where workspace_id = $1', [
        account.workspaceId,
      ]);
    }
    expect(await pay(account)).toBe('declined');
    expect(await read()).toEqual({ decline_count: 5, hours: null, ended: true });
    expect([await isDue(account), await stage.balance(account)]).toEqual([false, USD]);
    await change(account, { isEnabled: true });
    expect(await isDue(account)).toBe(true);
    await stage.db.pool.query('update payment_customers set threshold_nanos = null where workspace_id = $1', [
      account.workspaceId,
    ]);
  });

  /** Pays an order whose bank has not decided yet. Returns Stripe's payment of it. */
  async function payProcessing({ workspaceId }: Account) {
    const intent = { object: 'payment_intent', id: newId('pi'), currency: 'usd', livemode: false };
    let made: object = {};
    const create = ({ amount, metadata }: { amount: number; metadata: object }) => {
      made = { ...intent, amount_received: amount, metadata };
      return Promise.resolve({ ...made, status: 'processing' });
    };
    const deciding = {
      ...payments,
      open: () => Promise.resolve({ paymentIntents: { create } }),
    } as unknown as Payments;
    expect(await payAutoTopup(stage.db, deciding, workspaceId)).toBe('processing');
    return made;
  }

  const sayOf = (type: string, intent: object) =>
    stage.send({
      id: newId('evt'),
      object: 'event',
      type: `payment_intent.${type}`,
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      data: { object: intent },
    });
  const declinesOf = async ({ workspaceId }: Account) => {
    const sql =
      'select decline_count as count, retry_at is null as now, last_error as error from payment_customers where workspace_id = $1';
    return (await stage.db.pool.query(sql, [workspaceId])).rows[0];
  };

  test('is retried later when its bank declines after a while, and at once after it pays', async () => {
    const account = await newAccount(1n);
    const failed = await payProcessing(account);
    expect(await isDue(account)).toBe(false);
    const error = { message: 'The bank refused the payment.' };
    for (let time = 0; time < 2; time += 1)
      await sayOf('payment_failed', { ...failed, status: 'requires_payment_method', last_payment_error: error });
    expect([await isDue(account), await pay(account)]).toEqual([false, 'none']);
    expect(await declinesOf(account)).toEqual({ count: 1, now: false, error: error.message });
    const { rows } = await stage.db.pool.query(
      `select data ->> 'reason' as reason from platform_events where workspace_id = $1 and type = 'topup.failed'`,
      [account.workspaceId],
    );
    expect(rows).toEqual([{ reason: error.message }]);
    await stage.db.pool.query('update payment_customers set retry_at = now() where workspace_id = $1', [
      account.workspaceId,
    ]);
    await sayOf('succeeded', { ...(await payProcessing(account)), status: 'succeeded' });
    expect(await stage.balance(account)).toBe(11n * USD);
    expect(await declinesOf(account)).toEqual({ count: 0, now: true, error: null });
  });

  test('that was switched off stays so when its last payment is declined', async () => {
    const account = await newAccount(1n);
    const failed = await payProcessing(account);
    await change(account, { isEnabled: false });
    await sayOf('payment_failed', { ...failed, status: 'requires_payment_method' });
    const { rows } = await stage.db.pool.query(
      'select auto_enabled, decline_count from payment_customers where workspace_id = $1',
      [account.workspaceId],
    );
    expect(rows).toEqual([{ auto_enabled: false, decline_count: 1 }]);
  });

  test('that Stripe no longer has counts as declined, and its owner reads why', async () => {
    const account = await newAccount(1n);
    const raw = { code: 'resource_missing', param: 'payment_method', message: 'No such PaymentMethod.' };
    const error = new Stripe.errors.StripeInvalidRequestError({ type: 'invalid_request_error', ...raw });
    const create = () => Promise.reject(error);
    const without = { ...payments, open: () => Promise.resolve({ paymentIntents: { create } }) } as unknown as Payments;
    expect(await payAutoTopup(stage.db, without, account.workspaceId)).toBe('declined');
    expect(await declinesOf(account)).toEqual({ count: 1, now: false, error: raw.message });
  });

  test('that replaces a declined one is charged without the delay of that', async () => {
    const account = await newAccount(1n, 'save_declining');
    expect([await pay(account), await isDue(account)]).toEqual(['declined', false]);
    const response = await stage.post('/platform/v1/billing/card', account, {});
    await stage.act(((await response.json()) as { url: string }).url, 'pay');
    expect([await isDue(account), await pay(account)]).toEqual([true, 'paid']);
  });

  test.each(['canceled', 'requires_action'])('counts as declined when its payment is at once %s', async (status) => {
    const account = await newAccount(1n);
    const create = () => Promise.resolve({ id: newId('pi'), status, metadata: {} });
    const ended = { ...payments, open: () => Promise.resolve({ paymentIntents: { create } }) } as unknown as Payments;
    expect(await payAutoTopup(stage.db, ended, account.workspaceId)).toBe('declined');
    expect(await declinesOf(account)).toMatchObject({ count: 1, now: false });
  });

  test('counts as declined when its payment is cancelled at Stripe before the bank decides', async () => {
    const account = await newAccount(1n);
    await sayOf('canceled', { ...(await payProcessing(account)), status: 'canceled' });
    expect(await declinesOf(account)).toMatchObject({ count: 1, now: false });
    await stage.db.pool.query('update payment_customers set retry_at = now()');
    expect(await pay(account)).toBe('paid');
  });

  test('is charged by the worker, without a request, and its webhooks say how that ended', async () => {
    const receiver = await startReceiver();
    const [account, declined] = [await newAccount(9n), await newAccount(9n, 'save_declining')];
    const temporal = await startTestTemporal();
    const worker = await startWorkerProcess({
      ...stage.addresses,
      temporalAddress: temporal.address,
      env: { ...stage.env, WEBHOOK_LOOPBACK: 'on' },
    });
    const endpoint = { url: receiver.url, eventTypes: ['topup.succeeded', 'topup.failed'] };
    const secret = await makeEndpointOf(stage.db, account, endpoint);
    await makeEndpointOf(stage.db, declined, endpoint);
    for (const one of [account, declined]) await spend(one, 8n);
    await until(async () => (await stage.balance(account)) === 11n * USD, { timeoutMs: 120_000 });
    await until(() => receiver.received.length === 2, { timeoutMs: 120_000 });
    const events = receiver.received.map(eventIn);
    expect(events.find(({ type }) => type === 'topup.succeeded')).toMatchObject({ data: { amount_usd: '10' } });
    expect(events.find(({ type }) => type === 'topup.failed')).toMatchObject({ data: { reason: expect.any(String) } });
    const paid = receiver.received.find((one) => eventIn(one).type === 'topup.succeeded')!;
    new Webhook(secret).verify(paid.body, paid.headers as Record<string, string>);
    await worker.stop();
    await temporal.stop();
    await receiver.stop();
    await expectSoundLedger(stage.db);
  }, 600_000);
});
