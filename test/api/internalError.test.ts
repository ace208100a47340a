import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createApp } from '../../api/app.ts';
import { createLocalLimits } from '../../api/guard/localLimits.ts';
import { createShutdown } from '../../api/http/shutdown.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';
import { createLog } from '../../base/log.ts';
import type { Services } from '../../api/services.ts';
import { newKeySecret } from '../../db/keys/keySecret.ts';
import { ask, type ErrorBody } from '../support/guardStage.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

/** The app with a key lookup that fails with `fail`. Returns the address and the log lines. */
async function start(fail: () => never) {
  let log = '';
  const sink = new Writable({
    write(chunk: Buffer, _, done) {
      log += chunk.toString();
      done();
    },
  });
  const services = {
    config: { publicUrl: 'http://127.0.0.1', signIn: [] },
    log: createLog('info', sink),
    limits: createLocalLimits({ rpm: 60, concurrency: 5 }),
    db: { keys: { find: fail } },
    catalog: { models: [] },
    shutdown: createShutdown(),
  } as unknown as Services;
  const answer = createApp(services).callback();
  server = createServer((req, res) => void answer(req, res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, log: () => log };
}

const throwing = (thrown: unknown) => (): never => {
  throw thrown;
};

describe('an internal fault', () => {
  test("is 500 internal_error with only the request's id in its message; the log has the rest", async () => {
    const cause = new Error('relation "vaults" does not exist');
    const { url, log } = await start(throwing(new Error('select secret from vaults at 10.0.0.7 failed', { cause })));
    const response = await ask(url, '/v1/models', { headers: { 'x-api-key': 'sk_live_any' } });
    const id = response.headers.get('x-request-id')!;
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: { message: `Internal error. Request id: ${id}`, type: 'api_error', param: null, code: 'internal_error' },
    });
    const line = JSON.parse(log()) as Record<string, unknown>;
    expect(line).toMatchObject({ level: 50, requestId: id, status: 500, route: '/v1/models' });
    expect(JSON.stringify(line)).toContain('select secret from vaults');
    expect(JSON.stringify(line)).toContain('relation \\"vaults\\" does not exist');
    expect(JSON.stringify(line)).toContain('internalError.test.ts');
  });

  test('of the caller is logged with the code that its answer had', async () => {
    const { url, log } = await start(
      throwing(invalidRequest('invalid_signature', 'The header does not sign this body.')),
    );
    await ask(url, '/v1/models', { headers: { 'x-api-key': 'sk_live_any' } });
    expect(JSON.parse(log())).toMatchObject({
      status: 400,
      code: 'invalid_signature',
      error: 'The header does not sign this body.',
    });
  });

  test.each([
    ['null', null],
    ['undefined', undefined],
    ['a text', 'boom'],
    ['a plain object', { status: 404, message: 'boom', expose: true }],
    ['an error that is marked as exposable', Object.assign(new Error('boom'), { status: 404, expose: true })],
  ])('is 500 too when %s is thrown', async (_, thrown) => {
    const { url, log } = await start(throwing(thrown));
    const response = await ask(url, '/v1/models', { headers: { 'x-api-key': 'sk_live_any' } });
    const { error } = (await response.json()) as ErrorBody;
    expect({ status: response.status, code: error.code }).toEqual({ status: 500, code: 'internal_error' });
    expect(error.message).not.toContain('boom');
    expect(log()).toContain('"level":50');
  });

  test('never logs a key, wherever the error contains it', async () => {
    const secret = newKeySecret();
    const { url, log } = await start(
      throwing(new Error(`no such key: ${secret}`, { cause: { headers: { key: secret } } })),
    );
    await ask(url, `/v1/models/${secret}?key=${secret}`, { headers: { 'x-api-key': secret, cookie: secret } });
    await ask(url, `/${secret}`, { headers: { 'x-api-key': secret } });
    await ask(url, `/%73k%5flive%5F${secret.slice(8)}`, { headers: {} });
    expect(log()).toContain('sk_live_[secret]');
    expect(log()).not.toContain(secret.slice(8, 20));
  });
});
