import { randomUUID } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import { seedAgents } from '../../db/publishing/houseAgents.ts';
import { startTestPayments, type PaymentsSetting } from '../../rules/payments/server.ts';
import { webhookPath } from '../providers/payments/paymentStage.ts';
import { chatBody, chatPath } from '../support/guardStage.ts';
import { steadyPort } from '../support/network.ts';
import { until } from '../support/until.ts';
import { setConsoleStage, type ConsoleStage } from './consoleStage.ts';

export type ClickStage = Awaited<ReturnType<typeof setClickStage>>;
export type Person = Awaited<ReturnType<ConsoleStage['person']>>;

/** The whole service, with test payments whose pages lead back to it. Each person has a workspace of their own. */
export async function setClickStage() {
  const port = await steadyPort();
  const url = `http://127.0.0.1:${port}`;
  const setting: PaymentsSetting = {
    host: '127.0.0.1',
    port: 0,
    secretKey: `sk_test_${randomUUID().replaceAll('-', '')}`,
    webhookSecret: `whsec_${randomUUID().replaceAll('-', '')}`,
    webhookUrl: url + webhookPath,
  };
  const payments = await startTestPayments(setting);
  const stage = await setConsoleStage({
    PORT: String(port),
    PUBLIC_URL: url,
    STRIPE_SECRET_KEY: setting.secretKey,
    STRIPE_WEBHOOK_SECRET: setting.webhookSecret,
    STRIPE_API_URL: payments.url,
  });
  // Its workspace runs the trials of reviews.
  await seedAgents(stage.db.everywhere);

  /** A key of a person, made without the page. */
  async function keyOf({ send }: Person, name: string): Promise<string> {
    const { body } = await send<{ key: string }>('POST', '/console/v1/keys', { name });
    return body.key;
  }

  const call = (secret: string, members: Record<string, unknown> = {}): Promise<Response> =>
    stage.ask(chatPath, { headers: { authorization: `Bearer ${secret}` }, body: chatBody(members) });

  /** An agent of a person that waits for its review; returns the submission's id. */
  async function submit({ send }: Person, name: string): Promise<string> {
    const path = '/console/v1/publisher/agents';
    const made = await send('POST', path, { namespace: `of-${randomUUID().slice(0, 8)}`, slug: 'agent', name });
    const tagOf = ({ headers }: typeof made) => ({ 'if-match': headers.get('etag')! });
    const changed = await send('PATCH', `${path}/${made.body.id}/draft`, DRAFT, tagOf(made));
    const { body } = await send('POST', `${path}/${made.body.id}/submit-public`, {}, tagOf(changed));
    return body.id;
  }

  /** Resolves once each event of the payments was taken. */
  const paid = () =>
    until(() => payments.deliveries.length > 0 && payments.deliveries.every(({ status }) => status === 200));

  async function close(): Promise<void> {
    await stage.close();
    await payments.close();
  }

  return { ...stage, keyOf, call, submit, paid, close };
}

const DRAFT = {
  description: 'Writes verses.',
  instructions: 'Write four lines about what is asked for.',
  pricing: {
    minimum_cost_usd: 0,
    maximum_cost_usd: 1,
    rates: [{ meter: 'model_output_tokens', price_usd: 0.0000025 }],
  },
  categories: ['writing'],
  example_prompts: ['Rain on a tin roof'],
};

/** What an address of the API answers to the person of a page. */
export async function read<Answer>(context: BrowserContext, path: string): Promise<Answer> {
  const answer = await context.request.get(path);
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}`);
  return (await answer.json()) as Answer;
}
