import { afterAll, expect, test } from '@jest/globals';
import type { OpenApiDocument } from '../../../api/docs/openapi/schemas.ts';
import { setPublisherStage } from '../../api/publisher/publisherStage.ts';
import { createComparison } from '../../support/documented.ts';
import { embeddingModel, textModel } from '../../support/startApi.ts';

const stage = await setPublisherStage();
const key = (await stage.account({ scopes: ['llm', 'voice', 'publisher'] })).secret;
const comparison = createComparison((await (await stage.ask('/openapi.json')).json()) as OpenApiDocument);
afterAll(() => stage.close());

interface Sent {
  body?: unknown;
  form?: Record<string, string | Blob>;
  headers?: Record<string, string>;
}

/** Sends a request whose answer must match its documentation. Returns the answer's JSON; undefined for other media types. */
async function send<T = { id: string }>(status: number, method: string, path: string, sent: Sent = {}): Promise<T> {
  const { body, form, headers = {} } = sent;
  const data = new FormData();
  for (const [name, value] of Object.entries(form ?? {})) data.append(name, value);
  const response = await fetch(stage.api.url + path, {
    method,
    headers: {
      authorization: `Bearer ${path.startsWith('/console/') ? stage.operator.secret : key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: form ? data : body === undefined ? undefined : JSON.stringify(body),
  });
  expect(await comparison.differences(method, path, response)).toEqual([]);
  expect({ path, status: response.status }).toEqual({ path, status });
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return (isJson && !path.endsWith('/stream/with-timestamps') ? await response.json() : undefined) as T;
}

const get = <T>(path: string, headers: Record<string, string> = {}) => send<T>(200, 'GET', path, { headers });
const messages = [{ role: 'user', content: 'Hello.' }];
const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }];
const csv = new File(['item,amount\nTea,1\n'], 'sales.csv', { type: 'text/csv' });

test('an answer that differs from its documentation is detected', async () => {
  const balance = { balance_usd: 1, held_usd: 0, available_usd: 1 };
  const differences = (body: object, init?: ResponseInit) =>
    comparison.differences('GET', '/platform/v1/billing/balance', Response.json(body, init));
  expect(await differences(balance)).toEqual([]);
  for (const wrong of [{ ...balance, colour: 'red' }, { ...balance, held_usd: '0' }, { balance_usd: 1 }])
    expect(await differences(wrong)).not.toEqual([]);
  expect(await differences(balance, { status: 418 })).toHaveLength(1);
  expect(await differences(balance, { headers: { 'x-colour': 'red' } })).toHaveLength(1);
  expect(await differences(balance, { headers: { 'content-type': 'text/plain' } })).toHaveLength(1);
});

test.each(['/v1', '/textapi/v1'])('the text family at %s answers as documented', async (at) => {
  for (const more of [{}, { stream: true, stream_options: { include_usage: true } }]) {
    await send(200, 'POST', `${at}/chat/completions`, { body: { model: textModel, messages, ...more } });
    await send(200, 'POST', `${at}/chat/completions`, { body: { model: textModel, messages, tools, n: 2, ...more } });
    await send(200, 'POST', `${at}/completions`, { body: { model: textModel, prompt: 'Once', ...more } });
  }
  for (const stream of [false, true])
    await send(200, 'POST', `${at}/responses`, { body: { model: textModel, input: 'Hello.', stream } });
  for (const encoding_format of ['float', 'base64'])
    await send(200, 'POST', `${at}/embeddings`, {
      body: { model: embeddingModel, input: ['a', 'b'], encoding_format },
    });
  await get(`${at}/models`);
  await get(`${at}/models/${textModel}`);
  await send(404, 'GET', `${at}/models/none`);
  await send(400, 'POST', `${at}/chat/completions`, { body: { model: textModel, messages, audio: {} } });
  const speech = { model: 'tts-1', voice: 'alloy', input: 'Hello.' };
  await send(200, 'POST', `${at}/audio/speech`, { body: speech });
  await send(200, 'POST', `${at}/audio/speech`, { body: { ...speech, stream_format: 'sse' } });
  await send(400, 'POST', `${at}/audio/speech`, { body: { ...speech, response_format: 'ogg' } });
});

test('the voice family answers as documented', async () => {
  const at = '/voiceapi/v1';
  const body = { text: 'Hello.', model_id: 'eleven_multilingual_v2' };
  for (const form of ['', '/stream', '/with-timestamps', '/stream/with-timestamps'])
    await send(200, 'POST', `${at}/text-to-speech/alloy${form}`, { body });
  await send(404, 'POST', `${at}/text-to-speech/nobody`, { body });
  await send(422, 'POST', `${at}/text-to-speech/alloy`, { body: {} });
  for (const path of ['/voices', '/voices/alloy', '/voices/settings/default', '/models', '/user', '/user/subscription'])
    await get(at + path);
  await get('/voiceapi/v2/voices?page_size=2');
  const { history } = await get<{ history: { history_item_id: string }[] }>(`${at}/history`);
  const item = `${at}/history/${history[0]!.history_item_id}`;
  await get(item);
  await get(`${item}/audio`);
  await send(200, 'DELETE', item);
  await send(404, 'GET', `${item}/audio`);
});

test('keys, billing and the service answer as documented', async () => {
  const chat = await stage.ask('/v1/chat/completions', {
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: textModel, messages }),
  });
  await get(`/platform/v1/requests/${chat.headers.get('x-request-id')}`);
  for (const path of ['key', 'keys', 'billing/balance', 'billing/ledger?limit=2']) await get(`/platform/v1/${path}`);
  await send(422, 'GET', '/platform/v1/billing/ledger?limit=0');
  await send(404, 'GET', '/platform/v1/requests/req_none');
  for (const path of ['/healthz', '/readyz', '/v1/usage']) await get(path);
  await send(401, 'GET', '/platform/v1/key', { headers: { authorization: 'Bearer none' } });
});

test('managed keys and documented balances answer as documented', async () => {
  const { secret } = await stage.account({ scopes: ['manage'] });
  const headers = { authorization: `Bearer ${secret}` };
  const keys = '/console/v1/keys';
  await send(200, 'GET', keys, { headers });
  const { id } = await send(201, 'POST', keys, { body: { name: 'made', allowed_ips: ['127.0.0.1'] }, headers });
  const once = { ...headers, 'idempotency-key': 'key-0123456789' };
  for (let nth = 0; nth < 2; nth += 1) await send(201, 'POST', keys, { body: { name: 'once' }, headers: once });
  await send(403, 'POST', keys, { body: { name: 'mine' }, headers: { authorization: `Bearer ${key}` } });
  await send(422, 'POST', keys, { body: { name: '' }, headers });
  const one = `${keys}/${id}`;
  await send(200, 'PATCH', one, { body: { spend_limit: 1, expires_at: null }, headers });
  await send(200, 'POST', `${one}/rotate`, { body: { grace_seconds: 5 }, headers });
  await send(200, 'GET', `${one}/impact`, { headers });
  await send(200, 'DELETE', one, { headers });
  await send(409, 'PATCH', one, { body: { name: 'late' }, headers });
  await send(404, 'DELETE', `${keys}/key_none`, { headers });
  const billing = '/platform/v1/billing';
  for (const path of ['statement', 'topups', 'auto_topup']) await get(`${billing}/${path}`);
  for (const format of ['csv', 'pdf']) await send(200, 'GET', `${billing}/statement?format=${format}`);
  await send(409, 'PATCH', `${billing}/auto_topup`, { body: { enabled: false } });
});

test("the operators' routes for workspaces answer as documented", async () => {
  const { workspaceId } = await stage.account({});
  const order = { workspace_id: workspaceId, amount_usd: 1, reason: 'A test' };
  const { id } = await send(201, 'POST', '/console/v1/adjustments', { body: order });
  await send(403, 'POST', `/console/v1/adjustments/${id}/approve`);
  await send(200, 'POST', `/console/v1/adjustments/${id}/reject`);
  await send(409, 'POST', `/console/v1/adjustments/${id}/reject`);
  await send(404, 'POST', '/console/v1/adjustments', { body: { ...order, workspace_id: 'ws_none' } });
  for (const path of ['workspaces', 'adjustments', 'audit', 'upstreams']) await get(`/console/v1/${path}`);
});

test('files and sessions answer as documented', async () => {
  for (const at of ['/v1', '/textapi/v1']) {
    const form = { purpose: at === '/v1' ? 'agent_input' : 'user_data', file: csv };
    const file = `${at}/files/${(await send(200, 'POST', `${at}/files`, { form })).id}`;
    await get(`${at}/files`);
    await get(file);
    await get(`${file}/content`);
    await send(206, 'GET', `${file}/content`, { headers: { range: 'bytes=0-3' } });
    await send(416, 'GET', `${file}/content`, { headers: { range: 'bytes=900-' } });
    await send(200, 'DELETE', file);
    await send(404, 'GET', file);
  }
  const once = { 'idempotency-key': 'session-0123456789' };
  const { id } = await send(201, 'POST', '/v1/sessions', { body: {}, headers: once });
  await send(201, 'POST', '/v1/sessions', { body: {}, headers: once });
  const files = `/v1/sessions/${id}/files`;
  const entry = await send(201, 'POST', files, { form: { file: csv } });
  await send(201, 'POST', files, { body: { kind: 'directory', name: 'reports' } });
  await send(409, 'POST', files, { body: { kind: 'directory', name: 'reports' } });
  for (const path of ['/v1/sessions', `/v1/sessions/${id}`, files]) await get(path);
  await send(200, 'PATCH', `${files}/${entry.id}`, { body: { name: 'old.csv' } });
  await send(412, 'PATCH', `${files}/${entry.id}`, { body: { name: 'a.csv' }, headers: { 'if-match': '"dir-99"' } });
  await send(200, 'DELETE', `${files}/${entry.id}`);
  await send(202, 'POST', `/v1/sessions/${id}/cancel`, { body: {} });
  await send(200, 'DELETE', `/v1/sessions/${id}`);
});

test('agents and their runs answer as documented', async () => {
  for (const path of ['', '/ledgerline/writer', '/ledgerline/writer/quality', '/ledgerline/writer/card'])
    await get(`/v1/agents${path}`);
  const body = { agent: 'ledgerline/writer', input: 'Hello.' };
  const { id } = await send(200, 'POST', '/v1/runs', { body, headers: { prefer: 'wait=30' } });
  const run = `/v1/runs/${id}`;
  const once = { 'idempotency-key': 'run-0123456789' };
  const later = await send(202, 'POST', '/v1/runs', { body: { ...body, start_after_seconds: 600 }, headers: once });
  await send(409, 'POST', '/v1/runs', { body, headers: once });
  await send(200, 'POST', '/v1/runs', { body: { ...body, stream: true } });
  await send(404, 'POST', '/v1/runs', { body: { ...body, agent: 'ledgerline/nobody' } });
  await send(422, 'POST', '/v1/runs', { body: { ...body, colour: 'red' } });
  await send(202, 'POST', `/v1/runs/${later.id}/cancel`, { body: {} });
  for (const path of [run, '/v1/runs', '/v1/runs?status=completed&limit=1']) await get(path);
  const { data } = await get<{ data: { id: string }[] }>(`${run}/events`, { accept: 'application/json' });
  await get(`${run}/events`, { accept: 'text/event-stream' });
  await get(`/platform/v1/events/${data[0]!.id}`);
  await send(400, 'GET', `${run}/events`, { headers: { 'last-event-id': 'evt_none' } });
  await send(409, 'POST', `${run}/cancel`, { body: {} });
  await send(200, 'PUT', `${run}/feedback`, { body: { outcome: 'complete', reason: 'Right.' } });
  await get(`${run}/feedback`);
  await send(204, 'DELETE', `${run}/feedback`);
  await get(`${run}/feedback`);
  const accept = { accept: 'application/json, text/event-stream' };
  await send(200, 'POST', '/v1/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers: accept });
});

test('publishing answers as documented', async () => {
  const body = { namespace: 'documented', slug: 'poet', name: 'Poet' };
  const agent = `/v1/publisher/agents/${(await send(201, 'POST', '/v1/publisher/agents', { body })).id}`;
  for (const path of ['/v1/publisher/agents', agent, `${agent}/draft`]) await get(path);
  const change = { description: 'Writes verses.', instructions: 'Write verses.', categories: ['writing'] };
  const complete = {
    ...change,
    example_prompts: ['A verse about rain'],
    pricing: { minimum_cost_usd: 0, maximum_cost_usd: 1, rates: [{ meter: 'tool_calls', price_usd: 0.01 }] },
  };
  await send(428, 'PATCH', `${agent}/draft`, { body: complete });
  await send(200, 'PATCH', `${agent}/draft`, { body: complete, headers: { 'if-match': '"draft-1"' } });
  await send(412, 'PATCH', `${agent}/draft`, { body: complete, headers: { 'if-match': '"draft-1"' } });
  const own = await send<{ version_id: string }>(200, 'POST', `${agent}/deploy-private`);
  await get(`/v1/publisher/agent-versions/${own.version_id}`);
  const { id } = await send(200, 'POST', `${agent}/submit-public`, { headers: { 'if-match': '"draft-2"' } });
  await send(409, 'POST', `${agent}/submit-public`, { headers: { 'if-match': '"draft-2"' } });
  const deployment = `/v1/publisher/deployments/${id}`;
  await send(201, 'POST', `${deployment}/comments`, { body: { message: 'Please.' } });
  for (const path of [
    `${agent}/versions`,
    `${agent}/versions/${own.version_id}/diff/${own.version_id}`,
    deployment,
    `${deployment}/comments`,
  ])
    await get(path);
  const review = `/console/v1/deployments/${id}`;
  for (const path of ['/console/v1/reviews', review]) await get(path);
  await send(200, 'POST', `${review}/approve`, { body: {} });
  await send(409, 'POST', `${review}/reject`, { body: {} });
  await send(200, 'POST', `${review}/suspend`, { body: { feedback: [{ message: 'Wait.' }] } });
  await send(200, 'POST', `${review}/reinstate`, { body: {} });
  await send(201, 'POST', `${review}/comments`, { body: { message: 'Done.' } });
  await send(200, 'POST', '/console/v1/namespaces/documented/verify', { body: {} });
  await send(200, 'POST', '/console/v1/agents/documented/poet/subsidy', { body: { granted: true } });
  await get('/v1/publisher/namespaces/documented');
  for (const format of ['json', 'csv']) await get(`/v1/publisher/statement?format=${format}`);
});
