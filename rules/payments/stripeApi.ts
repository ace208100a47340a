import { Router } from '@koa/router';
import type { Context } from 'koa';
import { text } from 'node:stream/consumers';
import { DECLINING_CARD, type createPayments } from './payments.ts';
import { StripeRefusal } from './refusal.ts';
import { checkTaxedSession, createCalculation, isOn } from './tax.ts';
import type { Members, Store, StripeObject } from './store.ts';

const missing = (param: string) =>
  new StripeRefusal(400, 'parameter_missing', `Missing required param: ${param}.`, param);

/** The routes of Stripe's API that the platform uses. `pageUrl` is the address of a session's page. */
export function createStripeApi(
  store: Store,
  payments: ReturnType<typeof createPayments>,
  { secretKey, pageUrl }: { secretKey: string; pageUrl: (sessionId: string) => string },
): Router {
  const router = new Router({ prefix: '/v1' });
  const readForm = createFormReader();
  router.use(async (ctx, next) => {
    if (ctx.get('authorization') !== `Bearer ${secretKey}`)
      throw new StripeRefusal(401, 'api_key_invalid', 'Invalid API Key provided.');
    return next();
  });

  router.post('/checkout/sessions', async (ctx) => {
    ctx.body = createSession(store, await readForm(ctx), { pageUrl, idempotencyKey: keyOf(ctx) });
  });
  router.post('/checkout/sessions/:id/expire', (ctx) => {
    const session = found(store, 'checkout.session', ctx.params.id!);
    if (!payments.act(session, 'expire'))
      throw new StripeRefusal(
        400,
        'resource_missing',
        'Only Checkout Sessions with a status in ["open"] can be expired.',
      );
    ctx.body = session;
  });
  router.post('/customers', async (ctx) => {
    const { metadata = {}, email = null } = await readForm(ctx);
    ctx.body = store.create('customer', 'cus', { metadata, email }, keyOf(ctx));
  });
  router.post('/customers/:id', async (ctx) => {
    ctx.body = store.change(found(store, 'customer', ctx.params.id!), await readForm(ctx));
  });
  router.delete('/customers/:id', (ctx) => {
    ctx.body = payments.deleteCustomer(found(store, 'customer', ctx.params.id!));
  });
  router.post('/tax/calculations', async (ctx) => {
    ctx.body = createCalculation(store, await readForm(ctx), keyOf(ctx));
  });
  router.post('/payment_intents', async (ctx) => {
    ctx.body = await payBySavedCard(ctx);
  });
  router.post('/refunds', async (ctx) => {
    const { payment_intent: intent, amount, metadata = {} } = await readForm(ctx);
    if (typeof intent !== 'string') throw missing('payment_intent');
    if (store.find('payment_intent', intent)?.status !== 'succeeded') throw notFound('payment_intent', intent);
    ctx.body = payments.refund(intent, Number(amount ?? 0), { metadata }, keyOf(ctx));
  });
  const readable = {
    'checkout/sessions': 'checkout.session',
    payment_intents: 'payment_intent',
    charges: 'charge',
    refunds: 'refund',
    disputes: 'dispute',
    setup_intents: 'setup_intent',
    payment_methods: 'payment_method',
  };
  for (const [path, kind] of Object.entries(readable)) {
    router.get(`/${path}/:id`, (ctx) => {
      ctx.body = found(store, kind, ctx.params.id!);
    });
    router.get(`/${path}`, (ctx) => {
      ctx.body = pageOf(store, kind, `/v1/${path}`, ctx.query);
    });
  }
  return router;

  async function payBySavedCard(ctx: Context): Promise<StripeObject> {
    const { amount, currency, customer, payment_method: method, metadata = {}, confirm, hooks } = await readForm(ctx);
    if (amount === undefined) throw missing('amount');
    if (currency === undefined) throw missing('currency');
    checkCustomer(store, customer);
    const members = { amount: Number(amount), currency, customer, payment_method: method, metadata, hooks };
    const intent = payments.createIntent(members, keyOf(ctx));
    if (confirm !== 'true' || intent.status === 'succeeded') return intent;
    const { card } = found(store, 'payment_method', String(method)) as { card?: { last4: string } };
    if (card?.last4 === DECLINING_CARD) {
      store.change(intent, { status: 'requires_payment_method' });
      throw new StripeRefusal(402, 'card_declined', 'Your card was declined.');
    }
    return payments.succeed(intent);
  }
}

