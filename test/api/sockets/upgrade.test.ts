import { afterAll, describe, expect, test } from '@jest/globals';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { setGuardStage, type ErrorBody } from '../../support/guardStage.ts';
import { refusalAt, socketAt } from '../../support/webSocket.ts';

const path = '/textapi/v1/realtime?model=gpt-realtime';

const stage = await setGuardStage();
afterAll(() => stage.close());

test.each(['/v1/responses', '/textapi/v1/chat/completions'])(
  'no socket opens at %s, and its refusal says so',
  async (at) => {
    const { secret } = await stage.account();
    const { status, body, headers } = await refusalAt(stage.url, at, { key: secret });
    expect([status, headers.allow]).toEqual([405, 'POST']);
    const message = 'No WebSocket opens here; send POST over HTTP.';
    expect(body.error).toEqual({ message, type: 'invalid_request_error', param: null, code: 'method_not_allowed' });
  },
);

test.each(['/textapi/v1/realtime', '/v1/realtime'])('a socket opens at %s, and the server speaks first', async (at) => {
  const { secret } = await stage.account();
  const socket = await socketAt(stage.url, `${at}?model=gpt-realtime`, { key: secret });
  const created = await socket.next('session.created');
  expect(created.session).toMatchObject({
    type: 'realtime',
    object: 'realtime.session',
    model: 'gpt-realtime',
  });
  expect(socket.headers['x-request-id']).toMatch(/^req_/);
  expect(socket.headers['x-ratelimit-remaining-concurrency']).toBe('999');
  socket.ws.close();
});

describe('a key is taken from', () => {
  const opened = async (options: Parameters<typeof socketAt>[2]) => {
    const socket = await socketAt(stage.url, path, options);
    await socket.next('session.created');
    socket.ws.close();
    return socket.ws.protocol;
  };

  test.each(['authorization', 'x-api-key', 'xi-api-key'])('the header %s', async (name) => {
    const { secret } = await stage.account();
    const value = name === 'authorization' ? `Bearer ${secret}` : secret;
    expect(await opened({ headers: { [name]: value } })).toBe('');
  });

  test.each(['textapi', 'openai'])(
    'the subprotocol of %s as the only one, which the page gets back',
    async (vendor) => {
      const { secret } = await stage.account();
      const protocol = `${vendor}-insecure-api-key.${secret}`;
      expect(await opened({ protocols: [protocol] })).toBe(protocol);
      expect(await opened({ protocols: ['openai-beta.realtime-v1', protocol] })).toBe(protocol);
    },
  );

  test.each(['textapi', 'openai'])('the subprotocol of %s, which is not echoed', async (vendor) => {
    const { secret } = await stage.account();
    expect(await opened({ protocols: ['realtime', `${vendor}-insecure-api-key.${secret}`] })).toBe('realtime');
  });
});

