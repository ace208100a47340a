import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  APIConnectionError,
  type APIError,
  APITimeoutError,
  ConflictError,
  InvalidRequestError,
  Ledgerline,
  ServerError,
  WebhookVerificationError,
} from '../../../clients/typescript/src/index.ts';

interface Sent {
  method: string;
  key: string | null;
  body: string;
  url: URL;
}

type Answer = Response | Error | (() => Promise<Response>);

/** A client of a service that gives these answers, one to each request. */
function clientOf(answers: Answer[], options = {}) {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method, headers, url } = request;
    sent.push({ method, key: headers.get('idempotency-key'), body: await request.text(), url: new URL(url) });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? await answer() : answer!;
  };
  return {
    client: new Ledgerline({ apiKey: 'sk-1', baseUrl: 'http://service.test', fetch, ...options }),
    sent,
    answers,
  };
}

const json = (body: object, status = 200, headers = {}) =>
  Response.json(body, { status, headers: { 'x-request-id': 'req_1', ...headers } });
const refusal = (status: number, code: string, headers = {}) =>
  json({ error: { message: 'No.', type: 'a', param: 'input', code } }, status, headers);
const soon = { 'retry-after-ms': '1' };
/** JSON of which only the beginning comes. */
const cut = () => {
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"id": '));
      controller.error(new TypeError('terminated'));
    },
  });
  return new Response(stream, { headers: { 'content-type': 'application/json' } });
};

const order = { body: { agent: 'acme/poet', input: 'Rain.' } };
const start = ({ client }: ReturnType<typeof clientOf>) => client.api.POST('/v1/runs', order);

test('an option that does not exist is refused by name', () => {
  const spelledElsewhere = { baseURL: 'http://service.test' };
  const taken = 'apiKey, baseUrl, maxRetries, timeoutMs, fetch';
  expect(() => new Ledgerline(spelledElsewhere as object)).toThrow(`There is no option 'baseURL', but ${taken}.`);
});

test.each([
  ['sk-sec\nret', 'http://here'],
  ['sk-secré', 'http://here'],
  ['k', 'http://user:sk-sec@here'],
])('no error shows a key or a password: %j at %s', (apiKey, baseUrl) => {
  expect(() => new Ledgerline({ apiKey, baseUrl })).toThrow(/^The (key|address) (?!.*sk-sec)/);
  expect(new Ledgerline({ apiKey: ' k\n' }).apiKey).toBe('k');
});

test.each<[object, string, string | null]>([
  [{ message: { a: 1 }, code: 502 }, 'The service answered 502.', '502'],
  [['a'], 'The service answered 502.', null],
  [{ message: 7, code: null }, '7', null],
])('an error of a proxy has texts: %j', async (error, message, code) => {
  const { client } = clientOf([json({ error }, 502)], { maxRetries: 0 });
  await expect(client.runs.get('run_1')).rejects.toMatchObject({ message, code, status: 502 });
});

