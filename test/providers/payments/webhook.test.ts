import { afterAll, describe, expect, test } from '@jest/globals';
import { ask, type ErrorBody } from '../../support/guardStage.ts';
import { setPaymentStage, USD, webhookPath } from './paymentStage.ts';

const stage = await setPaymentStage();
afterAll(() => stage.close());

const fiveMinutesMs = 300_000;

/** An order, and its payment event, optionally with changed members of its session. */
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

type Sent = Awaited<ReturnType<typeof paidOrder>>['event']['data']['object'];

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

describe('an event of an unusual shape', () => {
  const alarms = async (id: string) =>
    (await stage.db.pool.query('select outcome from payment_events where id = $1', [id])).rows[0]?.outcome;

  test.each([
    [
      'of Stripe\u2019s second API',
      { object: 'v2.core.event', type: 'v1.billing.meter.error_report_triggered', created: '2026-01-01T00:00:00Z' },
    ],
    [
      'with a related object instead of data',
      {
        object: 'v2.core.event',
        type: 'v2.core.account.updated',
        livemode: false,
        related_object: { id: 'acct_1', type: 'v2.core.account', url: '/v2/core/accounts/acct_1' },
        created: '2026-01-01T00:00:00.000Z',
      },
    ],
    [
      'of a type that is not handled, without data',
      { object: 'event', type: 'invoice.paid', created: 1, livemode: false },
    ],
    ['without a type', { object: 'event', created: 1, livemode: false, data: { object: {} } }],
    [
      'of another product, which has no payment intent',
      {
        object: 'event',
        type: 'charge.refunded',
        created: 1,
        livemode: false,
        data: {
          object: {
            id: 'ch_1',
            object: 'charge',
            amount_refunded: 5,
            currency: 'usd',
            payment_intent: null,
            receipt_url: null,
          },
        },
      },
    ],
    [
      'of another product, without metadata',
      {
        object: 'event',
        type: 'payment_intent.succeeded',
        created: 1,
        livemode: false,
        data: {
          object: {
            id: 'pi_1',
            object: 'payment_intent',
            status: 'succeeded',
            amount_received: 5,
            currency: 'usd',
            livemode: false,
            metadata: null,
          },
        },
      },
    ],
    [
      'of a state that is not known',
      {
        object: 'event',
        type: 'refund.updated',
        created: 1,
        livemode: false,
        data: {
          object: {
            id: 're_1',
            object: 'refund',
            amount: 5,
            currency: 'usd',
            payment_intent: 'pi_1',
            status: 'new_state',
          },
        },
      },
    ],
  ])('is ignored: one %s', async (_name, body) => {
    const response = await stage.send({ id: 'evt_t1', ...body });
    expect([response.status, await outcomeOf(response)]).toEqual([200, 'ignored']);
    expect(await alarms('evt_t1')).toBe('ignored');
  });

  test.each([['null'], ['[]'], ['"event"'], ['7'], ['{}']])('is ignored: %s', async (payload) => {
    const response = await stage.sendText(payload);
    expect([response.status, await outcomeOf(response)]).toEqual([200, 'ignored']);
  });

  test('is refused when it is not JSON', async () => {
    const response = await stage.sendText('{"id":');
    expect([response.status, ((await response.json()) as ErrorBody).error.code]).toEqual([400, 'invalid_json']);
  });

  test.each([
    ['a fraction of a cent', 1_000.5],
    ['a negative amount', -1_000],
    ['no amount', null],
    ['text', '1000'],
    ['more than a balance can be', 1e18],
  ])('alarms and credits nothing: %s', async (_name, amount) => {
    const { account, event } = await paidOrder({ amount_total: amount });
    const response = await stage.send(event);
    expect([response.status, await outcomeOf(response), await alarms(event.id)]).toEqual([200, 'mismatch', 'mismatch']);
    expect(await stage.balance(account)).toBe(0n);
  });

  test.each([
    ['another order\u2019s payment', (paid: Sent) => ({ payment_intent: paid.payment_intent })],
    ['an object where an id belongs', () => ({ payment_intent: { object: 'payment_intent' } })],
    ['a character that no id has', () => ({ payment_intent: 'pi_\0' })],
    ['no mode', () => ({ livemode: null })],
  ])('alarms and credits nothing: %s', async (_name, changed) => {
    const paid = await paidOrder();
    expect(await outcomeOf(await stage.send(paid.event))).toBe('credited');
    const { account, event } = await paidOrder(changed(paid.event.data.object));
    const response = await stage.send(event);
    expect([response.status, await outcomeOf(response)]).toEqual([200, 'mismatch']);
    expect([await stage.balance(account), await stage.balance(paid.account)]).toEqual([0n, 10n * USD]);
  });

  test('alarms and takes nothing: a refund of an odd amount, or of an odd time', async () => {
    const { account, event } = await paidOrder();
    await stage.send(event);
    const refund = { id: 're_odd', object: 'refund', currency: 'usd', status: 'succeeded', amount: 100 };
    const payment = { payment_intent: event.data.object.payment_intent };
    const sent = (object: object, members: object = {}) =>
      stage.send({
        ...event,
        id: 'evt_odd',
        type: 'refund.created',
        ...members,
        data: { object: { ...refund, ...payment, ...object } },
      });
    const odd = [{ amount: 0.5 }, { amount: -100 }, { amount: null }, { currency: null }].map((object) => sent(object));
    const times = ['2026-01-01T00:00:00Z', 1e300, -1, null].map((created) => sent({}, { created }));
    for (const response of await Promise.all([...odd, ...times]))
      expect([response.status, await outcomeOf(response)]).toEqual([200, 'mismatch']);
    expect(await stage.balance(account)).toBe(10n * USD);
    expect(await outcomeOf(await sent({}))).toBe('noted');
    expect(await stage.balance(account)).toBe(9n * USD);
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