describe('before the upgrade, in plain HTTP with the error body of the house', () => {
  test('401 without a key, with a wrong one, and with a revoked one', async () => {
    const { secret, keyId } = await stage.account();
    await revokeKey(stage.db, keyId);
    for (const key of [undefined, 'sk_live_unknown', secret]) {
      const { status, body, headers } = await refusalAt(stage.url, path, { key });
      expect([status, body.error.code]).toEqual([401, 'invalid_api_key']);
      expect(headers['x-request-id']).toMatch(/^req_/);
    }
  });

  test('402 for an empty balance, with its headers', async () => {
    const { secret } = await stage.account({ creditUsd: '0' });
    const { status, body, headers } = await refusalAt(stage.url, path, { key: secret });
    expect([status, body.error.code, headers['x-limit-source']]).toEqual([402, 'insufficient_balance', 'balance']);
  });

  test('403 for a key without the scope, and from an address that it does not allow', async () => {
    const { secret } = await stage.account({ scopes: ['llm'] });
    expect((await refusalAt(stage.url, path, { key: secret })).body.error.code).toBe('scope_not_allowed');
    const other = await stage.account({ allowedIps: ['192.0.2.0/24'] });
    const refused = await refusalAt(stage.url, path, { key: other.secret });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'ip_not_allowed']);
  });

  test('429 while the key has as many sockets open as it may, until one is closed', async () => {
    const { secret } = await stage.account({ concurrencyLimit: 1 });
    const first = await socketAt(stage.url, path, { key: secret });
    const { status, body } = await refusalAt(stage.url, path, { key: secret });
    expect([status, body.error.code]).toEqual([429, 'concurrency_limit_exceeded']);
    first.ws.close();
    await first.closed;
    const second = await socketAt(stage.url, path, { key: secret });
    second.ws.terminate();
  });

  test.each(['model', 'intent'])('400 for a query with two values of %s', async (name) => {
    const { secret: key } = await stage.account();
    const { status, body } = await refusalAt(stage.url, `/v1/realtime?${name}=a&${name}=b`, { key });
    expect([status, body.error]).toMatchObject([400, { code: 'invalid_value', param: name }]);
    expect(body.error.message).toContain('more than once');
  });

  test('404 for an unknown model and an unknown path, 400 without a model', async () => {
    const { secret: key } = await stage.account();
    const unknown = await refusalAt(stage.url, '/v1/realtime?model=gpt-x-realtime', { key });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'model_not_found']);
    expect(unknown.body.error.message).toContain("'ledgerline-realtime-1'");
    expect((await refusalAt(stage.url, '/v1/unreal', { key })).body.error.code).toBe('unknown_url');
    expect((await refusalAt(stage.url, '/v1/realtime', { key })).body.error).toMatchObject({ param: 'model' });
  });
});

test('a request that wants no socket is told to open one', async () => {
  const { secret } = await stage.account();
  const response = await stage.ask(path, { headers: { 'x-api-key': secret } });
  expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket']);
  expect(((await response.json()) as ErrorBody).error.code).toBe('upgrade_required');
});

test('a message over a mebibyte closes the socket with 1009', async () => {
  const { secret } = await stage.account();
  const socket = await socketAt(stage.url, path, { key: secret });
  socket.send('x'.repeat(1024 * 1024 + 1));
  expect((await socket.closed).code).toBe(1009);
});

test('a key that is revoked ends its sockets with a typed error and 1008', async () => {
  const { secret, keyId } = await stage.account();
  const socket = await socketAt(stage.url, path, { key: secret });
  await socket.next('session.created');
  await revokeKey(stage.db, keyId);
  const { error } = await socket.next('error');
  expect(error).toMatchObject({ type: 'invalid_request_error', code: 'invalid_api_key' });
  expect((await socket.closed).code).toBe(1008);
});

test('a process that ends says so to its sockets, and exits', async () => {
  const { secret } = await stage.account();
  const api = await stage.startAnother();
  const socket = await socketAt(api.url, path, { key: secret });
  await socket.next('session.created');
  process.kill(api.pid, 'SIGTERM');
  expect(await api.exited).toBe('exited with code 0');
  expect(socket.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'overloaded' } });
  expect((await socket.closed).code).toBe(1001);
});

test('a process that ends lets a running response end before it says so', async () => {
  const { secret } = await stage.account();
  const api = await stage.startAnother();
  const socket = await socketAt(api.url, path, { key: secret });
  const text = JSON.stringify({ scripted: { text: 'four five six. '.repeat(30), delayMs: 20 } });
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
  socket.send({ type: 'conversation.item.create', item });
  socket.send({ type: 'response.create', response: { output_modalities: ['text'] } });
  await socket.next('response.output_text.delta');
  process.kill(api.pid, 'SIGTERM');
  expect((await socket.closed).code).toBe(1001);
  expect(socket.events.slice(-2)).toMatchObject([
    { type: 'response.done', response: { status: 'completed' } },
    { type: 'error', error: { code: 'overloaded' } },
  ]);
  expect(await api.exited).toBe('exited with code 0');
});
