import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, type ErrorBody } from '../support/guardStage.ts';
import { setPaymentStage, USD, webhookPath, type PaymentStage } from './paymentStage.ts';

let stage: PaymentStage;
beforeAll(async () => {
  stage = await setPaymentStage();
});
afterAll(() => stage?.close());

const fiveMinutesMs = 300_000;

/** An order, and its payment event; members of its session may be changed. */
async function paidOrder(changed: object = {}) {
  const account = await stage.account({ balanceNanos: 0n });
  const { session_id: sessionId } = await stage.order(account, 10);
  const session = {
    ...stage.payments.store.find('checkout.session', sessionId)!,
    status: 'complete',
    payment_status: 'paid',
    payment_intent: `pi_${sessionId}`,
    ...changed,
  };
  const event = {
    id: `evt_${sessionId}`,
    object: 'event',
    created: Math.floor(Date.now() / 1000),
    type: 'checkout.session.completed',
    livemode: false,
    data: { object: session },
  };
  return { account, event };
}

const outcomeOf = async (response: Response) => ((await response.json()) as { outcome?: string }).outcome;

describe('an event', () => {
  test('is applied once, however often and by whichever event it arrives', async () => {
    const { account, event } = await paidOrder();
    expect(await outcomeOf(await stage.send(event))).toBe('credited');
    expect(await outcomeOf(await stage.send(event))).toBe('repeated');
    expect(await outcomeOf(await stage.send({ ...event, id: 'evt_another' }))).toBe('repeated');
    const { metadata, payment_intent: id } = event.data.object as unknown as Record<string, string>;
    const intent = {
      id,
      object: 'payment_intent',
      status: 'succeeded',
      amount_received: 1_000,
      currency: 'usd',
      metadata,
    };
    const other = { ...event, id: 'evt_intent', type: 'payment_intent.succeeded' };
    const named = { ...other, data: { object: { ...intent, livemode: false } } };
    expect(await outcomeOf(await stage.send(named))).toBe('repeated');
    expect(await stage.balance(account)).toBe(10n * USD);
  });

  test('sent ten times concurrently is credited once', async () => {
    const { account, event } = await paidOrder();
    const outcomes = await Promise.all(Array.from({ length: 10 }, async () => outcomeOf(await stage.send(event))));
    expect(outcomes.filter((outcome) => outcome === 'credited')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(9);
    expect(await stage.balance(account)).toBe(10n * USD);
  });

  test('signed with the older of two secrets is valid', async () => {
    const { account, event } = await paidOrder();
    expect((await stage.send(event, { secret: stage.oldSecret })).status).toBe(200);
    expect(await stage.balance(account)).toBe(10n * USD);
  });

  test.each([
    ['another amount', { amount_total: 100_000 }],
    ['another currency', { currency: 'jpy' }],
    ['another workspace', { client_reference_id: 'ws_other' }],
    ['another page', { id: 'cs_test_other' }],
    ['live money', { livemode: true }],
  ])('of %s than was ordered credits nothing', async (_name, changed) => {
    const { account, event } = await paidOrder(changed);
    expect(await outcomeOf(await stage.send(event))).toBe('mismatch');
    expect(await stage.balance(account)).toBe(0n);
  });

  test('is unknown for an order that does not exist, and ignored for another product', async () => {
    const unknown = await paidOrder({ metadata: { topup_id: 'top_none' } });
    expect(await outcomeOf(await stage.send(unknown.event))).toBe('unknown');
    const foreign = await paidOrder({ metadata: {} });
    expect(await outcomeOf(await stage.send(foreign.event))).toBe('ignored');
    const type = 'invoice.paid';
    expect(await outcomeOf(await stage.send({ ...foreign.event, type }))).toBe('ignored');
  });

  test('is stored with its result', async () => {
    const { event } = await paidOrder();
    await stage.send(event);
    const { rows } = await stage.db.pool.query('select type, outcome, livemode from payment_events where id = $1', [
      event.id,
    ]);
    expect(rows).toEqual([{ type: event.type, outcome: 'credited', livemode: false }]);
  });
});

describe('a request that is not an event of Stripe', () => {
  const refused = async (response: Response) => {
    const { error } = (await response.json()) as ErrorBody;
    return [response.status, error.code];
  };

  test.each([
    ['another secret', { secret: 'whsec_forged' }],
    ['a signature of six minutes ago', { atMs: Date.now() - fiveMinutesMs - 60_000 }],
    ['a signature of a far future', { atMs: Date.now() + fiveMinutesMs + 600_000 }],
  ])('is refused: %s', async (_name, signing) => {
    const { account, event } = await paidOrder();
    expect(await refused(await stage.send(event, signing))).toEqual([400, 'invalid_signature']);
    expect(await stage.balance(account)).toBe(0n);
  });

  test.each([[undefined], ['t=1,v1=00'], ['nonsense'], ['t=NaN,v1=']])(
    'is refused: the header %j',
    async (signature) => {
      const headers: Record<string, string> = signature === undefined ? {} : { 'stripe-signature': signature };
      const response = await ask(stage.api.url, webhookPath, { headers, body: '{"livemode":false}' });
      expect(await refused(response)).toEqual([400, 'invalid_signature']);
    },
  );

  test('is refused: a body that was changed after it was signed', async () => {
    const { Stripe } = await import('stripe');
    const { account, event } = await paidOrder();
    const payload = JSON.stringify(event);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: stage.webhookSecret });
    const body = payload.replace('"amount_total":1000', '"amount_total":9999');
    expect(body).not.toBe(payload);
    const response = await ask(stage.api.url, webhookPath, { headers: { 'stripe-signature': signature }, body });
    expect(await refused(response)).toEqual([400, 'invalid_signature']);
    expect(await stage.balance(account)).toBe(0n);
  });

  test('is refused: a live event, by an installation with a test key', async () => {
    const { event } = await paidOrder();
    expect(await refused(await stage.send({ ...event, livemode: true }))).toEqual([400, 'wrong_mode']);
  });
});
