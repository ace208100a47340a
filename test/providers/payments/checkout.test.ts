import { afterAll, describe, expect, test } from '@jest/globals';
import { createBrowser, expectAnswer, password } from '../../api/accounts/accountStage.ts';
import { chatBody, chatPath, type ErrorBody } from '../../support/guardStage.ts';
import { countLockWaits } from '../../support/lockWaits.ts';
import { until } from '../../support/until.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { setPaymentStage, USD } from './paymentStage.ts';

const stage = await setPaymentStage();
afterAll(() => stage.close());

async function signedInMember() {
  const member = createBrowser(stage.api.url);
  const email = 'member@example.com';
  expectAnswer(await member.post('auth/sign-up/email', { name: 'Ada', email, password }), 200);
  const sql = 'select text from test_mails where recipient = $1';
  let text: string | undefined;
  await until(async () => (text = (await stage.db.pool.query(sql, [email])).rows[0]?.text) !== undefined);
  await member.open(/https?:\/\/\S+/.exec(text!)![0]);
  return member;
}

const newAccount = () => stage.account({ balanceNanos: 0n });
const entriesOf = async (account: { secret: string }) => {
  const headers = { authorization: `Bearer ${account.secret}` };
  const { data } = (await (await stage.ask('/platform/v1/billing/ledger', { headers })).json()) as {
    data: { kind: string; amount_usd: number; balance_after_usd: number }[];
  };
  return data.map(({ kind, amount_usd: amount, balance_after_usd: after }) => [kind, amount, after]);
};

describe('a checkout', () => {
  test('answers with a page marked TEST; paying there credits the amount once and leads back', async () => {
    const account = await newAccount();
    const session = await stage.order(account, 25.5);
    expect(session).toEqual({
      url: `${stage.payments.url}/pay/${session.session_id}`,
      session_id: expect.stringMatching(/^cs_test_/),
      amount: 25.5,
    });
    const answer = await fetch(session.url);
    // Browsers follow the redirect after the form only to origins in the policy.
    expect(answer.headers.get('content-security-policy')).toMatch(/form-action 'self' http:\/\/127\.0\.0\.1:\d+;/);
    const page = await answer.text();
    expect(page).toContain('TEST: no card is charged');
    expect(page).toContain('$25.50');
    expect(await stage.balance(account)).toBe(0n);
    const paid = await stage.act(session.url, 'pay');
    expect([paid.status, paid.headers.get('location')]).toEqual([302, expect.stringMatching(/\/billing\/done$/)]);
    expect((await fetch(paid.headers.get('location')!.replace(/^http:\/\/[^/]+/, stage.api.url))).status).toBe(200);
    expect(await stage.balance(account)).toBe((51n * USD) / 2n);
    expect(await entriesOf(account)).toEqual([['topup', 25.5, 25.5]]);
  });

  test.each([5, 1000, 7.25])('accepts %d US dollars', async (amount) => {
    expect(await stage.order(await newAccount(), amount)).toMatchObject({ amount });
  });

  test.each([
    [{ amount: 4.99 }, 'amount'],
    [{ amount: 1000.01 }, 'amount'],
    [{ amount: 5.001 }, 'amount'],
    [{ amount: '25' }, 'amount'],
    [{ amount: null }, 'amount'],
    [{}, 'amount'],
    [{ amount: 25, currency: 'eur' }, 'currency'],
  ])('refuses %j with 422 that names the field', async (body, param) => {
    const response = await stage.post('/platform/v1/billing/checkout', await newAccount(), body);
    expect(response.status).toBe(422);
    expect(((await response.json()) as ErrorBody).error).toMatchObject({ code: 'validation_error', param });
  });

  test('is refused with 401 without a key', async () => {
    const response = await stage.ask('/platform/v1/billing/checkout', { body: '{"amount":25}' });
    expect(response.status).toBe(401);
  });

  test('credits nothing when the card is declined, and the page stays open', async () => {
    const account = await newAccount();
    const { url } = await stage.order(account);
    expect(await (await stage.act(url, 'decline')).text()).toContain('declined');
    expect(await stage.balance(account)).toBe(0n);
    await stage.act(url, 'pay');
    expect(await stage.balance(account)).toBe(25n * USD);
  });

  test('by bank transfer is credited when the transfer arrives, and never when it fails', async () => {
    const account = await newAccount();
    const [arriving, failing] = [await stage.order(account, 40), await stage.order(account, 60)];
    await stage.act(arriving.url, 'pay_later');
    await stage.act(failing.url, 'pay_later');
    expect(await stage.balance(account)).toBe(0n);
    await stage.act(failing.url, 'bounce');
    await stage.act(arriving.url, 'clear');
    expect(await stage.balance(account)).toBe(40n * USD);
    const told = `select type, data - 'id' as data from platform_events where workspace_id = $1 and type like 'topup.%' order by type`;
    const failed = { amount_usd: '60', source: 'checkout', reason: expect.any(String) };
    expect((await stage.db.pool.query(told, [account.workspaceId])).rows).toEqual([
      { type: 'topup.failed', data: failed },
      { type: 'topup.succeeded', data: { amount_usd: '40' } },
    ]);
  });
});

