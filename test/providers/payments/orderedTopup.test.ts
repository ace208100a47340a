import { afterAll, expect, test } from '@jest/globals';
import { readStripeConfig } from '../../../providers/payments/config.ts';
import { metadataOfOrdered } from '../../../providers/payments/orderedTopup.ts';
import { reconcilePayments } from '../../../providers/payments/reconcile.ts';
import { createPayments } from '../../../providers/payments/stripe.ts';
import { read } from '../../support/http.ts';
import { setPaymentStage, USD } from './paymentStage.ts';

const stage = await setPaymentStage();
afterAll(() => stage.close());

type Account = Awaited<ReturnType<typeof stage.account>>;

const RULE = { threshold_usd: 5, amount_usd: 10, monthly_cap_usd: 25 };
const NONE = { threshold_usd: null, amount_usd: null, monthly_cap_usd: null };

/** Orders the page that saves a card. Returns its address. */
async function orderCard(account: Account, body: object): Promise<string> {
  return (await read<{ url: string }>(stage.post('/platform/v1/billing/card', account, body))).url;
}

const path = '/platform/v1/billing/auto_topup';
const headersOf = ({ secret }: Account) => ({ authorization: `Bearer ${secret}` });
const readRule = (account: Account) => read(stage.ask(path, { headers: headersOf(account) }));
const stop = (account: Account) =>
  read(stage.ask(path, { method: 'PATCH', headers: headersOf(account), body: '{"enabled":false}' }));

const readAudit = async ({ workspaceId }: Account) => {
  const sql = `select key_id, detail from audit_entries where workspace_id = $1 and action = 'change_auto_topup' order by created_at, id`;
  return (await stage.db.pool.query(sql, [workspaceId])).rows as { key_id: string; detail: object }[];
};

const intentOf = ({ workspaceId }: Account) =>
  stage.payments.store.list('setup_intent', ({ metadata }) => metadata.workspace_id === workspaceId)[0]!;

/** Sends the event of a saved card again, or late. */
const sendSaved = async (account: Account, laterSeconds: number) => {
  const object = intentOf(account);
  const created = object.created + laterSeconds;
  const event = { object: 'event', type: 'setup_intent.succeeded', livemode: false, created, data: { object } };
  return read<{ outcome: string }>(stage.send({ id: `evt_${account.workspaceId}_${laterSeconds}`, ...event }));
};

const reconcile = () =>
  reconcilePayments(stage.db, createPayments(readStripeConfig(stage.env)!), {
    since: new Date(Date.now() - 60_000),
    onProgress: () => {},
  });

test('an automatic top-up is in force when its card is saved, and not before', async () => {
  const account = await stage.account({ balanceNanos: USD });
  const url = await orderCard(account, { auto_topup: RULE });
  expect(await readRule(account)).toMatchObject({ enabled: false, ...NONE, card: null });
  expect(await readAudit(account)).toEqual([]);
  await stage.act(url, 'pay');
  expect(await readRule(account)).toMatchObject({ enabled: true, ...RULE, card: { last4: '4242' } });
  const before = { enabled: false, ...NONE };
  const after = { enabled: true, threshold_usd: '5', amount_usd: '10', monthly_cap_usd: '25' };
  expect(await readAudit(account)).toMatchObject([{ key_id: account.keyId, detail: { before, after } }]);
});

test('an abandoned page changes nothing about the automatic top-up of an earlier card', async () => {
  const account = await stage.account({ balanceNanos: USD });
  await stage.act(await orderCard(account, { auto_topup: RULE }), 'pay');
  await stop(account);
  const url = await orderCard(account, { auto_topup: { ...RULE, amount_usd: 20 } });
  await stage.act(url, 'expire');
  expect(await readRule(account)).toMatchObject({ enabled: false, ...RULE });
});

test('a card without an automatic top-up leaves what is set', async () => {
  const account = await stage.account({ balanceNanos: USD });
  await stage.act(await orderCard(account, { auto_topup: RULE }), 'pay');
  await stage.act(await orderCard(account, {}), 'pay');
  expect(await readRule(account)).toMatchObject({ enabled: true, ...RULE });
  expect(await readAudit(account)).toHaveLength(1);
});