function createSession(
  store: Store,
  form: Members,
  { pageUrl, idempotencyKey }: { pageUrl: (id: string) => string; idempotencyKey: string | undefined },
): StripeObject {
  const { mode, line_items: items, success_url: successUrl } = form;
  if (mode !== 'payment' && mode !== 'setup') throw missing('mode');
  if (typeof successUrl !== 'string') throw missing('success_url');
  checkCustomer(store, form.customer);
  checkTaxedSession(form);
  const amount = mode === 'payment' ? amountOf(items) : null;
  const session = store.create(
    'checkout.session',
    'cs_test',
    {
      mode,
      status: 'open',
      payment_status: mode === 'payment' ? 'unpaid' : 'no_payment_required',
      amount_total: amount,
      amount_subtotal: amount,
      total_details: amount === null ? null : { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      automatic_tax: { enabled: isOn(form.automatic_tax), status: null },
      tax_id_collection: { enabled: isOn(form.tax_id_collection) },
      customer_details: null,
      currency: 'usd',
      client_reference_id: form.client_reference_id ?? null,
      customer: form.customer ?? null,
      metadata: form.metadata ?? {},
      payment_intent: null,
      payment_intent_data: form.payment_intent_data ?? {},
      setup_intent: null,
      setup_intent_data: form.setup_intent_data ?? {},
      success_url: successUrl,
      cancel_url: form.cancel_url ?? null,
    },
    idempotencyKey,
  );
  return session.url === undefined ? store.change(session, { url: pageUrl(session.id) }) : session;
}

function amountOf(items: unknown): number {
  const [item] = Object.values(
    (items ?? {}) as Record<string, { quantity?: string; price_data?: { unit_amount?: string } }>,
  );
  const cents = Number(item?.price_data?.unit_amount) * Number(item?.quantity ?? 1);
  if (!Number.isInteger(cents) || cents < 50) throw missing('line_items[0][price_data][unit_amount]');
  return cents;
}

function found(store: Store, kind: string, id: string): StripeObject {
  const object = store.find(kind, id);
  if (object && object.deleted !== true) return object;
  throw notFound(kind, id);
}

/** Refuses a customer that was deleted, or never was. */
function checkCustomer(store: Store, id: unknown): void {
  const object = store.find('customer', String(id));
  if (id !== undefined && (!object || object.deleted === true))
    throw new StripeRefusal(400, 'resource_missing', `No such customer: '${id as string}'`, 'customer');
}

const notFound = (kind: string, id: string) =>
  new StripeRefusal(404, 'resource_missing', `No such ${kind}: '${id}'`, 'id');

const PAGE_SIZE = 10;

/** A page of a list, newest first, by Stripe's cursors and by creation time. */
function pageOf(store: Store, kind: string, url: string, query: Context['query']): object {
  const since = Number(query['created[gte]'] ?? 0);
  const all = store.list(kind, ({ created }) => created >= since);
  const start = query.starting_after === undefined ? 0 : all.findIndex(({ id }) => id === query.starting_after) + 1;
  const end = start + Number(query.limit ?? PAGE_SIZE);
  return { object: 'list', url, data: all.slice(start, end), has_more: end < all.length };
}

const keyOf = (ctx: Context): string | undefined => ctx.get('idempotency-key') || undefined;

/** Reads forms. One whose idempotency key came with another form is refused, as by Stripe. */
function createFormReader(): (ctx: Context) => Promise<Members> {
  const known = new Map<string, string>();
  return async (ctx) => {
    const sent = await text(ctx.req);
    const key = keyOf(ctx);
    if (key !== undefined && (known.get(key) ?? sent) !== sent)
      throw new StripeRefusal(
        400,
        'idempotency_error',
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`,
      );
    if (key !== undefined) known.set(key, sent);
    return formOf(sent);
  };
}

/** A form body with names like `line_items[0][price_data][currency]`, as an object. */
function formOf(sent: string): Members {
  const form: Members = {};
  for (const [name, value] of new URLSearchParams(sent)) {
    const [first, ...rest] = name.replaceAll(']', '').split('[');
    let place = form;
    let last = first!;
    for (const step of rest) {
      place = (Object.hasOwn(place, last) ? place[last] : (place[last] = {})) as Members;
      last = step;
    }
    if (last !== '__proto__') place[last] = value;
  }
  return form;
}
