import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { newKeySecret } from '../../../db/keys/keySecret.ts';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { ask, chatBody, chatPath, setGuardStage, type ErrorBody } from '../../support/guardStage.ts';
import { openSocket, readRaw } from '../../support/http.ts';
import { productGlobal } from '../../support/productRealm.ts';
import { until } from '../../support/until.ts';

const models = '/v1/models';

const stage = await setGuardStage();
const live = (await stage.account()).secret;
afterAll(() => stage.close());

/** Repeats requests for a second. Returns the next answer's status. */
async function statusAfterASecond(headers: Record<string, string>): Promise<number> {
  const startedAtMs = performance.now();
  for (;;) {
    const askedAtMs = performance.now();
    const { status } = await stage.ask(models, { headers });
    if (askedAtMs > startedAtMs + 1_000) return status;
  }
}

/** The last character of a key is part of its checksum. */
const mistype = (secret: string) => secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');

test('a wrong or revoked key gets OpenAI’s error', async () => {
  const { secret, keyId } = await stage.account();
  await revokeKey(stage.db, keyId);
  for (const sent of [undefined, 'sk_live_unknown', mistype(live), secret]) {
    const response = await stage.ask(models, {
      headers: sent === undefined ? {} : { authorization: `Bearer ${sent}` },
    });
    const { error } = (await response.json()) as ErrorBody;
    expect([response.status, error.code]).toEqual([401, 'invalid_api_key']);
    expect(error.message).toMatch(/^Incorrect API key provided\b/);
    // LiteLLM would treat this as a rate limit and retry.
    expect(JSON.stringify(error)).not.toMatch(/rate[\s_-]*limit|429/i);
  }
});

test('an unknown key is told every header that takes one', async () => {
  const response = await stage.ask(models, { headers: { 'xi-api-key': newKeySecret() } });
  const { message } = ((await response.json()) as ErrorBody).error;
  for (const name of ['Authorization: Bearer', 'x-api-key:', 'xi-api-key:'])
    expect(message).toContain(`"${name} <key>"`);
});

describe('a live key is accepted', () => {
  test.each([
    ['Authorization: Bearer', () => ({ authorization: `Bearer ${live}` })],
    ['authorization: bearer', () => ({ authorization: `bearer ${live}` })],
    ['BEARER and spaces', () => ({ authorization: `BEARER   ${live} ` })],
    ['x-api-key', () => ({ 'x-api-key': live })],
    ['xi-api-key', () => ({ 'xi-api-key': live })],
    ['the same key in all three', () => ({ authorization: `Bearer ${live}`, 'x-api-key': live, 'xi-api-key': live })],
    ['an empty second header', () => ({ authorization: `Bearer ${live}`, 'x-api-key': '' })],
    ['another scheme beside x-api-key', () => ({ authorization: 'Basic dXNlcjpwYXNz', 'x-api-key': live })],
  ])('when sent as %s', async (_, headersOf) => {
    expect((await stage.ask(models, { headers: headersOf() })).status).toBe(200);
  });
});

