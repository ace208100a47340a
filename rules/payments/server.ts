import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stripe } from 'stripe';
import { localUrl } from '../../base/web.ts';
import { addPageFiles } from './pageFiles.ts';
import { pageOf, pagePolicyOf, receiptOf } from './page.ts';
import { ACTIONS, createPayments, eventOf, type Action } from './payments.ts';
import { StripeRefusal } from './refusal.ts';
import { createStripeApi } from './stripeApi.ts';
import { taxSession } from './tax.ts';
import { Store, type StripeObject } from './store.ts';

/** The configuration: where to listen, what signs requests and events, and where events are sent. */
export interface PaymentsSetting {
  host: string;
  port: number;
  secretKey: string;
  webhookSecret: string;
  webhookUrl: string;
  /** The file that stores payments between starts; undefined: they are lost when the process ends. */
  file?: string;
}

export interface TestPayments {
  url: string;
  store: Store;
  /** The events sent so far, each with the status of its answer, or null before one arrives. */
  deliveries: { type: string; status: number | null }[];
  close(): Promise<void>;
}

const RETRY_DELAYS_MS = [200, 1_000, 5_000, 30_000, 120_000];

/**
 * Test payments that implement Stripe's protocol: the API for the platform, a payment page, and signed webhooks, which are retried until
 * they succeed. No money moves.
 */
export async function startTestPayments(setting: PaymentsSetting): Promise<TestPayments> {
  const stopping = new AbortController();
  const deliveries: TestPayments['deliveries'] = [];
  const store = new Store(setting.file);
  let url = '';
  const receiptUrl = (chargeId: string) => `${url}/receipts/${chargeId}`;
  const payments = createPayments(store, (type, object) => void deliver(type, object), receiptUrl);
  const pageUrl = (sessionId: string) => `${url}/pay/${sessionId}`;

  const app = new Koa();
  app.on('error', () => {});
  app.use((ctx, next) => withStripesErrors(ctx, next));
  app.use(createStripeApi(store, payments, { secretKey: setting.secretKey, pageUrl }).routes());
  app.use(pageRoutes(store, payments).routes());
  const server = app.listen(setting.port, setting.host);
  await once(server, 'listening');
  url = localUrl(setting.host, (server.address() as AddressInfo).port);
  return { url, store, deliveries, close };

  /** In event order, unless a first delivery fails. */
  async function deliver(type: string, object: StripeObject): Promise<void> {
    const event = eventOf(type, object, Stripe.API_VERSION, `evt_${randomUUID().replaceAll('-', '')}`);
    const delivery: TestPayments['deliveries'][number] = { type, status: null };
    deliveries.push(delivery);
    const payload = JSON.stringify(event);
    for (const delayMs of RETRY_DELAYS_MS) {
      delivery.status = await send(payload);
      if (delivery.status !== null && delivery.status < 300) return;
      await sleep(delayMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
    }
  }

  async function send(payload: string): Promise<number | null> {
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: setting.webhookSecret });
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
    try {
      const { status } = await fetch(setting.webhookUrl, {
        method: 'POST',
        headers,
        body: payload,
        signal: stopping.signal,
      });
      return status;
    } catch {
      return null;
    }
  }

  async function close(): Promise<void> {
    stopping.abort();
    server.close();
    server.closeAllConnections();
    if (server.listening) await once(server, 'close');
  }
}

function pageRoutes(store: Store, payments: ReturnType<typeof createPayments>): Router {
  const router = addPageFiles(new Router());
  router.get('/pay/:id', (ctx) => show(ctx, sessionOf(ctx)));
  router.post('/pay/:id', async (ctx) => {
    const session = sessionOf(ctx);
    const form = new URLSearchParams(await text(ctx.req));
    const action = ACTIONS.find((one) => one === form.get('action'));
    if (session.status === 'open' && (action === 'pay' || action === 'pay_later')) taxSession(store, session, form);
    if (!action || !payments.act(session, action, Math.round(Number(form.get('usd') ?? 0) * 100)))
      throw new StripeRefusal(400, 'action_unfit', 'This does not fit what has happened to the payment.');
    if (action === 'decline') return show(ctx, session, 'The card was declined. Try another one.');
    // A reload must not repeat the action.
    return ctx.redirect(typeof session.success_url === 'string' && isEnd(action) ? session.success_url : ctx.path);
  });
  router.get('/receipts/:id', (ctx) => {
    const charge = store.find('charge', ctx.params.id!);
    if (!charge) throw new StripeRefusal(404, 'resource_missing', 'There is no such receipt.');
    sendPage(ctx, charge, receiptOf(charge));
  });
  return router;

  function sessionOf(ctx: Context & { params: Record<string, string> }): StripeObject {
    const session = store.find('checkout.session', ctx.params.id!);
    if (session) return session;
    throw new StripeRefusal(404, 'resource_missing', 'There is no such payment.');
  }

  function show(ctx: Context, session: StripeObject, notice?: string): void {
    sendPage(ctx, session, pageOf(session, payments.actionsOf(session), notice));
  }
}

function sendPage(ctx: Context, object: StripeObject, html: string): void {
  ctx.type = 'html';
  ctx.set('content-security-policy', pagePolicyOf(object));
  ctx.set('cache-control', 'no-store');
  ctx.body = html;
}

const isEnd = (action: Action): boolean => action === 'pay' || action === 'pay_later';

async function withStripesErrors(ctx: Context, next: () => Promise<void>): Promise<void> {
  try {
    await next();
    if (ctx.status === 404 && ctx.body === undefined)
      throw new StripeRefusal(404, 'resource_missing', `Unrecognized request URL (${ctx.method}: ${ctx.path}).`);
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    const { status, code, message, param } = error;
    ctx.status = status;
    ctx.body = { error: { type: typeOf(status, code), code, message, param } };
  }
}

function typeOf(status: number, code: string): string {
  if (code === 'idempotency_error') return code;
  return status === 402 ? 'card_error' : 'invalid_request_error';
}