describe('a write', () => {
  test.each<[string, Answer]>([
    ['a lost connection', new TypeError('fetch failed')],
    ['JSON that is cut', cut()],
    ['429', refusal(429, 'rate_limit_exceeded', soon)],
    ['503', refusal(503, 'overloaded', soon)],
    ['409 while the first try runs', refusal(409, 'idempotency_in_progress', { ...soon, 'x-should-retry': 'true' })],
  ])('is repeated after %s, with the same key and body', async (_name, answer) => {
    const stage = clientOf([answer, json({ id: 'run_1' })]);
    expect((await start(stage)).data.id).toBe('run_1');
    const [first, second] = stage.sent as [Sent, Sent];
    expect(second).toEqual(first);
    expect(first.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(first.body)).toEqual(order.body);
  });

  test('asks as often as it must while the first try runs', async () => {
    const running = () => refusal(409, 'idempotency_in_progress', { ...soon, 'x-should-retry': 'true' });
    const stage = clientOf([running(), running(), running(), running(), json({ id: 'run_1' })], { maxRetries: 0 });
    expect((await start(stage)).data.id).toBe('run_1');
  });

  test.each<[string, Response, typeof APIError]>([
    [
      '409 of a key with another body',
      refusal(409, 'idempotency_conflict', { 'x-should-retry': 'false' }),
      ConflictError,
    ],
    ['422', refusal(422, 'validation_error'), InvalidRequestError],
    ['502 that says so', refusal(502, 'sign_in_failed', { 'x-should-retry': 'false' }), ServerError],
    ['503 in more than a minute', refusal(503, 'overloaded', { 'retry-after': '3600' }), ServerError],
  ])('is not repeated after %s', async (_name, answer, Class) => {
    const stage = clientOf([answer]);
    const error = await start(stage).catch((thrown: unknown) => thrown as APIError);
    expect(error).toBeInstanceOf(Class);
    expect(error).toMatchObject({ name: Class.name, requestId: 'req_1', param: 'input', message: 'No.' });
    expect(stage.sent).toHaveLength(1);
  });

  test('without a key says where it comes from', async () => {
    const message = 'No key: give `apiKey`, or set LEDGERLINE_API_KEY.';
    await expect(start(clientOf([refusal(401, 'invalid_api_key')], { apiKey: '' }))).rejects.toThrow(message);
    await expect(start(clientOf([refusal(401, 'invalid_api_key')]))).rejects.toThrow('No.');
  });

  test('ends with the last failure after its retries', async () => {
    const lost = () => new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
    const stage = clientOf([lost(), lost()], { maxRetries: 1 });
    await expect(start(stage)).rejects.toThrow('The connection to http://service.test failed: ECONNREFUSED');
    await expect(start(clientOf([lost()], { maxRetries: 0 }))).rejects.toBeInstanceOf(APIConnectionError);
  });

  test('keeps the key of its caller, and a read has none', async () => {
    const stage = clientOf([json({ id: 'run_1' }), json({ id: 'run_1' })]);
    await stage.client.agents.start('acme/poet', 'Rain.', { idempotencyKey: 'order-4711' });
    await stage.client.runs.get('run_1');
    expect(stage.sent.map(({ key }) => key)).toEqual(['order-4711', null]);
  });

  test('is not repeated when its signal is aborted', async () => {
    const abort = new AbortController();
    const stage = clientOf([
      () => {
        abort.abort(new Error('enough'));
        return Promise.reject(new TypeError('fetch failed'));
      },
    ]);
    const aborted = stage.client.api.POST('/v1/runs', { ...order, signal: abort.signal });
    await expect(aborted).rejects.toThrow('enough');
    expect(stage.sent).toHaveLength(1);
  });

  test('ends when no answer comes in time', async () => {
    const fetch: typeof globalThis.fetch = (_input, init) =>
      new Promise((_, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error)));
    const client = new Ledgerline({ apiKey: 'sk-1', fetch, maxRetries: 0, timeoutMs: 20 });
    await expect(client.runs.get('run_1')).rejects.toBeInstanceOf(APITimeoutError);
  });
});

test('the end of a run is found by a stream whose first connection falls silent', async () => {
  const event = (sequence: number, type: string, data: object) =>
    `id: evt_${sequence}\nevent: ${type}\ndata: ${JSON.stringify({ id: `evt_${sequence}`, sequence, type, data })}\n\n`;
  const stream = (text: string, ends: boolean) =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text));
          if (ends) controller.close();
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    );
  const text = (item_id: string, delta: string) => ({ item_id, offset: 0, delta });
  const first = event(1, 'run.output_text.delta', text('item_a', 'Fir')) + ': keep-alive\n\n';
  const costs = event(2, 'run.usage.updated', { total_usd: 0.5, children_usd: 0.125 });
  const run = { id: 'run_1', status: 'completed', usage: { total_usd: 0.5, children_usd: 0.25 } };
  const rest = event(3, 'run.output_text.delta', text('item_ar2', 'Second.')) + event(4, 'run.completed', run);
  const { client } = clientOf([stream(first + costs, false), stream(rest, true)]);
  const events = client.runs.stream('run_1', { idleTimeoutMs: 20 });
  const seen: number[] = [];
  for await (const { type } of events) if (type === 'run.usage.updated') seen.push(events.costUsd);
  expect(seen).toEqual([0.625]);
  expect(await events.finalRun()).toMatchObject({ status: 'completed' });
  // The second attempt replaces the text of the first.
  expect([events.text, events.costUsd, events.lastEventId]).toEqual(['Second.', 0.75, 'evt_4']);
});