describe('a reversed payment', () => {
  test("in part and then completely restores the ledger's sums, with an entry for each part", async () => {
    const account = await newAccount();
    const { url } = await stage.order(account, 30);
    await stage.act(url, 'pay');
    await stage.act(url, 'refund', { usd: '12.50' });
    expect(await stage.balance(account)).toBe((35n * USD) / 2n);
    await stage.act(url, 'refund');
    expect(await entriesOf(account)).toEqual([
      ['topup_refund', -17.5, 0],
      ['topup_refund', -12.5, 17.5],
      ['topup', 30, 30],
    ]);
  });

  test('is credited again when the refund fails', async () => {
    const account = await newAccount();
    const { url } = await stage.order(account, 30);
    await stage.act(url, 'pay');
    await stage.act(url, 'refund', { usd: '10' });
    await stage.act(url, 'fail_refund');
    expect(await stage.balance(account)).toBe(30n * USD);
  });

  test('makes the balance negative after it was spent, and calls are refused with 402', async () => {
    const account = await newAccount();
    const { url } = await stage.order(account, 5);
    await stage.act(url, 'pay');
    const headers = { authorization: `Bearer ${account.secret}` };
    const call = () => stage.ask(chatPath, { headers, body: chatBody() });
    expect((await call()).status).toBe(200);
    await stage.act(url, 'dispute');
    expect(await stage.balance(account)).toBeLessThan(0n);
    // The notice to the process takes a moment.
    await until(async () => (await call()).status === 402);
    expect(((await (await call()).json()) as ErrorBody).error.code).toBe('insufficient_balance');
    await stage.act(url, 'win_dispute');
    expect((await call()).status).toBe(200);
    await expectSoundLedger(stage.db);
  });

  test('stays reversed after a lost dispute', async () => {
    const account = await newAccount();
    const { url } = await stage.order(account, 20);
    await stage.act(url, 'pay');
    await stage.act(url, 'dispute');
    await stage.act(url, 'lose_dispute');
    expect(await stage.balance(account)).toBe(0n);
  });
});

