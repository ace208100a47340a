import { afterAll, describe, expect, test } from '@jest/globals';
import { chatBody, chatPath, setGuardStage, type ErrorBody, type GuardStage } from '../../support/guardStage.ts';
import { textModel } from '../../support/startApi.ts';

const stage = await setGuardStage();
const headers = { 'x-api-key': (await stage.account()).secret };
afterAll(() => stage.close());

async function errorOf(path: string, asked: Parameters<GuardStage['ask']>[1] = {}) {
  const response = await stage.ask(path, { headers, ...asked });
  const body = (await response.json()) as ErrorBody;
  return { status: response.status, code: body.error.code, message: body.error.message, response, body };
}

describe('an address that does not exist', () => {
  test.each([
    '/v1',
    '/v1/nothing',
    '/v1/Models',
    '/textapi/v2/models',
    '/v1/models/a/b/c',
    '/v1/models//',
    '/v1/runs//events',
    '/v1/../healthz/x',
  ])('%s is 404 unknown_url, with a key or without', async (path) => {
    expect(await errorOf(path)).toMatchObject({ status: 404, code: 'unknown_url' });
    expect(await errorOf(path, { headers: {} })).toMatchObject({ status: 404, code: 'unknown_url' });
  });

  test('has the rate-limit headers of the sent key, and does not count', async () => {
    const { secret } = await stage.account({ rpmLimit: 2 });
    const own = { headers: { 'x-api-key': secret } };
    const limits = async (path: string, asked = {}) => {
      const response = await stage.ask(path, { ...own, ...asked });
      return [response.status, response.headers.get('x-ratelimit-remaining-requests')];
    };
    expect(await limits('/v1/models')).toEqual([200, '1']);
    expect(await limits('/v1/nothing')).toEqual([404, '1']);
    expect(await limits('/v1/models', { method: 'PUT' })).toEqual([405, '1']);
    expect(await limits('/v1/nothing', { headers: {} })).toEqual([404, null]);
  });

  test.each([
    ['POST', '/chat/completions', '/v1/chat/completions'],
    ['POST', '/textapi/chat/completions', '/v1/chat/completions'],
    ['POST', '/v1/v1/chat/completions', '/v1/chat/completions'],
    ['POST', '/v1/chat/completions/chat/completions', '/v1/chat/completions'],
    ['POST', '/v1/text-to-speech/alloy/stream', '/voiceapi/v1/text-to-speech/alloy/stream'],
    ['POST', '/voiceapi/v1/v1/text-to-speech/alloy', '/voiceapi/v1/text-to-speech/alloy'],
    ['GET', '/voiceapi/v1/v1/models', '/voiceapi/v1/models'],
    ['GET', '/v2/voices', '/voiceapi/v2/voices'],
    ['GET', '/voiceapi/v1/v2/voices', '/voiceapi/v2/voices'],
    ['GET', '/voices', null],
    ['GET', '/v1/projects/usage', null],
    ['GET', '/v1/files/file_1/runs', null],
    ['GET', '/voiceapi/v1/workspace/usage', null],
    ['GET', '/voiceapi/v1/workspace/agents/a/b', null],
    ['GET', '/textapi/v1/chat/completions/models', '/v1/models'],
    ['DELETE', '/chat/completions', null],
    ['POST', `${'/a'.repeat(9)}/chat/completions`, '/v1/chat/completions'],
  ])('by a client with a wrong base URL, %s %s, names what it meant', async (method, path, meant) => {
    const { status, code, message } = await errorOf(path, { method });
    expect([status, code]).toEqual([404, 'unknown_url']);
    const hint = meant === null ? '' : ` Did you mean ${method} ${meant}? Then the base URL of the client is wrong.`;
    expect(message).toBe(`Unknown request URL: ${method} ${path}.${hint} See /docs for what exists.`);
  });

  test.each([
    ['POST', '/v1/responses/all'],
    ['POST', '/textapi/v1/responses/all'],
    ['POST', '/v1/runs/search'],
    ['PATCH', '/v1/files/by_name'],
  ])('is 404 where another method has an id: %s %s', async (method, path) => {
    const { status, code, message } = await errorOf(path, { method });
    expect([status, code]).toEqual([404, 'unknown_url']);
    expect(message).toBe(`Unknown request URL: ${method} ${path}. See /docs for what exists.`);
  });

  test('is 404 for an unknown method too', async () => {
    expect(await errorOf('/v1/nothing', { method: 'PROPFIND' })).toMatchObject({ status: 404, code: 'unknown_url' });
  });
});

