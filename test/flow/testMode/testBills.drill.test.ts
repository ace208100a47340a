import { expect, test } from '@jest/globals';
import { makeAccount } from '../../support/account.ts';
import { publishAgent } from '../../support/agent.ts';
import { ask } from '../../support/guardStage.ts';
import { textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { openWebhookStage } from '../stages/webhookStage.ts';

const stage = await openWebhookStage();

interface Clock {
  status: string;
  now: string;
}

interface Statement {
  month: string;
  opening_balance_usd: number;
  topups_usd: number;
  spend: { product: string; requests: number; cost_usd: number }[];
  spend_usd: number;
  closing_balance_usd: number;
}

interface Timed {
  created_at: string;
}

interface Request {
  started_at: string;
  settled_at: string;
}

interface Usage {
  total: { requests: number; runs: number; cost_usd: number };
}

const DAY_MS = 86_400_000;

/** A workspace with its own agent, and a caller's actions in it. */
async function customer({ isTest = true } = {}) {
  const account = await makeAccount(stage.db, { scopes: ['llm', 'manage'], isTest });
  const agent = await publishAgent(stage.db, {}, account);
  const send = (path: string, body?: object, headers: Record<string, string> = {}) =>
    ask(stage.api.url, path, {
      headers: { authorization: `Bearer ${account.secret}`, ...headers },
      body: body && JSON.stringify(body),
    });
  const call = async <Answer>(path: string, ...more: [object?, Record<string, string>?]): Promise<Answer> => {
    const response = await send(path, ...more);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const chat = () =>
    call<{ created: number }>('/v1/chat/completions', {
      model: textModel,
      messages: [{ role: 'user', content: 'How much is a call?' }],
    });
  const run = () =>
    call<{ id: string } & Record<'created_at' | 'started_at' | 'completed_at', string>>(
      '/v1/runs',
      { agent, input: JSON.stringify({ scripted: { text: 'Done.' } }), max_cost_usd: 0.5 },
      { prefer: 'wait=30' },
    );
  const statement = (month?: string) =>
    call<Statement>(`/platform/v1/billing/statement${month === undefined ? '' : `?month=${month}`}`);
  const textOf = async (path: string) => (await send(path)).text();
  const usage = (month: string) =>
    call<Usage>(`/platform/v1/usage?group_by=day&from=${month}-01&to=${lastDayOf(month)}`);
  const now = async () => Date.parse((await call<Clock>('/platform/v1/test_clock')).now);
  const moveTo = async (to: Date) => {
    await call('/platform/v1/test_clock/advance', { to: to.toISOString() });
    await until(async () => (await call<Clock>('/platform/v1/test_clock')).status === 'ready', { pollMs: 100 });
  };
  return { call, chat, run, statement, textOf, usage, now, moveTo };
}

const lastDayOf = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);
const monthOf = (time: number | string) => new Date(time).toISOString().slice(0, 7);
const nextMonth = (month: string) => new Date(Date.parse(lastDayOf(month)) + DAY_MS);

test('what is spent before the clock passes a month’s end is billed in that month, and the rest in the next', async () => {
  const mine = await customer();
  await mine.call('/platform/v1/billing/checkout', { amount: 5 });
  const first = monthOf(await mine.now());
  await Promise.all([mine.chat(), mine.chat(), mine.run()]);
  const before = await mine.statement();
  await mine.moveTo(nextMonth(first));
  const second = monthOf(await mine.now());
  expect(second).not.toBe(first);
  const answer = await mine.chat();
  const ran = await mine.run();
  await mine.call('/platform/v1/billing/checkout', { amount: 7 });

  const [closed, open] = [await mine.statement(first), await mine.statement()];
  expect(closed).toEqual(before);
  expect(open.month).toBe(second);
  expect([closed.topups_usd, open.topups_usd]).toEqual([expect.any(Number), 7]);
  expect(open.opening_balance_usd).toBe(closed.closing_balance_usd);
  const { balance_usd: balance } = await mine.call<{ balance_usd: number }>('/platform/v1/billing/balance');
  expect(open.closing_balance_usd).toBe(balance);
  const requestsIn = ({ spend }: Statement) =>
    Object.fromEntries(spend.map(({ product, requests }) => [product, requests]));
  expect(requestsIn(closed)).toEqual({ agents: 1, text: 2 });
  expect(requestsIn(open)).toEqual({ agents: 1, text: 1 });
  for (const [month, stated, requests] of [
    [first, closed, 2],
    [second, open, 1],
  ] as const) {
    const { total } = await mine.usage(month);
    expect(total).toMatchObject({ requests, runs: 1 });
    expect(total.cost_usd).toBeCloseTo(stated.spend_usd, 9);
    const csv = await mine.textOf(`/platform/v1/billing/statement?format=csv&month=${month}`);
    expect(csv).toContain(`closing_balance,,,,${stated.closing_balance_usd}`);
    expect(await mine.textOf(`/platform/v1/billing/statement?format=pdf&month=${month}`)).toMatch(/^%PDF/);
  }
  expect(await mine.call('/platform/v1/overview')).toMatchObject({
    spend_month_usd: open.spend_usd,
    spend_last_month_usd: closed.spend_usd,
    requests_last_hour: 1,
    runs_last_hour: 1,
  });

  const { data: entries } = await mine.call<{ data: Timed[] }>('/platform/v1/billing/ledger?limit=100');
  const times = entries.map(({ created_at: at }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(times.filter((at) => at.startsWith(second))).toHaveLength(3);
  const { data: requests } = await mine.call<{ data: Request[] }>('/platform/v1/requests');
  expect(requests.map(({ settled_at: at }) => monthOf(at))).toEqual([second, first, first]);
  for (const { started_at: started, settled_at: settled } of requests)
    expect([monthOf(started), started <= settled]).toEqual([monthOf(settled), true]);
  expect(monthOf(answer.created * 1_000)).toBe(second);
  for (const at of [ran.created_at, ran.started_at, ran.completed_at]) expect(monthOf(at)).toBe(second);
  const { data: topups } = await mine.call<{ data: Timed[] }>('/platform/v1/billing/topups');
  expect(topups.map(({ created_at: at }) => monthOf(at))).toEqual([second, first]);
});

test('calls of several clocks that are billed together are each billed at their own time', async () => {
  const [mine, other, live] = [await customer(), await customer(), await customer({ isTest: false })];
  const month = monthOf(await mine.now());
  await mine.moveTo(nextMonth(month));
  const calls = [mine, other, live].flatMap(({ chat }) => Array.from({ length: 8 }, chat));
  await Promise.all(calls);
  const billed = async ({ statement }: typeof mine, at: string) => (await statement(at)).spend[0]?.requests ?? 0;
  const second = monthOf(nextMonth(month).getTime());
  expect([await billed(mine, month), await billed(mine, second)]).toEqual([0, 8]);
  for (const one of [other, live]) expect([await billed(one, month), await billed(one, second)]).toEqual([8, 0]);
});
