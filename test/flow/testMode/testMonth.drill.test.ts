import { expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { Webhook } from 'standardwebhooks';
import { makeAccount } from '../../support/account.ts';
import { publishAgent } from '../../support/agent.ts';
import { ask } from '../../support/guardStage.ts';
import { textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { eventIn, openWebhookStage, type Endpoint } from '../stages/webhookStage.ts';

const DAY_SECONDS = 86_400;

const stage = await openWebhookStage();

interface Run {
  id: string;
  status: string;
}

interface Clock {
  status: string;
  now: string;
}

interface Schedule {
  id: string;
  recent: { scheduled_at: string; run_status: string }[];
}

interface Statement {
  opening_balance_usd: number;
  topups_usd: number;
  spend_usd: number;
  closing_balance_usd: number;
}

const caller =
  (secret: string) =>
  async <Answer>(path: string, body?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${secret}` };
    const response = await ask(stage.api.url, path, { headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };

/** A customer with a live key, and their CI's test key with test money, and an agent. */
async function customer() {
  const live = await makeAccount(stage.db, { scopes: ['manage'] });
  const callLive = caller(live.secret);
  const testKey = async (more: object = {}): Promise<string> =>
    (await callLive<{ key: string }>('/console/v1/keys', { name: 'ci', mode: 'test', ...more })).key;
  const secret = await testKey();
  const [call, manage] = [caller(secret), caller(await testKey({ scopes: ['manage'] }))];
  await call('/platform/v1/billing/checkout', { amount: 20 });
  const { rows } = await stage.db.pool.query<{ id: string }>('select id from workspaces where live_workspace_id = $1', [
    live.workspaceId,
  ]);
  const agent = await publishAgent(stage.db, { tools: ['ask_user'] }, { ...live, workspaceId: rows[0]!.id });
  const run = (scripted: object, more: object = {}) =>
    call<Run>('/v1/runs', { agent, input: JSON.stringify({ scripted }), max_cost_usd: 0.5, ...more });
  const client = (apiKey: string) => new OpenAI({ baseURL: `${stage.api.url}/v1`, apiKey, maxRetries: 0 });
  return { callLive, testKey, call, manage, agent, run, client, secret };
}

/** Moves the clock to a time, and waits until all work due until then has ended. */
async function moveTo({ call }: Pick<Awaited<ReturnType<typeof customer>>, 'call'>, to: string): Promise<void> {
  await call('/platform/v1/test_clock/advance', { to });
  await until(async () => (await call<Clock>('/platform/v1/test_clock')).status === 'ready', { pollMs: 200 });
}

/** The months from one time to another, `YYYY-MM`. */
function monthsFrom(from: Date, to: Date): string[] {
  const months: string[] = [];
  for (let at = Date.UTC(from.getUTCFullYear(), from.getUTCMonth()); at <= to.getTime();) {
    const month = new Date(at);
    months.push(month.toISOString().slice(0, 7));
    at = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1);
  }
  return months;
}

const QUESTION = { messages: [{ role: 'user' as const, content: 'How much is a call?' }], model: textModel };
const ASK_USER = {
  toolCalls: [{ name: 'ask_user', arguments: JSON.stringify({ question: 'Which colour?' }) }],
};

test("a customer's month passes in a test workspace, and nothing of it in the live one", async () => {
  const mine = await customer();
  const { call } = mine;
  const receiver = await stage.makeReceiver();
  receiver.answer = (response) => void response.writeHead(receiver.received.length < 3 ? 503 : 204).end();
  const endpoint = await mine.manage<Endpoint>('/platform/v1/webhook_endpoints', {
    url: receiver.url,
    event_types: ['run.completed'],
  });

  const monthly = mine.client(await mine.testKey({ spend_limit: 0.0005, spend_limit_period: 'monthly' }));
  await until(() =>
    monthly.chat.completions.create(QUESTION).then(
      () => false,
      (error: { status: number }) => error.status === 402,
    ),
  );
  const file = await mine.client(mine.secret).files.create({
    file: new File(['{}'], 'calls.jsonl'),
    purpose: 'batch',
    expires_after: { anchor: 'created_at', seconds: 10 * DAY_SECONDS },
  });
  const waiting = await mine.run({ text: 'Done.' }, { start_after_seconds: 3 * DAY_SECONDS });
  const asking = await mine.run(ASK_USER);
  await until(async () => (await call<Run>(`/v1/runs/${asking.id}`)).status === 'requires_action');
  const weekly = { cron: '0 9 * * 1', run: { agent: mine.agent, input: 'Hello.', max_cost_usd: 0.5 } };
  const schedule = await call<Schedule>('/v1/schedules', weekly);

  const from = new Date((await call<Clock>('/platform/v1/test_clock')).now);
  const monthEnd = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
  const end = new Date(from.getTime() + 35 * DAY_SECONDS * 1_000);
  await moveTo(mine, new Date(monthEnd.getTime() + 1_000).toISOString());
  expect((await monthly.chat.completions.create(QUESTION)).choices).toHaveLength(1);
  await moveTo(mine, end.toISOString());

  expect(await call(`/v1/runs/${waiting.id}`)).toMatchObject({ status: 'completed' });
  expect(await call(`/v1/runs/${asking.id}`)).toMatchObject({ status: 'limit_reached' });
  await expect(mine.client(mine.secret).files.retrieve(file.id)).rejects.toMatchObject({ status: 404 });
  const { recent } = await call<Schedule>(`/v1/schedules/${schedule.id}`);
  expect(recent.map(({ run_status: status }) => status)).toEqual(Array(5).fill('completed'));
  for (const { scheduled_at: at } of recent) {
    const time = new Date(at);
    expect([time.getUTCDay(), time.getUTCHours()]).toEqual([1, 9]);
  }

  const signed = new Webhook(endpoint.secret);
  const events = receiver.received.map((request) => {
    signed.verify(request.body, request.headers as Record<string, string>);
    return eventIn(request);
  });
  expect(new Set(events.map(({ id }) => id)).size).toBe(1 + recent.length);
  expect(events).toHaveLength(2 + 1 + recent.length);

  // Each month by the test clock opens where the previous one closed.
  let balanceUsd = 0;
  for (const month of monthsFrom(from, end)) {
    const stated = await call<Statement>(`/platform/v1/billing/statement?month=${month}`);
    const { opening_balance_usd, topups_usd, spend_usd, closing_balance_usd } = stated;
    expect([opening_balance_usd, topups_usd]).toEqual([balanceUsd, balanceUsd === 0 ? 20 : 0]);
    expect(closing_balance_usd).toBeCloseTo(opening_balance_usd + topups_usd - spend_usd, 9);
    balanceUsd = closing_balance_usd;
  }
  expect(await call('/platform/v1/billing/balance')).toMatchObject({ balance_usd: balanceUsd });
  expect(balanceUsd).toBeLessThan(20);
  expect(await mine.callLive('/platform/v1/billing/statement')).toMatchObject({ topups_usd: 10, spend_usd: 0 });
});