describe('a method that an address does not have', () => {
  test.each([
    ['GET', chatPath, 'POST'],
    ['DELETE', chatPath, 'POST'],
    ['POST', '/v1/models', 'GET, HEAD'],
    ['PUT', '/v1/models', 'GET, HEAD'],
    ['PROPFIND', '/v1/models', 'GET, HEAD'],
    ['HEAD', chatPath, 'POST'],
    ['POST', '/v1/responses/resp_1a2B', 'GET, HEAD, DELETE'],
    ['GET', '/voiceapi/v1/text-to-speech/alloy', 'POST'],
    ['PUT', '/voiceapi/v1/voice-changer/nova', 'POST'],
  ])('%s %s is refused with 405 and lists the allowed methods', async (method, path, allow) => {
    const response = await stage.ask(path, { headers, method });
    const text = await response.text();
    expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({ status: 405, allow });
    if (method !== 'HEAD') expect(JSON.parse(text)).toMatchObject({ error: { code: 'method_not_allowed' } });
  });
});

describe('HEAD', () => {
  test('is answered like GET, without the body', async () => {
    const read = await stage.ask('/v1/models', { headers });
    const text = await read.text();
    const head = await stage.ask('/v1/models', { headers, method: 'HEAD' });
    expect({ status: head.status, length: head.headers.get('content-length'), body: await head.text() }).toEqual({
      status: 200,
      length: String(text.length),
      body: '',
    });
  });

  test('requires a key where GET does', async () => {
    expect((await stage.ask('/v1/models', { method: 'HEAD' })).status).toBe(401);
  });
});

test("a browser's preflight is answered everywhere, so that its page can read the 404", async () => {
  const asked = { origin: 'https://page.example', 'access-control-request-method': 'POST' };
  const answer = await stage.ask('/v1/nowhere', { headers: asked, method: 'OPTIONS' });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
  const closed = await stage.ask('/console/v1/nowhere', { headers: asked, method: 'OPTIONS' });
  expect(closed.headers.get('access-control-allow-origin')).toBeNull();
});

test('a second slash before the path is harmless', async () => {
  expect((await stage.ask('//v1/models', { headers })).status).toBe(200);
});

test('OPTIONS is answered where a route exists, and 404 elsewhere', async () => {
  const preflight = { headers: { origin: 'https://page.example' }, method: 'OPTIONS' };
  expect((await stage.ask(chatPath, preflight)).status).toBe(204);
  expect((await stage.ask('/v1/nothing', preflight)).status).toBe(404);
});

describe('an address in another spelling', () => {
  test.each(['/v1/models/', '/v1/%6Dodels', '/v1/%6D%6f%64%65%6c%73/', '/%76%31/models?_=%31'])(
    '%s is the list of models',
    async (path) => {
      const response = await stage.ask(path, { headers });
      expect({ status: response.status, body: await response.json() }).toMatchObject({
        status: 200,
        body: { object: 'list' },
      });
    },
  );

  test('keeps its query', async () => {
    const response = await stage.ask('/platform/v1/billing/%6cedger?limit=1&unknown=1', { headers });
    expect(response.status).not.toBe(404);
    expect(await response.text()).toContain('unknown');
  });
});