describe('a saved card', () => {
  test('is saved for the workspace, and not charged', async () => {
    const account = await newAccount();
    const response = await stage.post('/platform/v1/billing/card', account, { return_url: 'https://example.com/' });
    const session = (await response.json()) as { url: string; session_id: string };
    expect(session).toEqual({ url: expect.any(String), session_id: expect.stringMatching(/^cs_test_/) });
    const saved = await stage.act(session.url, 'pay');
    expect(saved.headers.get('location')).toBe('https://example.com/');
    const { rows } = await stage.db.pool.query(
      'select customer_id, payment_method_id from payment_customers where workspace_id = $1',
      [account.workspaceId],
    );
    const ids = { customer_id: expect.stringMatching(/^cus_/), payment_method_id: expect.stringMatching(/^pm_/) };
    expect(rows).toEqual([ids]);
    expect(await stage.balance(account)).toBe(0n);
  });

  test('is saved with a new customer where the old one was deleted at Stripe', async () => {
    const account = await newAccount();
    const save = async () => {
      const response = await stage.post('/platform/v1/billing/card', account, {});
      expect(response.status).toBe(200);
      await stage.act(((await response.json()) as { url: string }).url, 'pay');
      const sql = 'select customer_id, payment_method_id from payment_customers where workspace_id = $1';
      return (await stage.db.pool.query<Record<string, string>>(sql, [account.workspaceId])).rows[0]!;
    };
    const before = await save();
    const authorization = `Bearer ${stage.setting.secretKey}`;
    const path = `${stage.payments.url}/v1/customers/${before.customer_id}`;
    expect((await fetch(path, { method: 'DELETE', headers: { authorization } })).status).toBe(200);
    const after = await save();
    expect(after.customer_id).not.toBe(before.customer_id);
    expect(after.payment_method_id).not.toBe(before.payment_method_id);
    expect(await save()).toMatchObject({ customer_id: after.customer_id });
  });

  test('stays the one that was saved last, when the event of an earlier one comes late or twice', async () => {
    const account = await newAccount();
    const { url } = (await (await stage.post('/platform/v1/billing/card', account, {})).json()) as { url: string };
    await stage.act(url, 'pay');
    const read = async () => {
      const sql = `update payment_customers set decline_count = decline_count + 1 where workspace_id = $1
        returning customer_id as customer, payment_method_id as method, decline_count as declines`;
      const { rows } = await stage.db.pool.query(sql, [account.workspaceId]);
      return rows[0] as { customer: string; method: string; declines: number };
    };
    const { customer, method } = await read();
    const card = stage.payments.store.find('payment_method', method)!;
    const saved = async (created: number, paymentMethod: string) => {
      const object = { object: 'setup_intent', customer, payment_method: paymentMethod };
      const event = { object: 'event', type: 'setup_intent.succeeded', livemode: false, created, data: { object } };
      const answer = (await (await stage.send({ id: `evt_${paymentMethod}`, ...event })).json()) as { outcome: string };
      return [answer.outcome, await read()];
    };
    expect(await saved(card.created - 60, 'pm_earlier')).toEqual(['repeated', { customer, method, declines: 2 }]);
    expect(await saved(card.created - 60, method)).toEqual(['repeated', { customer, method, declines: 3 }]);
    const later = { customer, method: 'pm_later', declines: 1 };
    expect(await saved(card.created + 60, 'pm_later')).toEqual(['noted', later]);
    expect(await saved(card.created + 60, 'pm_later')).toEqual(['repeated', { ...later, declines: 2 }]);
  });

  test('that another person switches off stays off when its amount is changed at the same time', async () => {
    const account = await newAccount();
    const auto = { threshold_usd: 10, amount_usd: 25, monthly_cap_usd: 50 };
    const page = await stage.post('/platform/v1/billing/card', account, { auto_topup: auto });
    await stage.act(((await page.json()) as { url: string }).url, 'pay');
    const path = '/platform/v1/billing/auto_topup';
    const asked = { method: 'PATCH', headers: { authorization: `Bearer ${account.secret}` } };
    const other = await stage.db.pool.connect();
    await other.query('begin; set local idle_in_transaction_session_timeout = 0');
    await other.query('update payment_customers set auto_enabled = false where workspace_id = $1', [
      account.workspaceId,
    ]);
    const changing = stage.ask(path, { ...asked, body: '{"amount_usd":30}' });
    await until(async () => (await countLockWaits(stage.db)) > 0);
    await other.query('commit');
    other.release();
    expect(await (await changing).json()).toMatchObject({ enabled: false, amount_usd: 30, threshold_usd: 10 });
  });

  test.each([
    'https://ledgerline.example@evil.example/',
    'https://a:b@evil.example',
    'javascript:alert(1)',
    '/billing',
  ])('refuses to lead back to %s', async (returnUrl) => {
    const response = await stage.post('/platform/v1/billing/card', await newAccount(), { return_url: returnUrl });
    expect([response.status, ((await response.json()) as ErrorBody).error.param]).toEqual([422, 'return_url']);
  });

  test('leads a member back to the console, whatever is sent', async () => {
    const member = await signedInMember();
    const sent = { return_url: 'https://evil.example/' };
    const { body } = await member.post<{ session_id: string }>('card', sent);
    const session = stage.payments.store.find('checkout.session', body.session_id)!;
    const page = 'http://127.0.0.1:0/billing';
    expect([session.success_url, session.cancel_url]).toEqual([page, `${page}?cancelled=1`]);
  });

  test('needs no body; a limit below one payment is refused', async () => {
    const account = await newAccount();
    const headers = { authorization: `Bearer ${account.secret}` };
    expect((await stage.ask('/platform/v1/billing/card', { method: 'POST', headers })).status).toBe(200);
    const auto = { threshold_usd: 10, amount_usd: 25, monthly_cap_usd: 20 };
    const refused = await stage.post('/platform/v1/billing/card', account, { auto_topup: auto });
    expect([refused.status, ((await refused.json()) as ErrorBody).error.param]).toEqual([
      422,
      'auto_topup.monthly_cap_usd',
    ]);
  });
});

test('an installation without payments answers accordingly', async () => {
  const other = await stage.startAnother({ STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' });
  const { secret } = await newAccount();
  const response = await fetch(`${other.url}/platform/v1/billing/checkout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: '{"amount":25}',
  });
  expect([response.status, ((await response.json()) as ErrorBody).error.code]).toEqual([503, 'payments_unavailable']);
});