describe('the error is 401 invalid_api_key', () => {
  test.each([
    ['no header', () => ({})],
    ['an empty bearer', () => ({ authorization: 'Bearer ' })],
    ['the bare key as authorization', () => ({ authorization: live })],
    ['basic credentials', () => ({ authorization: `Basic ${Buffer.from(`${live}:`).toString('base64')}` })],
    ['an unknown key', () => ({ authorization: `Bearer ${newKeySecret()}` })],
    ['an unknown key as x-api-key', () => ({ 'x-api-key': newKeySecret() })],
    ['an unknown key as xi-api-key', () => ({ 'xi-api-key': newKeySecret() })],
    ['a mistyped key', () => ({ authorization: `Bearer ${mistype(live)}` })],
    ['a mistyped key as x-api-key', () => ({ 'x-api-key': mistype(live) })],
    ['a key with something after it', () => ({ 'x-api-key': `${live}x` })],
    ['only the shown prefix', () => ({ 'x-api-key': live.slice(0, 12) })],
    ['two different keys', () => ({ authorization: `Bearer ${live}`, 'x-api-key': newKeySecret() })],
    ['a key in a cookie', () => ({ cookie: `key=${live}` })],
    ['ten kilobytes', () => ({ 'x-api-key': 'k'.repeat(10_000) })],
    ["a quote for the database's language", () => ({ 'x-api-key': "' or 1=1 --" })],
  ])('for %s', async (_, headersOf) => {
    const response = await stage.ask(models, { headers: headersOf() });
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="Ledgerline API"');
    const { error } = (await response.json()) as ErrorBody;
    expect({ status: response.status, ...error, message: typeof error.message }).toEqual({
      status: 401,
      code: 'invalid_api_key',
      type: 'invalid_request_error',
      param: null,
      message: 'string',
    });
    expect(JSON.stringify(error)).not.toContain(live);
  });

  test.each([
    ['in quotes', () => ({ authorization: `Bearer "${live}"` }), 'it is in quotation marks. Send it without them.'],
    [
      'with the scheme twice',
      () => ({ authorization: `Bearer Bearer ${live}` }),
      'it begins with the word Bearer, which the header or the client adds. Give the key alone.',
    ],
    ['of a page', () => ({ 'x-api-key': 'sk_live_...' }), 'this is a placeholder. Put a key of yours in its place.'],
    [
      'of a page, unfilled',
      () => ({ 'xi-api-key': '<API_KEY>' }),
      'this is a placeholder. Put a key of yours in its place.',
    ],
    ['with a space', () => ({ 'x-api-key': live.replace('sk_live_', 'sk_live_ ') }), 'it has a space in it.'],
    ['cut', () => ({ 'x-api-key': live.slice(0, 20) }), 'it is mistyped, or not whole.'],
    ['without a scheme', () => ({ authorization: live }), 'the header Authorization must be "Bearer <key>".'],
    [
      'beside another',
      () => ({ authorization: `Bearer ${live}`, 'xi-api-key': newKeySecret() }),
      'two headers have different keys. Send one of them.',
    ],
  ])('that names the mistake of a key %s', async (_, headersOf, mistake) => {
    const { error } = (await (await stage.ask(models, { headers: headersOf() })).json()) as ErrorBody;
    expect(error.message).toBe(`Incorrect API key provided: ${mistake}`);
  });

  test('for a key in the query string', async () => {
    expect((await stage.ask(`${models}?api_key=${live}`)).status).toBe(401);
  });

  test('for two headers with different keys, in either order', async () => {
    for (const name of ['authorization', 'x-api-key']) {
      const scheme = name === 'authorization' ? 'Bearer ' : '';
      for (const keys of [
        [live, newKeySecret()],
        [newKeySecret(), live],
      ]) {
        const headers = new Headers();
        for (const key of keys) headers.append(name, scheme + key);
        expect((await fetch(stage.api.url + models, { headers })).status).toBe(401);
      }
    }
  });

  test('for a key that has expired', async () => {
    const { keyId, secret } = await stage.account();
    await stage.db.pool.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [keyId]);
    expect((await stage.ask(models, { headers: { 'x-api-key': secret } })).status).toBe(401);
  });

  test('for a key that expires while in use, within a second', async () => {
    const { keyId, secret } = await stage.account();
    const headers = { 'x-api-key': secret };
    expect((await stage.ask(models, { headers })).status).toBe(200);
    await stage.db.pool.query('update api_keys set expires_at = now() where id = $1', [keyId]);
    expect(await statusAfterASecond(headers)).toBe(401);
  });
});

