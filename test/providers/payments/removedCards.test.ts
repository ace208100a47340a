import { afterAll, expect, test } from '@jest/globals';
import { findDueTopups } from '../../../db/payments/cardOrders.ts';
import { read } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { setPaymentStage, USD } from './paymentStage.ts';

const stage = await setPaymentStage();
afterAll(() => stage.close());

type Account = Awaited<ReturnType<typeof stage.account>>;

const RULE = { threshold_usd: 5, amount_usd: 10, monthly_cap_usd: 25 };

async function saveCard(account: Account, body: object): Promise<void> {
  const { url } = await read<{ url: string }>(stage.post('/platform/v1/billing/card', account, body));
  await stage.act(url, 'pay');
}

/** An account whose balance is below the threshold of its automatic top-up. */
async function accountWithCard(): Promise<Account> {
  const account = await stage.account({ balanceNanos: USD });
  await saveCard(account, { auto_topup: RULE });
  expect(await isDue(account)).toBe(true);
  return account;
}

const isDue = async ({ workspaceId }: Account) => (await findDueTopups(stage.db.pool)).includes(workspaceId);

const readRule = ({ secret }: Account) =>
  read(stage.ask('/platform/v1/billing/auto_topup', { headers: { authorization: `Bearer ${secret}` } }));

async function storedOf({ workspaceId }: Account): Promise<{ customer: string; method: string | null }> {
  const sql = `select customer_id as customer, payment_method_id as method from payment_customers where workspace_id = $1`;
  return (await stage.db.pool.query(sql, [workspaceId])).rows[0];
}

/** In whole seconds, as Stripe says it. */
async function savedAtOf({ workspaceId }: Account): Promise<number> {
  const sql = 'select extract(epoch from card_saved_at)::int as at from payment_customers where workspace_id = $1';
  return (await stage.db.pool.query(sql, [workspaceId])).rows[0].at;
}

const soon = () => Math.floor(Date.now() / 1000) + 60;

async function tell(type: string, object: object, created = soon()): Promise<string> {
  const event = { id: `evt_${type}_${created}`, object: 'event', type, livemode: false, created, data: { object } };
  return (await read<{ outcome: string }>(stage.send(event))).outcome;
}

test('a customer that is deleted at Stripe has no card, and its automatic top-up is off', async () => {
  const account = await accountWithCard();
  const { customer } = await storedOf(account);
  const authorization = `Bearer ${stage.setting.secretKey}`;
  await fetch(`${stage.payments.url}/v1/customers/${customer}`, { method: 'DELETE', headers: { authorization } });
  await until(async () => (await storedOf(account)).method === null);
  const reason = 'The customer was deleted at Stripe, and its card with it.';
  expect(await readRule(account)).toMatchObject({ ...RULE, enabled: false, card: null, last_error: reason });
  expect(await isDue(account)).toBe(false);
  const sql = `select key_id, detail from audit_entries where workspace_id = $1 and action = 'change_auto_topup' order by created_at desc`;
  const { rows } = await stage.db.pool.query(sql, [account.workspaceId]);
  const detail = { before: { enabled: true }, after: { enabled: false }, reason };
  expect(rows[0]).toMatchObject({ key_id: null, detail });
  expect(await tell('customer.deleted', { id: customer }, await savedAtOf(account))).toBe('repeated');
  await saveCard(account, { auto_topup: RULE });
  expect(await readRule(account)).toMatchObject({ ...RULE, enabled: true, last_error: null });
  expect(await tell('customer.deleted', { id: customer })).toBe('ignored');
});

test('a card that is removed at Stripe is not charged, and events of its saving do not bring it back', async () => {
  const account = await accountWithCard();
  const { customer, method } = await storedOf(account);
  const savedAt = await savedAtOf(account);
  expect(await tell('payment_method.detached', { id: method, customer: null })).toBe('noted');
  const reason = 'The card was removed at Stripe.';
  expect(await readRule(account)).toMatchObject({ ...RULE, enabled: false, card: null, last_error: reason });
  expect(await tell('payment_method.detached', { id: method, customer: null })).toBe('ignored');
  const [saved] = stage.payments.store.list('setup_intent', (one) => one.payment_method === method);
  expect(await tell('setup_intent.succeeded', saved!, savedAt)).toBe('repeated');
  expect(await storedOf(account)).toEqual({ customer, method: null });
  expect(await readRule(account)).toMatchObject({ enabled: false, card: null });
});

test('a card that another one has replaced is removed without effect', async () => {
  const account = await accountWithCard();
  const { method } = await storedOf(account);
  await saveCard(account, {});
  expect(await tell('payment_method.detached', { id: method, customer: null })).toBe('ignored');
  expect(await readRule(account)).toMatchObject({ enabled: true, card: { last4: '4242' } });
});

test('a card whose saving is told after its removal orders nothing', async () => {
  const account = await stage.account({ balanceNanos: USD });
  const { webhookUrl } = stage.setting;
  const page = await read<{ url: string }>(stage.post('/platform/v1/billing/card', account, { auto_topup: RULE }));
  stage.setting.webhookUrl = 'http://127.0.0.1:9/';
  await fetch(page.url, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
  stage.setting.webhookUrl = webhookUrl;
  const { customer } = await storedOf(account);
  expect(await tell('customer.deleted', { id: customer })).toBe('noted');
  const [saved] = stage.payments.store.list('setup_intent', (one) => one.customer === customer);
  expect(await tell('setup_intent.succeeded', saved!, Math.floor(Date.now() / 1000))).toBe('repeated');
  expect(await readRule(account)).toMatchObject({ enabled: false, card: null });
});

test('a card saved before another was removed stays, in whichever order Stripe tells of both', async () => {
  const account = await accountWithCard();
  const { customer, method } = await storedOf(account);
  const savedAt = await savedAtOf(account);
  expect(await tell('payment_method.detached', { id: method, customer: null }, savedAt + 60)).toBe('noted');
  const [first] = stage.payments.store.list('setup_intent', (one) => one.payment_method === method);
  const next = {
    ...first,
    payment_method: 'pm_next',
    metadata: { ...(first!.metadata as object), ordered_by_request: 'req_next' },
  };
  expect(await tell('setup_intent.succeeded', next, savedAt + 30)).toBe('noted');
  expect(await storedOf(account)).toEqual({ customer, method: 'pm_next' });
  expect(await readRule(account)).toMatchObject({ ...RULE, enabled: true, last_error: null });
});

test('a card of a deleted customer does not come back, even if another was removed before', async () => {
  const account = await accountWithCard();
  const { customer, method } = await storedOf(account);
  const savedAt = await savedAtOf(account);
  expect(await tell('payment_method.detached', { id: method, customer: null }, savedAt + 60)).toBe('noted');
  expect(await tell('customer.deleted', { id: customer }, savedAt + 61)).toBe('noted');
  const next = { customer, payment_method: 'pm_of_deleted', metadata: {} };
  expect(await tell('setup_intent.succeeded', next, savedAt + 30)).toBe('repeated');
  expect(await storedOf(account)).toEqual({ customer, method: null });
});
