import { afterAll, describe, expect, test } from '@jest/globals';
import { openSocket } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { chatBody, chatPath, codeOf, setGuardStage, told } from '../../support/guardStage.ts';

const endless = () => chatBody({ stream: true, messages: told({ fault: 'endless', delayMs: 20 }) });
const stage = await setGuardStage();
afterAll(() => stage.close());

async function keyWith(limits: { rpmLimit?: number | null; concurrencyLimit?: number | null }) {
  const { secret } = await stage.account({ creditUsd: '100', ...limits });
  const headers = { 'x-api-key': secret };
  const remaining = async () => {
    const response = await stage.ask('/v1/models', { headers });
    await response.text();
    return Number(response.headers.get('x-ratelimit-remaining-concurrency'));
  };
  const chat = (body = chatBody(), signal?: AbortSignal) => stage.ask(chatPath, { headers, body, signal });
  return { secret, headers, chat, remaining };
}

const limitHeaders = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('x-ratelimit-')));

describe('a key at its limit of requests per minute', () => {
  test('gets 429 rate_limit_exceeded with the time to wait in both headers', async () => {
    const { chat } = await keyWith({ rpmLimit: 2 });
    const startedAtMs = performance.now();
    expect([(await chat()).status, (await chat()).status]).toEqual([200, 200]);
    const refused = await chat();
    const elapsedMs = performance.now() - startedAtMs;
    const waitMs = Number(refused.headers.get('retry-after-ms'));
    expect(refused.status).toBe(429);
    expect(waitMs).toBeGreaterThan(30_000 - elapsedMs);
    expect(waitMs).toBeLessThanOrEqual(30_000);
    expect(refused.headers.get('retry-after')).toBe(String(Math.ceil(waitMs / 1_000)));
    expect(limitHeaders(refused)).toMatchObject({
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '0',
    });
    expect(await refused.json()).toMatchObject({
      error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null },
    });
  });

  test('gets exactly a hundred of many simultaneous requests admitted when that is its limit', async () => {
    const { chat } = await keyWith({ rpmLimit: 10 });
    const startedAtMs = performance.now();
    const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await chat()).status));
    const dripped = Math.floor((performance.now() - startedAtMs) / 6_000);
    const passed = statuses.filter((status) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(10);
    expect(passed).toBeLessThanOrEqual(10 + dripped);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100 - passed);
  });

  test('has refused requests neither billed nor run', async () => {
    const { chat } = await keyWith({ rpmLimit: 1 });
    await chat();
    const callsBefore = stage.upstream.calls().length;
    await chat();
    expect(stage.upstream.calls()).toHaveLength(callsBefore);
  });
});

describe('the limit headers', () => {
  test('are on every answer to a key, also on errors that are not counted', async () => {
    const { headers, secret } = await keyWith({ rpmLimit: 50, concurrencyLimit: 5 });
    const voice = await stage.account({ scopes: ['voice'] });
    const answers = [
      await stage.ask('/v1/models', { headers }),
      await stage.ask('/v1/models/none', { headers }),
      await stage.ask(chatPath, { headers, body: '{' }),
      await stage.ask(chatPath, { headers, body: chatBody({ model: 'none' }) }),
      await stage.ask(chatPath, { headers: { 'x-api-key': voice.secret }, body: chatBody() }),
      await stage.ask(chatPath, { headers: { 'x-api-key': secret }, body: chatBody({ stream: true }) }),
    ];
    for (const answer of answers) {
      await answer.text();
      expect(Object.keys(limitHeaders(answer)).toSorted()).toEqual([
        'x-ratelimit-limit-concurrency',
        'x-ratelimit-limit-requests',
        'x-ratelimit-remaining-concurrency',
        'x-ratelimit-remaining-requests',
        'x-ratelimit-reset-requests',
      ]);
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 404, 403, 200]);
  });

  test('show the default tier for a key without limits', async () => {
    const { headers } = await keyWith({ rpmLimit: null, concurrencyLimit: null });
    const answer = await stage.ask('/v1/models', { headers });
    expect(limitHeaders(answer)).toMatchObject({
      'x-ratelimit-limit-requests': '600',
      'x-ratelimit-remaining-requests': '599',
      'x-ratelimit-limit-concurrency': '20',
      'x-ratelimit-remaining-concurrency': '19',
    });
  });
});

describe('a key at its limit of concurrent requests', () => {
  test('gets 429 concurrency_limit_exceeded until one of them has ended', async () => {
    const { chat, remaining } = await keyWith({ concurrencyLimit: 3 });
    const open = [new AbortController(), new AbortController()];
    const streams = await Promise.all(open.map(({ signal }) => chat(endless(), signal)));
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    expect(await remaining()).toBe(0);
    const third = new AbortController();
    expect((await chat(endless(), third.signal)).status).toBe(200);
    const refused = await chat();
    expect({
      status: refused.status,
      retryAfter: refused.headers.get('retry-after'),
      code: await codeOf(refused),
    }).toEqual({ status: 429, retryAfter: '1', code: 'concurrency_limit_exceeded' });
    open[0]!.abort();
    await until(async () => (await chat()).status === 200);
    open[1]!.abort();
    third.abort();
    await until(async () => (await remaining()) === 2);
  });

  test('gets its slots back after errors of the platform and of the upstream', async () => {
    const { chat, remaining } = await keyWith({ concurrencyLimit: 1 });
    const faults = [
      { status: 500 },
      { status: 429 },
      { fault: 'reset' },
      { fault: 'malformed' },
      { fault: 'endEarly' },
    ];
    for (const stream of [false, true]) {
      for (const fault of faults) {
        const response = await chat(chatBody({ stream, messages: told(fault) }));
        await response.text();
        expect(response.headers.get('x-ratelimit-remaining-concurrency')).toBe('0');
        await until(async () => (await remaining()) === 0);
      }
    }
    expect((await chat(chatBody({ model: 'none' }))).status).toBe(404);
    expect((await chat()).status).toBe(200);
  });

  test('gets its slots back from clients that disconnect at any moment, even before they are counted', async () => {
    const { secret, remaining } = await keyWith({ concurrencyLimit: 500 });
    const body = chatBody({ messages: told({ headDelayMs: 50 }) });
    const head = `Host: a\r\nx-api-key: ${secret}\r\nContent-Type: application/json\r\n`;
    const texts = [
      `GET /v1/models HTTP/1.1\r\n${head}\r\n`,
      `POST ${chatPath} HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`,
      `POST ${chatPath} HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    ];
    for (let round = 0; round < 60; round += 1) {
      const socket = await openSocket(stage.api.url);
      socket.write(texts[round % texts.length]!);
      if (round % 2 === 0) socket.resetAndDestroy();
      else setTimeout(() => socket.destroy(), round / 4);
    }
    await until(async () => (await remaining()) === 499);
  });
});