describe('a model in the path', () => {
  test.each([textModel, 'ledgerline-text', textModel.replaceAll('-', '%2D')])('%s is found', async (name) => {
    const response = await stage.ask(`/v1/models/${name}`, { headers });
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 200,
      body: { id: textModel, object: 'model' },
    });
  });

  test.each([
    ['ledgerline-text-2', 'ledgerline-text-2'],
    ['a%2Fb', 'a/b'],
    ['%E2%82%AC', '€'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['%00', '%00'],
    ['x'.repeat(500), 'x'.repeat(500)],
  ])('%s is 404 model_not_found, whose message has its name and the closest one', async (path, name) => {
    const { status, code, message, body } = await errorOf(`/v1/models/${path}`);
    expect({ status, code, param: body.error.param }).toEqual({ status: 404, code: 'model_not_found', param: 'model' });
    expect(message).toContain(`'${name.slice(0, 100)}`);
    expect(message).toMatch(/Did you mean 'ledgerline-[a-z0-9-]+'/);
  });

  test.each(['x'.repeat(501), 'x'.repeat(5_000), '%E2%82%AC'.repeat(600), '%F0%9F%90%8E'.repeat(300)])(
    'a name that is too long is 404 model_not_found too: %#',
    async (name) => {
      expect(await errorOf(`/v1/models/${name}`)).toMatchObject({ status: 404, code: 'model_not_found' });
      expect(await errorOf(`/v1/unknown/${name}`)).toMatchObject({ status: 404, code: 'unknown_url' });
    },
  );

  test.each(['%zz', '%', '%E0%A4%A', '%C0%AF', 'a%2'])(
    'the broken escape %s is refused with 400 invalid_url',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND'])
        expect(await errorOf(`/v1/models/${path}`, { method })).toMatchObject({ status: 400, code: 'invalid_url' });
    },
  );

  test('a broken escape is refused in the words of the caller: JSON, that of the voice family, or a page', async () => {
    const path = '/requests/%E0%A4%A';
    expect(await errorOf(path)).toMatchObject({ status: 400, code: 'invalid_url' });
    const { body } = await errorOf('/voiceapi/v1/voices/%E0%A4%A');
    expect(body).toMatchObject({ error: { code: 'invalid_url' }, detail: { status: 'invalid_url' } });
    const page = await stage.ask(path, { headers: { accept: 'text/html' } });
    expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
      status: 400,
      type: 'text/html; charset=utf-8',
    });
    expect(await page.text()).toContain('This address is not valid');
    const asked = await stage.ask('/v1/models/%E0%A4%A', { headers: { accept: 'text/html' } });
    expect(asked.headers.get('content-type')).toContain('application/json');
  });
});

test('a model of another kind is 404, with a message that names a suitable one', async () => {
  const { status, code, message } = await errorOf(chatPath, { body: chatBody({ model: 'ledgerline-embed-1' }) });
  expect({ status, code }).toEqual({ status: 404, code: 'model_not_found' });
  expect(message).toContain('is an embedding model: send it to POST /v1/embeddings');
  expect(message).toContain(`did you mean '${textModel}'?`);
});

describe('every answer', () => {
  const cases: [string, Parameters<GuardStage['ask']>[1]][] = [
    ['/healthz', {}],
    ['/readyz', {}],
    ['/v1/models', { headers: {} }],
    ['/nothing', {}],
    ['/v1/models/%zz', {}],
    [chatPath, { method: 'GET' }],
    [chatPath, { body: '{' }],
    [chatPath, { method: 'OPTIONS' }],
  ];

  test.each(cases)('%s %p has an id of its own and is neither sniffed nor stored', async (path, asked) => {
    const sent = { ...asked, headers: { ...asked?.headers, 'x-request-id': 'req_chosen_by_the_client' } };
    const answers = [await stage.ask(path, sent), await stage.ask(path, sent)];
    const ids = answers.map((answer) => answer.headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(2);
    for (const answer of answers) {
      expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9A-Za-z]{16}$/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-powered-by')).toBeNull();
      expect(await answer.text()).not.toContain('req_chosen_by_the_client');
    }
  });
});

test('a stream forbids sniffing and storing', async () => {
  const response = await stage.ask(chatPath, { headers, body: chatBody({ stream: true }) });
  await response.text();
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^req_/),
  });
});

test('healthz and readyz answer 200 on a working process', async () => {
  const health = await stage.ask('/healthz');
  expect({ status: health.status, body: await health.json() }).toEqual({ status: 200, body: { status: 'ok' } });
  const readiness = await stage.ask('/readyz');
  const body = { status: 'ready', temporal: expect.stringMatching(/^(unknown|away)$/) };
  expect({ status: readiness.status, body: await readiness.json() }).toEqual({ status: 200, body });
});