test('each form of a list names its next page', async () => {
  const pages = async (path: string, page: object, end: object) => {
    const stage = clientOf([json(page), json(end)]);
    const entries: unknown[] = [];
    for await (const one of stage.client.pages(path as '/v1/runs', { query: { limit: 1 } })) entries.push(one);
    expect(stage.sent[1]!.url.searchParams.get('limit')).toBe('1');
    return { entries, next: [...stage.sent[1]!.url.searchParams].filter(([name]) => name !== 'limit').flat() };
  };
  const two = { entries: [{ id: 'a' }, { id: 'b' }] };
  const [a, b] = [[{ id: 'a' }], [{ id: 'b' }]];
  const more = { has_more: true };
  const last = { has_more: false };
  expect(
    await pages('/v1/runs', { data: a, ...more, next_cursor: 'c1' }, { data: b, ...last, next_cursor: null }),
  ).toEqual({ ...two, next: ['cursor', 'c1'] });
  expect(await pages('/v1/batches', { data: a, ...more, last_id: 'a' }, { data: b, ...last })).toEqual({
    ...two,
    next: ['after', 'a'],
  });
  expect(
    await pages('/voiceapi/v2/voices', { voices: a, ...more, next_page_token: 't' }, { voices: b, ...last }),
  ).toEqual({ ...two, next: ['next_page_token', 't'] });
  expect(
    await pages('/voiceapi/v1/history', { history: a, ...more, last_history_item_id: 'h' }, { history: b, ...last }),
  ).toEqual({ ...two, next: ['start_after_history_item_id', 'h'] });
  expect(await pages('/a2a/tasks', { tasks: a, nextPageToken: 't' }, { tasks: b, nextPageToken: '' })).toEqual({
    ...two,
    next: ['pageToken', 't'],
  });
  const roots = [{ date: '2026-11-02' }, { date: '2026-11-01' }];
  const found = await pages(
    '/.well-known/ledgerline-roots.json',
    { roots: [roots[0]], ...more },
    { roots: [roots[1]], ...last },
  );
  expect(found).toEqual({ entries: roots, next: ['before', '2026-11-02'] });
});

describe('a webhook', () => {
  const { webhooks } = new Ledgerline();
  const [secret, other] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
  const body = JSON.stringify({ id: 'evt_1', type: 'run.completed', data: { name: 'Zoë' } });
  const headersAt = (date: Date) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', date, body),
  });
  const headers = headersAt(new Date());

  test('signed by the official library is unwrapped, as text or bytes, in any form of headers', async () => {
    for (const [sent, form] of [
      [body, headers],
      [new TextEncoder().encode(body), new Headers(headers)],
      [body, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))],
    ] as const)
      expect(await webhooks.unwrap(sent, form, secret)).toMatchObject({ id: 'evt_1', data: { name: 'Zoë' } });
  });

  test('is unwrapped while one secret replaces another', async () => {
    expect(await webhooks.unwrap(body, headers, [other, secret])).toMatchObject({ id: 'evt_1' });
    const both = { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}= v2,x ${headers['webhook-signature']}` };
    expect(await webhooks.unwrap(body, both, secret)).toMatchObject({ id: 'evt_1' });
  });

  test.each<[string, [string, Record<string, string>, string]]>([
    ['with another body', [`${body} `, headers, secret]],
    ['of another secret', [body, headers, other]],
    ['with another id', [body, { ...headers, 'webhook-id': 'evt_2' }, secret]],
    ['six minutes old', [body, headersAt(new Date(Date.now() - 360_000)), secret]],
    ['from the future', [body, headersAt(new Date(Date.now() + 360_000)), secret]],
    ['without a time', [body, { ...headers, 'webhook-timestamp': 'now' }, secret]],
    ['without a signature', [body, { ...headers, 'webhook-signature': '' }, secret]],
    ['with a signature of no form', [body, { ...headers, 'webhook-signature': 'v1,%%%' }, secret]],
    ['with a signature that is no base64', [body, { ...headers, 'webhook-signature': 'v1,A' }, secret]],
  ])('%s is refused', async (_name, sent) => {
    await expect(webhooks.unwrap(...sent)).rejects.toBeInstanceOf(WebhookVerificationError);
  });

  test.each(['', 'whsec_', 'whsec_!!!!', undefined as never])('is not checked with the secret %s', async (empty) => {
    await expect(webhooks.unwrap(body, headers, empty)).rejects.toThrow('The secret of a webhook endpoint is missing');
  });
});
