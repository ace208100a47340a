import { afterAll, expect, test } from '@jest/globals';
import { untilAnswered } from '../../support/until.ts';
import { setMoneyStage } from '../stages/moneyStage.ts';

const stage = await setMoneyStage();
const send = (secret: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(stage.urls()[0] + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });
async function call(...sent: Parameters<typeof send>) {
  const response = await send(...sent);
  return { status: response.status, body: await response.json() };
}

const live = await stage.account({ scopes: ['manage'] });
const { key } = (await call(live.secret, '/console/v1/keys', { name: 'ci', mode: 'test' })).body as { key: string };
afterAll(() => stage.close());

async function pay(amount: number, once: string) {
  const headers = { 'idempotency-key': once };
  const response = await untilAnswered(() => send(key, '/platform/v1/billing/checkout', { amount }, headers));
  return { status: response.status, body: await response.json() };
}

const balance = async () =>
  ((await call(key, '/platform/v1/billing/balance')).body as { balance_usd: number }).balance_usd;

test('a payment is made once for one Idempotency-Key, however often and at once it is ordered', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => pay(7, 'pay-once')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect((await pay(8, 'pay-once')).body).toMatchObject({ error: { code: 'idempotency_conflict' } });
  expect(await balance()).toBe(7);
});

test('a payment whose answer was lost is not made again by its retry', async () => {
  const before = await balance();
  const { body } = await pay(6, 'pay-lost');
  // As a process leaves it that was killed before it stored the answer.
  const lost =
    'update idempotency_keys set status = null, headers = null, body = null, running_until = now() where key = $1';
  await stage.db.pool.query(lost, ['pay-lost']);
  expect((await pay(6, 'pay-lost')).body).toEqual(body);
  expect(await balance()).toBe(before + 6);
});

test('a declined payment is no payment: the same Idempotency-Key may order another', async () => {
  const before = await balance();
  expect((await pay(5.02, 'pay-more')).body).toMatchObject({ error: { code: 'card_declined' } });
  expect((await pay(5, 'pay-more')).status).toBe(200);
  expect(await balance()).toBe(before + 5);
});