describe('a revoked key', () => {
  test('is refused within a second in every process during a burst, and stays refused', async () => {
    const { keyId, secret } = await stage.account({ creditUsd: '100' });
    const other = await stage.startAnother();
    const call = (url: string) => ask(url, chatPath, { headers: { 'x-api-key': secret }, body: chatBody() });
    const seen: { revokedAtMs: number; atMs: number; status: number }[] = [];
    let revokedAtMs = Infinity;
    const burst = async (url: string): Promise<void> => {
      for (let atMs = 0; atMs <= revokedAtMs + 1_000;) {
        atMs = performance.now();
        const { status } = await call(url);
        seen.push({ revokedAtMs, atMs, status });
      }
    };
    const bursts = [stage.api.url, other.url, stage.api.url, other.url].map(burst);
    await until(() => seen.length > 40);
    expect(await revokeKey(stage.db, keyId)).toBe(true);
    revokedAtMs = performance.now();
    await Promise.all(bursts);
    const before = seen.filter(({ revokedAtMs }) => revokedAtMs === Infinity).map(({ status }) => status);
    const after = seen.filter(({ atMs }) => atMs > revokedAtMs + 1_000).map(({ status }) => status);
    expect(new Set(before).has(200)).toBe(true);
    expect(after).toEqual(bursts.map(() => 401));
    expect((await call(other.url)).status).toBe(401);
  });

  test('is refused when the process gets the notice, without waiting for its next reading', async () => {
    const { keyId, secret } = await stage.account();
    const headers = { 'x-api-key': secret };
    // What the process has read of a key never becomes old.
    const clock = jest.spyOn(productGlobal.performance, 'now').mockReturnValue(productGlobal.performance.now());
    try {
      expect((await stage.ask(models, { headers })).status).toBe(200);
      await revokeKey(stage.db, keyId);
      await until(async () => (await stage.ask(models, { headers })).status === 401);
    } finally {
      clock.mockRestore();
    }
  });

  test("is refused when it was revoked during the request's key lookup", async () => {
    const { keyId, secret } = await stage.account();
    const body = chatBody({ user: keyId });
    const socket = await openSocket(stage.api.url);
    const answer = readRaw(socket);
    const head = `POST ${chatPath} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Api-Key: ${secret}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`);
    const others = () => stage.ask(models, { headers: { 'x-api-key': secret } });
    expect((await others()).status).toBe(200);
    await revokeKey(stage.db, keyId);
    await until(async () => (await others()).status === 401);
    socket.write(body.slice(-1));
    expect((await answer).status).toBe(401);
    expect(stage.upstream.calls().filter((call) => call.body.user === keyId)).toEqual([]);
  });

  test('is refused within a second even without a notice', async () => {
    const { keyId, secret } = await stage.account();
    const headers = { 'x-api-key': secret };
    await stage.ask(models, { headers });
    await stage.db.pool.query('update api_keys set revoked_at = now() where id = $1', [keyId]);
    expect(await statusAfterASecond(headers)).toBe(401);
  });
});

test('two keys with equal prefixes both work, each for its own account', async () => {
  const twin = live.slice(0, 12) + newKeySecret();
  const { keyId } = await stage.account({ secret: twin });
  const response = await stage.ask('/platform/v1/keys', { headers: { 'x-api-key': twin } });
  const { data } = (await response.json()) as { data: { id: string; prefix: string }[] };
  expect(data.map(({ id, prefix }) => ({ id, prefix }))).toEqual([{ id: keyId, prefix: live.slice(0, 12) }]);
  expect((await stage.ask(models, { headers: { 'x-api-key': live } })).status).toBe(200);
});

test('the last use of a key is stored, for every kind of use', async () => {
  const { keyId, secret } = await stage.account();
  const lastUsed = async () =>
    (await stage.db.pool.query('select last_used_at from api_keys where id = $1', [keyId])).rows[0].last_used_at;
  expect(await lastUsed()).toBeNull();
  await stage.ask(models, { headers: { 'x-api-key': secret } });
  await until(async () => (await lastUsed()) !== null);
  const before = await lastUsed();
  await until(async () => {
    await stage.ask(chatPath, { headers: { 'x-api-key': secret }, body: chatBody() });
    return (await lastUsed()) > before;
  });
});

test("a key without a product's scope gets 403 scope_not_allowed", async () => {
  const { secret } = await stage.account({ scopes: ['voice', 'batch'] });
  const response = await stage.ask(chatPath, { headers: { 'x-api-key': secret }, body: chatBody() });
  const { error } = (await response.json()) as ErrorBody;
  expect(response.status).toBe(403);
  expect(error).toMatchObject({ code: 'scope_not_allowed', type: 'permission_error', param: null });
  expect((await stage.ask(models, { headers: { 'x-api-key': secret } })).status).toBe(200);
});

test('no key is ever logged', () => {
  const log = stage.api.lines.join('\n');
  expect(log).toContain('"route":"/v1/models"');
  expect(log).not.toContain(live.slice(8));
  expect(log).not.toMatch(/sk_live_[0-9A-Za-z]{5}/);
});
