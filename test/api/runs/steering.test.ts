import { afterAll, afterEach, expect, test } from '@jest/globals';
import { chatBody, chatPath, told } from '../../support/guardStage.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const places = 2;
let leaving: AbortController;

const stage = await setRunRouteStage();
const { secret } = await stage.account({
  concurrencyLimit: places,
  scopes: ['llm', 'agents', 'batch'],
  creditUsd: '100',
});
const runId = (await stage.create({}, { key: secret })).id;
afterEach(() => leaving.abort());
afterAll(() => stage.close());

const ask = (path: string, more: { method?: string; headers?: Record<string, string>; body?: unknown } = {}) =>
  stage.call(path, { key: secret, ...more });
const follow = (path = `/v1/runs/${runId}/events`) =>
  stage.call(path, { key: secret, headers: { accept: 'text/event-stream' }, signal: leaving.signal });

/** Takes all slots of the key, with streams that continue until the test has ended. */
async function takePlaces(of: 'calls' | 'followers'): Promise<void> {
  leaving = new AbortController();
  const body = chatBody({ stream: true, messages: told({ fault: 'endless', delayMs: 20 }) });
  const open = () =>
    of === 'followers' ? follow() : stage.call(chatPath, { key: secret, body, signal: leaving.signal });
  for (let place = 0; place < places; place += 1) {
    const response = await open();
    expect(response.status).toBe(200);
    await response.body!.getReader().read();
  }
}

const rpc = (method: string, params: object) => ({
  method: 'POST',
  headers: { 'a2a-version': '1.0', accept: 'application/json, text/event-stream' },
  body: { jsonrpc: '2.0', id: 1, method, params },
});

const refused = { status: 429, code: 'concurrency_limit_exceeded' };

test('open event streams leave the places of calls, and have as many of their own', async () => {
  await takePlaces('followers');
  expect(await errorOf(await follow())).toMatchObject(refused);
  expect(await errorOf(await follow(`/platform/v1/requests/req_none/stream`))).toMatchObject(refused);
  // In the protocol's form.
  expect(await errorOf(await follow(`/a2a/tasks/${runId}:subscribe`))).toMatchObject({ status: 429, code: 429 });
  const list = await ask(`/v1/runs/${runId}/events`, { headers: { accept: 'application/json' } });
  expect(list.status).toBe(200);
  const call = await ask(chatPath, { body: chatBody() });
  expect(call.status).toBe(200);
  expect(call.headers.get('x-ratelimit-remaining-concurrency')).toBe(`${places - 1}`);
});

test('a key whose places are all taken can end and continue what it runs', async () => {
  await takePlaces('calls');
  expect(await errorOf(await ask(chatPath, { body: chatBody() }))).toMatchObject(refused);
  expect(await errorOf(await ask(`/v1/runs/${runId}`))).toMatchObject(refused);
  const post = { method: 'POST' };
  const text = { type: 'text', text: 'Yes.' };
  const steering: [string, Parameters<typeof ask>[1]][] = [
    [`/v1/runs/${runId}/input`, { body: text }],
    [`/v1/runs/${runId}`, { method: 'DELETE' }],
    ['/v1/sessions/ses_none/cancel', post],
    ['/v1/batches/batch_none/cancel', post],
    ['/v1/schedules/sched_none/pause', post],
    ['/v1/schedules/sched_none', { method: 'DELETE' }],
    ['/platform/v1/keys/key_none', { method: 'DELETE' }],
    [`/a2a/tasks/task_none:cancel`, { ...post, headers: { 'a2a-version': '1.0' } }],
    ['/a2a', rpc('CancelTask', { id: 'task_none' })],
    [
      '/v1/mcp',
      {
        ...rpc('notifications/cancelled', { requestId: 1 }),
        body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      },
    ],
  ];
  const statuses: [string, boolean][] = [];
  for (const [path, asked] of steering) statuses.push([path, (await ask(path, asked)).status === 429]);
  expect(statuses).toEqual(steering.map(([path]) => [path, false]));
  await read(await ask(`/v1/runs/${runId}/cancel`, post), 202);
});
