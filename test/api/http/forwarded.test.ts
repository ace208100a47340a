import type { IncomingMessage } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import { callerAddressOf, cameWithoutTls } from '../../../api/http/forwarded.ts';
import { parseRanges } from '../../../base/addressRanges.ts';
import { readApiConfig } from '../../../api/config.ts';
import { createBrowser, setAccountStage, type AccountStage } from '../accounts/accountStage.ts';

const proxies = parseRanges('10.0.0.0/8, 192.0.2.7,2001:db8::/32');
const requestOf = (remoteAddress: string | undefined, headers: Record<string, string>) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

describe('the address of a caller', () => {
  test.each([
    // connection, X-Forwarded-For, address
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['2001:db8::1', '2001:db9::1', '2001:db9::1'],
    // The caller has written the first entries, the proxies have appended the others.
    ['10.0.0.1', '127.0.0.1, 198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '127.0.0.1, 198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['10.0.0.1', '10.0.0.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['10.0.0.1', '[2001:db9::1]:443', '2001:db9::1'],
    ['10.0.0.1', 'fe80::1%eth0', 'fe80::1'],
    ['10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1, ', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1, 10.0.0.300', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1, 0x7f.1', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.2,10.0.0.3', '10.0.0.2'],
    [undefined, '198.51.100.1', ''],
  ])('of a connection from %s with %s is %s', (remote, forwarded, address) => {
    expect(callerAddressOf(requestOf(remote, { 'x-forwarded-for': forwarded }), proxies)).toBe(address);
  });

  test('is that of the connection when no proxy is trusted, and when the header is missing', () => {
    expect(callerAddressOf(requestOf('10.0.0.1', { 'x-forwarded-for': '198.51.100.1' }), null)).toBe('10.0.0.1');
    expect(callerAddressOf(requestOf('10.0.0.1', {}), proxies)).toBe('10.0.0.1');
    expect(callerAddressOf(requestOf('fe80::1%eth0', {}), null)).toBe('fe80::1');
  });

  test('ignores other headers', () => {
    const headers = { forwarded: 'for=198.51.100.1', 'x-real-ip': '198.51.100.1', 'x-client-address': '198.51.100.1' };
    expect(callerAddressOf(requestOf('10.0.0.1', headers), proxies)).toBe('10.0.0.1');
  });
});

test.each([
  ['10.0.0.1', 'http', true],
  ['10.0.0.1', 'HTTP', true],
  ['10.0.0.1', 'https', false],
  ['10.0.0.1', 'http, https', false],
  ['203.0.113.9', 'http', false],
])('a connection from %s with X-Forwarded-Proto %s counts as without TLS: %s', (remote, scheme, isPlain) => {
  expect(cameWithoutTls(requestOf(remote, { 'x-forwarded-proto': scheme }), proxies)).toBe(isPlain);
});

describe('the setting of trusted proxies', () => {
  const least = { DATABASE_URL: 'postgres://127.0.0.1/ledgerline', PUBLIC_URL: 'https://api.example' };

  test.each(['10.0.0.0/33', '10.0.0.0/8;', 'proxy.example', '10.0.0', '0.0.0.0/0', '::/0', '10.0.0.0/8,', '10.0.0.0/'])(
    'refuses %s with an error that names it',
    (value) => {
      expect(() => readApiConfig({ ...least, TRUSTED_PROXIES: value })).toThrow('TRUSTED_PROXIES: must');
    },
  );

  test('requires the public address', () => {
    const set = { ...least, TRUSTED_PROXIES: '10.0.0.0/8' };
    expect(readApiConfig(set).trustedProxies).not.toBeNull();
    expect(() => readApiConfig({ ...set, PUBLIC_URL: '' })).toThrow('PUBLIC_URL: is not set');
    expect(readApiConfig(least).trustedProxies).toBeNull();
  });
});

const PUBLIC_URL = 'https://console.example';
const stage = await setAccountStage({ env: { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL } });
const plain = await setAccountStage({ env: { PUBLIC_URL } });
afterAll(() => Promise.all([stage.close(), plain.close()]));

describe('behind a trusted proxy', () => {
  const statusFrom = async ({ api }: AccountStage, secret: string, forwarded: string) => {
    const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': forwarded };
    return (await fetch(`${api.url}/platform/v1/key`, { headers })).status;
  };

  test('a key with allowed addresses admits its caller, and no forged address', async () => {
    const { secret } = await stage.account({ allowedIps: ['198.51.100.0/24'] });
    expect(await statusFrom(stage, secret, '198.51.100.1')).toBe(200);
    expect(await statusFrom(stage, secret, '198.51.100.1, 203.0.113.9')).toBe(403);
    expect(await statusFrom(stage, secret, '203.0.113.9')).toBe(403);
    const own = await plain.account({ allowedIps: ['198.51.100.0/24'] });
    expect(await statusFrom(plain, own.secret, '198.51.100.1')).toBe(403);
  });

  /** The number of successful sign-ins among 62 callers that each send another address. */
  async function guesses({ api }: AccountStage, forwardedOf: (nth: number) => string): Promise<number> {
    let passed = 0;
    for (let nth = 0; nth < 62; nth += 1) {
      const browser = createBrowser(api.url, {
        host: 'console.example',
        headers: { 'x-forwarded-for': forwardedOf(nth) },
      });
      const body = { email: `nobody${nth}@example.com`, password: 'wrong password' };
      const { status } = await browser.send('POST', '/console/v1/auth/sign-in/email', body, {
        origin: 'https://console.example',
      });
      if (status === 401) passed += 1;
    }
    return passed;
  }

  test('failed sign-ins count per caller, and a forged address does not reset them', async () => {
    expect(await guesses(stage, (nth) => `203.0.113.${nth}, 198.51.100.77`)).toBe(60);
    expect(await guesses(stage, (nth) => `198.51.100.${nth + 100}`)).toBe(62);
    expect(await guesses(plain, (nth) => `198.51.100.${nth}`)).toBe(60);
  });

  test('a session shows the address of its caller, and its cookie is Secure whatever a header says', async () => {
    const { email } = await stage.person();
    const browser = createBrowser(stage.api.url, {
      host: 'console.example',
      headers: {
        'x-forwarded-for': '127.0.0.1, 198.51.100.200',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'evil.example',
      },
    });
    const { status, headers } = await browser.post('auth/sign-in/email', { email, password: 'correct horse battery' });
    expect(status).toBe(200);
    expect(headers.getSetCookie().join()).toMatch(/^__Host-ledgerline\.session_token=.*; Secure/);
    const { body } = await browser.get('auth/list-sessions');
    expect(JSON.stringify(body)).toContain('198.51.100.200');
  });

  test('a page that came without TLS is redirected to the address with TLS', async () => {
    const page = async ({ api }: AccountStage, scheme: string) => {
      const headers = { accept: 'text/html', 'x-forwarded-proto': scheme };
      const { status, headers: answered } = await fetch(`${api.url}/keys?a=1`, { headers, redirect: 'manual' });
      return [status === 308, answered.get('location')];
    };
    expect(await page(stage, 'http')).toEqual([true, 'https://console.example/keys?a=1']);
    expect(await page(stage, 'https')).toEqual([false, null]);
    expect(await page(plain, 'http')).toEqual([false, null]);
  });
});
