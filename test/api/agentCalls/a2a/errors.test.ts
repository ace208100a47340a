import { afterAll, expect, test } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { Client } from 'pg';
import type { OpenApiDocument } from '../../../../api/docs/openapi/schemas.ts';
import { MessageRequest } from '../../../../api/agentCalls/a2a/message.ts';
import { ownerUrlOf } from '../../../support/database.ts';
import { createComparison } from '../../../support/documented.ts';
import { analyst, setRunRouteStage, writer } from '../../../support/runRouteStage.ts';
import { until } from '../../../support/until.ts';

const stage = await setRunRouteStage();
const comparison = createComparison((await (await stage.ask('/openapi.json')).json()) as OpenApiDocument);
afterAll(() => stage.close());

const base = `/a2a/${writer}`;
const message = (messageId: string, text: string) => ({
  message: { messageId, parts: [{ text }] },
  configuration: { returnImmediately: true },
});

interface Status {
  error: { code: number; status: string; message: string; details: { reason: string; metadata: { code: string } }[] };
}

/** Sends a request whose answer must match the documentation. Returns its status and its error's values. */
async function ask(method: string, path: string, asked: { key?: string; body?: unknown; headers?: object } = {}) {
  const { headers = {}, ...rest } = asked;
  const response = await stage.call(path, { method, ...rest, headers: headers as Record<string, string> });
  expect(await comparison.differences(method, path, response)).toEqual([]);
  if (response.status < 400) return { status: response.status };
  const { error } = (await response.json()) as Status;
  const [{ reason, metadata }] = error.details as [Status['error']['details'][0]];
  expect({ code: error.code, isSaid: error.message.length > 0 }).toEqual({ code: response.status, isSaid: true });
  return { status: response.status, rpc: error.status, reason, code: metadata.code };
}

test('every refusal of the HTTP binding is a google.rpc.Status, as the document says', async () => {
  const run = await stage.create();
  await stage.call(`/v1/runs/${run.id}/cancel`, { body: {} });
  const { secret: scopeless } = await stage.account({ scopes: ['voice'] });
  const { secret: poor } = await stage.account({ scopes: ['agents'], creditUsd: '0' });
  const { secret: slow } = await stage.account({ scopes: ['agents'], rpmLimit: 1 });
  await ask('GET', `${base}/tasks`, { key: slow });
  const task = `${base}/tasks/${run.id}`;
  const ended = { status: 400, rpc: 'FAILED_PRECONDITION', reason: 'UNSUPPORTED_OPERATION' };
  expect([
    await ask('GET', `${base}/tasks`, { key: 'sk_live_wrong' }),
    await ask('GET', `${base}/tasks`, { key: scopeless }),
    await ask('GET', `${base}/tasks`, { key: slow }),
    await ask('POST', `${base}/message:send`, { key: poor, body: message('poor', 'Hello.') }),
    await ask('GET', '/a2a/nobody/none/tasks'),
    await ask('GET', `${base}/tasks?pageSize=0`),
    await ask('GET', `${base}/tasks?pageSize=0x5`),
    await ask('GET', `${base}/tasks/run_none`),
    await ask('GET', `${base}/tasks/!`),
    await ask('GET', `${task}:subscribe`),
    await ask('POST', `${task}:subscribe`),
    await ask('GET', `${base}/tasks`, { headers: { 'a2a-version': '2.0' } }),
    await ask('POST', `${base}/message:send`, { body: 'no JSON' }),
    await ask('POST', `${base}/message:send`, { body: {}, headers: { 'content-type': 'text/plain' } }),
    await ask('GET', `${base}/extendedAgentCard`),
    await ask('GET', `${task}/pushNotificationConfigs`),
  ]).toMatchObject([
    { status: 401, rpc: 'UNAUTHENTICATED', code: 'invalid_api_key' },
    { status: 403, rpc: 'PERMISSION_DENIED', code: 'scope_not_allowed' },
    { status: 429, rpc: 'RESOURCE_EXHAUSTED', code: 'rate_limit_exceeded' },
    { status: 402, rpc: 'FAILED_PRECONDITION', code: 'insufficient_balance' },
    { status: 404, rpc: 'NOT_FOUND', code: 'agent_not_found' },
    { status: 400, rpc: 'INVALID_ARGUMENT', reason: 'INVALID_PARAMS' },
    { status: 400, rpc: 'INVALID_ARGUMENT', reason: 'INVALID_PARAMS' },
    { status: 404, rpc: 'NOT_FOUND', reason: 'TASK_NOT_FOUND' },
    { status: 404, rpc: 'NOT_FOUND', reason: 'TASK_NOT_FOUND' },
    ended,
    ended,
    { status: 400, reason: 'VERSION_NOT_SUPPORTED' },
    { status: 400, rpc: 'INVALID_ARGUMENT' },
    { status: 415, rpc: 'INVALID_ARGUMENT' },
    { status: 400, reason: 'UNSUPPORTED_OPERATION' },
    { status: 400, reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED' },
  ]);
});

test('a file without a byte is taken, and what is no base64 is refused', async () => {
  const send = (raw: string) => {
    const parts = [{ text: 'Read it.' }, { raw, filename: 'empty.txt', mediaType: 'text/plain' }];
    const body = { ...message(`raw ${raw}`, ''), message: { messageId: `raw ${raw}`, parts } };
    return ask('POST', `/a2a/${analyst}/message:send`, { body });
  };
  expect(await send('')).toEqual({ status: 200 });
  for (const raw of ['A', '=', '==', '!!!'])
    expect(await send(raw)).toMatchObject({ status: 400, reason: 'INVALID_PARAMS' });
});

test('numbers and states of tasks are valid, or are refused by their names', async () => {
  const run = await stage.create();
  const rpc = async (method: string, params: object) => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const answer = await stage.call(base, { body, headers: { 'a2a-version': '1.0' } });
    return (await answer.json()) as { result?: object; error?: { message: string } };
  };
  for (const historyLength of [true, null, [1], '0x1', 1.5]) {
    const { error } = await rpc('GetTask', { id: run.id, historyLength });
    expect([historyLength, error?.message]).toEqual([historyLength, expect.stringContaining('historyLength')]);
  }
  expect((await rpc('ListTasks', { pageSize: true })).error?.message).toContain('pageSize');
  for (const status of ['completed', 'TASK_STATE_DONE'])
    expect((await rpc('ListTasks', { status })).error?.message).toContain('status');
  for (const status of ['', 'TASK_STATE_UNSPECIFIED', 'TASK_STATE_REJECTED'])
    expect((await rpc('ListTasks', { status })).error).toBeUndefined();
  // JSON of Protocol Buffers also writes numbers as texts.
  for (const historyLength of [1, '1', undefined])
    expect(await rpc('GetTask', { id: run.id, historyLength })).toMatchObject({ result: { id: run.id } });
});

