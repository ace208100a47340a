import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBrowser, password, setAccountStage, type AccountStage } from '../accounts/accountStage.ts';
import { refusalAt, socketAt } from '../../support/webSocket.ts';

const email = 'ada@example.com';
const evil = 'evil.example:4000';
const hostRefused = { status: 403, body: { error: { code: 'host_not_allowed', type: 'permission_error' } } };
const originRefused = { status: 403, body: { error: { code: 'csrf_refused', type: 'permission_error' } } };

describe('an installation on this machine', () => {
  let stage: AccountStage;
  let port: string;
  beforeAll(async () => {
    stage = await setAccountStage({ env: { PUBLIC_URL: 'http://localhost:4000' } });
    ({ port } = new URL(stage.url));
  });
  afterAll(() => stage?.close());

  const at = (host: string, headers: Record<string, string> = {}) =>
    createBrowser(stage.url, { host, headers: { origin: `http://${host}`, ...headers } });
  const signUp = (browser: ReturnType<typeof at>) =>
    browser.post('auth/sign-up/email', { name: 'Ada', email: stage.newEmail(), password });

  test('a page whose name was pointed at it can neither sign up nor read the mails', async () => {
    const page = at(evil);
    expect(await signUp(page)).toMatchObject(hostRefused);
    const asked = [
      await page.send('GET', '/console/test-mail'),
      await page.get('me'),
      await page.get('auth/get-session'),
      await page.post('auth/sign-in/email', { email, password }),
      await page.get('keys'),
      await page.send('GET', '/console/v1/keys', undefined, { authorization: 'Bearer sk_live_unknown' }),
      await page.send('GET', '/%63onsole/v1/me'),
    ];
    expect(asked.map(({ body }) => body.error.code)).toEqual(asked.map(() => 'host_not_allowed'));
    expect(asked[0]!.body.error.message).toContain('http://localhost:4000');
  });

  test('its local names reach it at the port of its address and of the connection', async () => {
    for (const host of ['localhost:4000', `127.0.0.1:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect([host, (await signUp(at(host, { origin: `http://${host.toLowerCase()}` }))).status]).toEqual([host, 200]);
    for (const host of ['localhost:4001', 'localhost', '127.0.0.1', `127.0.0.2:${port}`, `localhost.evil:${port}`])
      expect([host, (await signUp(at(host))).status]).toEqual([host, 403]);
  });

  test('an origin that is sent is its own, whatever the requesting site is said to be', async () => {
    const site = { 'sec-fetch-site': 'same-origin' };
    for (const origin of ['http://localhost:5173', 'https://localhost:4000', `http://127.0.0.1:${port}`, 'null'])
      expect(await signUp(at('localhost:4000', { origin, ...site }))).toMatchObject(originRefused);
    const other = at('localhost:4000', { origin: 'http://localhost:5173' });
    expect(await other.get('auth/get-session')).toMatchObject(originRefused);
  });

  test('the mails are shown to the machine itself, and to no request that a proxy brought', async () => {
    const mails = (headers: Record<string, string>) =>
      at('localhost:4000').send('GET', '/console/test-mail', undefined, headers);
    const own = await createBrowser(stage.url, { host: 'localhost:4000' }).send('GET', '/console/test-mail');
    expect(own.status).toBe(200);
    for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip'])
      expect([name, (await mails({ [name]: '127.0.0.1' })).status]).toEqual([name, 404]);
  });
});

describe('an installation with an address of its own', () => {
  let stage: AccountStage;
  beforeAll(async () => {
    stage = await setAccountStage({ env: { PUBLIC_URL: 'https://console.example' } });
  });
  afterAll(() => stage?.close());

  test('is reached by that name alone, with the port or without', async () => {
    const statusAt = async (host: string) => (await createBrowser(stage.url, { host }).get('auth/get-session')).status;
    expect(await statusAt('console.example')).toBe(200);
    expect(await statusAt('console.example:443')).toBe(200);
    for (const host of ['console.example:8443', new URL(stage.url).host, 'localhost', 'www.console.example'])
      expect([host, await statusAt(host)]).toEqual([host, 403]);
  });
});

describe('a socket with the cookie', () => {
  let stage: AccountStage;
  let cookie: string;
  beforeAll(async () => {
    stage = await setAccountStage();
    const ada = await stage.person();
    await stage.credit(ada.me.workspace.id, '5');
    cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  });
  afterAll(() => stage?.close());

  const paths = ['/console/v1/realtime?model=gpt-realtime', '/console/v1/voice/text-to-speech/any/stream-input'];

  test.each(paths)('opens at %s for a page of the console', async (path) => {
    const socket = await socketAt(stage.url, path, { headers: { cookie, origin: stage.url } });
    socket.ws.terminate();
  });

  test.each(paths)('opens at %s for no other page, and for none without an origin', async (path) => {
    const origins = ['https://evil.example', 'null', 'http://localhost:5173', `${stage.url}.evil.example`, undefined];
    for (const origin of origins) {
      const headers = { cookie, ...(origin !== undefined && { origin }) };
      const { status, body } = await refusalAt(stage.url, path, { headers });
      expect([origin, status, body.error.code]).toEqual([origin, 403, 'csrf_refused']);
    }
  });
});
