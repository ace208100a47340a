import { expect, test } from '@jest/globals';
import { RETRY_DELAYS_MS } from '../../../db/webhooks/attempts.ts';
import { makeAccount } from '../../support/account.ts';
import { publishAgent } from '../../support/agent.ts';
import { ask } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';
import { eventIn, openWebhookStage } from '../stages/webhookStage.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

interface Run {
  id: string;
  status: string;
  started_at: string | null;
  status_reason: string | null;
}

interface Clock {
  status: 'ready' | 'advancing';
  now: string;
  target: string;
  ahead_seconds: number;
}

interface Schedule {
  id: string;
  recent: { scheduled_at: string; run_id: string; run_status: string }[];
}

const stage = await openWebhookStage();

/** A workspace with its own agent, and calls by its key. */
async function owner({ isTest = true, tools = [] as string[] } = {}) {
  const account = await makeAccount(stage.db, { scopes: ['llm', 'manage'], isTest });
  const agent = await publishAgent(stage.db, { tools }, account);
  const call = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${account.secret}` };
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await ask(stage.api.url, path, { headers, ...sent });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const run = (order: object = {}, scripted: object = { text: 'Done.' }) =>
    call<Run>('/v1/runs', { agent, input: JSON.stringify({ scripted }), max_cost_usd: 0.5, ...order });
  const read = (id: string) => call<Run>(`/v1/runs/${id}`);
  const clock = () => call<Clock>('/platform/v1/test_clock');
  const advance = (body: object) => call<Clock>('/platform/v1/test_clock/advance', body);
  const untilReady = async (): Promise<Clock> => {
    let now = await clock();
    await until(async () => (now = await clock()).status === 'ready', { timeoutMs: 120_000, pollMs: 100 });
    return now;
  };
  return { ...account, agent, call, run, read, clock, advance, untilReady };
}

const DAILY = { every_seconds: DAY_SECONDS };

test('a move runs what waits, in its order, and leaves live workspaces alone', async () => {
  const [mine, live] = [await owner(), await owner({ isTest: false })];
  const schedule = (by: typeof mine) =>
    by.call<Schedule>('/v1/schedules', { ...DAILY, run: { agent: by.agent, input: 'Hello.', max_cost_usd: 0.5 } });
  const [late, early, other] = [
    await mine.run({ start_after_seconds: 60 * HOUR_SECONDS }),
    await mine.run({ start_after_seconds: HOUR_SECONDS / 60 }),
    await live.run({ start_after_seconds: HOUR_SECONDS }),
  ];
  const [{ id }, { id: liveId }] = [await schedule(mine), await schedule(live)];
  const from = Date.parse((await mine.clock()).now);
  const moved = await mine.advance({ seconds: 3 * DAY_SECONDS });
  expect(moved).toMatchObject({ status: 'advancing' });
  const ready = await mine.untilReady();
  expect(ready).toMatchObject({ ahead_seconds: 3 * DAY_SECONDS });
  const { recent } = await mine.call<Schedule>(`/v1/schedules/${id}`);
  expect(recent.map(({ run_status: status }) => status)).toEqual(Array(3).fill('completed'));
  const planned = recent.map(({ scheduled_at: at }) => Date.parse(at)).toReversed();
  const midnight = (Math.floor(from / 1_000 / DAY_SECONDS) + 1) * DAY_SECONDS * 1_000;
  expect(planned).toEqual([0, 1, 2].map((day) => midnight + day * DAY_SECONDS * 1_000));
  const scheduled = recent.toReversed().map(({ run_id: runId }, at) => ({ id: runId, at: planned[at]! }));
  const waits = [
    { id: early.id, at: from + 60_000 },
    ...scheduled,
    { id: late.id, at: from + 60 * HOUR_SECONDS * 1_000 },
  ].toSorted((one, next) => one.at - next.at);
  const runs = await Promise.all(waits.map((wait) => mine.read(wait.id)));
  expect(runs.map(({ status }) => status)).toEqual(Array(5).fill('completed'));
  const starts = runs.map(({ started_at: at }) => at!);
  expect(starts).toEqual(starts.toSorted());
  expect(await live.read(other.id)).toMatchObject({ status: 'queued', started_at: null });
  expect((await live.call<Schedule>(`/v1/schedules/${liveId}`)).recent).toEqual([]);
});

test('what is due at the end of a move has been done once the clock is ready', async () => {
  const mine = await owner();
  const { id } = await mine.run({ start_after_seconds: HOUR_SECONDS }, { text: 'Done.', headDelayMs: 1_000 });
  await mine.advance({ seconds: HOUR_SECONDS });
  await mine.untilReady();
  expect(await mine.read(id)).toMatchObject({ status: 'completed' });
});

test('a move makes the attempts of a webhook, until one is accepted', async () => {
  const mine = await owner();
  const receiver = await stage.makeReceiver();
  receiver.answer = (response) => void response.writeHead(receiver.received.length < 5 ? 500 : 204).end();
  await mine.call('/platform/v1/webhook_endpoints', { url: receiver.url, event_types: ['run.completed'] });
  const { id } = await mine.run();
  await until(async () => receiver.received.length === 1);
  await mine.advance({ seconds: Math.ceil((RETRY_DELAYS_MS.slice(0, 5).reduce((sum, ms) => sum + ms) * 1.2) / 1_000) });
  await mine.untilReady();
  expect(receiver.received.map((request) => eventIn(request).type)).toEqual(Array(5).fill('run.completed'));
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(receiver.received[0]!.body).toContain(id);
});

test('a question that has no answer by its time ends its run', async () => {
  const mine = await owner({ tools: ['ask_user'] });
  const question = { name: 'ask_user', arguments: JSON.stringify({ question: 'Which colour?' }) };
  const { id } = await mine.run({}, { toolCalls: [question] });
  await until(async () => (await mine.read(id)).status === 'requires_action', { pollMs: 50 });
  await mine.advance({ seconds: DAY_SECONDS / 2 });
  await mine.untilReady();
  expect(await mine.read(id)).toMatchObject({ status: 'requires_action' });
  await mine.advance({ seconds: 30 * DAY_SECONDS });
  await mine.untilReady();
  expect(await mine.read(id)).toMatchObject({ status: 'limit_reached' });
});

test('a question is answered after a move, and the run still has its whole time', async () => {
  const mine = await owner({ tools: ['ask_user'] });
  const question = [{ name: 'ask_user', arguments: JSON.stringify({ question: 'Which colour?' }) }];
  const turns = [{ toolCalls: question }, { text: 'Blue it is.' }];
  const { id } = await mine.run({ timeout_seconds: 60 }, { turns });
  await until(async () => (await mine.read(id)).status === 'requires_action', { pollMs: 50 });
  await mine.advance({ seconds: DAY_SECONDS / 2 });
  await mine.untilReady();
  await mine.call(`/v1/runs/${id}/input`, { type: 'text', text: 'Blue.' });
  const open = ['requires_action', 'in_progress'];
  await until(async () => !open.includes((await mine.read(id)).status), { pollMs: 50 });
  expect(await mine.read(id)).toMatchObject({ status: 'completed' });
});

test('a move goes on when a worker is back, and its repetition does nothing', async () => {
  const mine = await owner();
  const runs = [await mine.run({ start_after_seconds: HOUR_SECONDS }), await mine.run({ start_after_seconds: 7_200 })];
  let target = '';
  await stage.withoutWorker(async () => {
    const moved = await mine.advance({ seconds: DAY_SECONDS });
    expect(moved).toMatchObject({ status: 'advancing', ahead_seconds: 0 });
    target = moved.target;
    expect(await mine.advance({ to: target })).toMatchObject({ status: 'advancing' });
  });
  const ready = await mine.untilReady();
  expect(ready.ahead_seconds).toBeGreaterThanOrEqual(DAY_SECONDS - 1);
  expect(ready.ahead_seconds).toBeLessThanOrEqual(DAY_SECONDS);
  for (const { id } of runs) expect(await mine.read(id)).toMatchObject({ status: 'completed' });
  const { data } = await mine.call<{ data: Run[] }>('/v1/runs');
  expect(data.map(({ id }) => id).toSorted()).toEqual(runs.map(({ id }) => id).toSorted());
});