test.each([
  ['A2A', base, 200],
  ['MCP', '/v1/mcp', 400],
])('a body that is no JSON is a parse error of JSON-RPC over %s; a wrong key is not', async (_, path, status) => {
  const parseError = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: expect.any(String) } };
  for (const body of ['{"jsonrpc": "2.0", "id": 1, "method": ', '['.repeat(100)]) {
    const answer = await stage.call(path, { body });
    expect([answer.status, await answer.json()]).toMatchObject([status, parseError]);
  }
  const wrong = await stage.call(path, { body: 'no JSON', key: 'sk_live_wrong' });
  expect([wrong.status, await wrong.json()]).toMatchObject([401, { error: { code: 'invalid_api_key' } }]);
});

test.each(['message:send', 'message:stream'])('another message under the same id is 409 from %s', async (route) => {
  const id = `again-${route}`;
  expect(await ask('POST', `${base}/message:send`, { body: message(id, 'One.') })).toEqual({ status: 200 });
  expect(await ask('POST', `${base}/${route}`, { body: message(id, 'Two.') })).toMatchObject({
    status: 409,
    rpc: 'ABORTED',
    code: 'idempotency_conflict',
  });
});

test('unknown members of a message are not read one by one', () => {
  let reads = 0;
  const get = () => (reads += 1);
  const members = Array.from({ length: 1_000 }, (_, at) => [`k${at}`, { get, enumerable: true }] as const);
  const wide = Object.defineProperties({}, Object.fromEntries(members));
  const parts = [Object.defineProperties({ text: 'Hi' }, Object.fromEntries(members))];
  const sent = { message: { messageId: 'm1', parts, metadata: wide }, configuration: wide, metadata: wide };
  expect(MessageRequest.parse(sent).message.parts).toEqual([{ text: 'Hi' }]);
  expect(reads).toBe(0);
});

test('a client that disconnects while its task is read is not followed until the end of the task', async () => {
  const { id } = await stage.create();
  let answer: ServerResponse | undefined;
  const note = (begun: unknown) => (answer = (begun as { response: ServerResponse }).response);
  const owner = new Client({ connectionString: ownerUrlOf(stage.addresses.databaseUrl) });
  await owner.connect();
  await owner.query('begin; lock table runs in access exclusive mode');
  const leaving = new AbortController();
  subscribe('http.server.request.start', note);
  const asked = stage.call(`${base}/tasks/${id}:subscribe`, { method: 'POST', signal: leaving.signal });
  const left = expect(asked).rejects.toThrow('aborted');
  const waits = "select count(*)::int as waits from pg_locks where not granted and relation = 'runs'::regclass";
  await until(async () => (await owner.query<{ waits: number }>(waits)).rows[0]!.waits > 0);
  unsubscribe('http.server.request.start', note);
  leaving.abort();
  await left;
  await until(() => answer!.destroyed);
  await owner.query('commit');
  await owner.end();
  await until(() => stage.api.lines.some((line) => line.includes(':subscribe') && line.includes('"status":200')));
  expect((await stage.getRun(id)).status).toBe('queued');
});
