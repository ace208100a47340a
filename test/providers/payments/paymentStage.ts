import { randomUUID } from 'node:crypto';
import { Stripe } from 'stripe';
import { startTestPayments, type PaymentsSetting } from '../../../rules/payments/server.ts';
import { balanceOf, type makeAccount } from '../../support/account.ts';
import { ask, setGuardStage } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';

export const webhookPath = '/platform/v1/billing/stripe/webhook';
export const USD = 1_000_000_000n;

type Account = Awaited<ReturnType<typeof makeAccount>>;
export type PaymentStage = Awaited<ReturnType<typeof setPaymentStage>>;

/** The API with test payments instead of Stripe; `settings` are more variables of its environment. */
export async function setPaymentStage(settings: Record<string, string> = {}) {
  const setting: PaymentsSetting = {
    host: '127.0.0.1',
    port: 0,
    secretKey: `sk_test_${randomUUID().replaceAll('-', '')}`,
    webhookSecret: `whsec_${randomUUID().replaceAll('-', '')}`,
    webhookUrl: '',
  };
  const payments = await startTestPayments(setting);
  const oldSecret = 'whsec_old';
  const env = {
    STRIPE_SECRET_KEY: setting.secretKey,
    STRIPE_WEBHOOK_SECRET: `${setting.webhookSecret},${oldSecret}`,
    STRIPE_API_URL: payments.url,
    ...settings,
  };
  const stage = await setGuardStage({ env });
  setting.webhookUrl = stage.api.url + webhookPath;
  const headersOf = ({ secret }: { secret: string }) => ({ authorization: `Bearer ${secret}` });

  /** Orders a payment. Returns the answer's raw body. */
  const post = (path: string, account: { secret: string }, body: unknown) =>
    stage.ask(path, { headers: headersOf(account), body: JSON.stringify(body) });

  return {
    ...stage,
    payments,
    setting,
    env,
    oldSecret,
    webhookSecret: setting.webhookSecret,
    post,
    async order(account: Account, amount = 25) {
      const response = await post('/platform/v1/billing/checkout', account, { amount });
      return (await response.json()) as { url: string; session_id: string; amount: number };
    },
    /** Performs an action on a payment's page like a browser, and waits until its events are applied. */
    async act(url: string, action: string, fields: Record<string, string> = {}) {
      const response = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ action, ...fields }),
        redirect: 'manual',
      });
      await until(() => payments.deliveries.every(({ status }) => status === 200));
      return response;
    },
    balance: (account: Account) => balanceOf(stage.db, account.workspaceId),
    /** Sends an event like Stripe, signed with a secret of the installation or another one. */
    send: (event: object, { secret = setting.webhookSecret, atMs = Date.now() } = {}) =>
      sendEvent(stage.api.url, JSON.stringify(event), secret, atMs),
    /** The same with any body. */
    sendText: (payload: string) => sendEvent(stage.api.url, payload, setting.webhookSecret, Date.now()),
    async close() {
      await stage.close();
      await payments.close();
    },
  };
}

function sendEvent(url: string, payload: string, secret: string, atMs: number): Promise<Response> {
  const timestamp = Math.floor(atMs / 1000);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return ask(url, webhookPath, { headers: { 'stripe-signature': signature }, body: payload });
}