test.each([
  ['its event comes again', async (account: Account) => (await sendSaved(account, 0)).outcome, 'repeated'],
  ['its event comes after a list had it', async (account: Account) => (await sendSaved(account, 60)).outcome, 'noted'],
  ['a list has it', async () => ((await reconcile()).read > 0 ? 'read' : 'none'), 'read'],
])('an automatic top-up that was stopped stays so when %s', async (_when, comeAgain, outcome) => {
  const account = await stage.account({ balanceNanos: USD });
  await stage.act(await orderCard(account, { auto_topup: RULE }), 'pay');
  await stop(account);
  expect(await comeAgain(account)).toBe(outcome);
  expect(await readRule(account)).toMatchObject({ enabled: false, ...RULE });
  expect(await readAudit(account)).toHaveLength(2);
});

const HOUR_SECONDS = 3_600;

/** An account whose card was saved a day ago. */
async function accountOfYesterday(): Promise<Account> {
  const account = await stage.account({ balanceNanos: USD });
  await stage.act(await orderCard(account, {}), 'pay');
  const sql = `update payment_customers set card_saved_at = card_saved_at - interval '1 day' where workspace_id = $1`;
  await stage.db.pool.query(sql, [account.workspaceId]);
  return account;
}

/** Sends the event of another card, which was saved so many seconds ago with an automatic top-up of so many dollars. */
async function sendLate(account: Account, { usd, seconds }: { usd: bigint; seconds: number }): Promise<string> {
  const rule = { thresholdNanos: 5n * USD, amountNanos: usd * USD, monthlyCapNanos: 100n * USD };
  const metadata = metadataOfOrdered({ rule, by: { keyId: account.keyId, requestId: `req_${usd}` } });
  const object = { ...intentOf(account), payment_method: `pm_${usd}`, metadata };
  const created = Math.floor(Date.now() / 1000) - seconds;
  const event = { object: 'event', type: 'setup_intent.succeeded', livemode: false, created, data: { object } };
  const sent = stage.send({ id: `evt_${account.workspaceId}_${usd}_${seconds}`, ...event });
  return (await read<{ outcome: string }>(sent)).outcome;
}

test('an automatic top-up that was stopped after its card was saved stays so when the event is late', async () => {
  const account = await accountOfYesterday();
  await stop(account);
  expect(await sendLate(account, { usd: 20n, seconds: HOUR_SECONDS })).toBe('noted');
  expect(await readRule(account)).toMatchObject({ enabled: false, ...NONE });
});

test('of two cards whose events are late, the automatic top-up of the later one is set', async () => {
  const account = await accountOfYesterday();
  expect(await sendLate(account, { usd: 20n, seconds: 2 * HOUR_SECONDS })).toBe('noted');
  expect(await sendLate(account, { usd: 30n, seconds: HOUR_SECONDS })).toBe('noted');
  expect(await readRule(account)).toMatchObject({ enabled: true, amount_usd: 30 });
});

test('an automatic top-up is set once though a card without one was saved later and its event came first', async () => {
  const account = await stage.account({ balanceNanos: USD });
  await stage.act(await orderCard(account, {}), 'pay');
  expect(await sendLate(account, { usd: 20n, seconds: HOUR_SECONDS })).toBe('noted');
  expect(await readRule(account)).toMatchObject({ enabled: true, amount_usd: 20, card: { last4: '4242' } });
  expect(await sendLate(account, { usd: 20n, seconds: HOUR_SECONDS - 1 })).toBe('repeated');
  expect(await readAudit(account)).toHaveLength(1);
});

test('an automatic top-up whose event was lost begins with the next reconciliation', async () => {
  const account = await stage.account({ balanceNanos: USD });
  const { webhookUrl } = stage.setting;
  stage.setting.webhookUrl = 'http://127.0.0.1:9/';
  const url = await orderCard(account, { auto_topup: RULE });
  await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
  stage.setting.webhookUrl = webhookUrl;
  expect(await readRule(account)).toMatchObject({ enabled: false, ...NONE });
  await reconcile();
  expect(await readRule(account)).toMatchObject({ enabled: true, ...RULE });
});
