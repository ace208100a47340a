import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { listen } from '../../../rules/scripted/startScripted.ts';
import type { Browser } from '../accounts/accountStage.ts';
import { comeBack, PUBLIC_URL } from '../accounts/providerSignIn.ts';
import { begin, setSsoStage } from './ssoStage.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A provider that answers each code with the token that a test has made for it. */
async function startLiar() {
  let idToken: string | undefined;
  /** The path whose answers are long. */
  let long: string | undefined;
  const { url: issuer, stop } = await listen(0, (req, res) => {
    res.setHeader('content-type', 'application/json');
    if (req.url === long) res.write(' '.repeat(1_000_000));
    if (req.url === '/token') res.end(JSON.stringify({ access_token: 'x', token_type: 'Bearer', id_token: idToken }));
    else if (req.url === '/jwks')
      res.end(JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256' }] }));
    else
      res.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
        }),
      );
  });
  return {
    issuer,
    tell: (token: string | undefined) => (idToken = token),
    lengthen: (path: string | undefined) => (long = path),
    stop,
  };
}

const liar = await startLiar();
const stage = await setSsoStage({ SSO_PRIVATE_ORIGINS: liar.issuer });
afterAll(async () => {
  await stage.close();
  await liar.stop();
});
const ada = await stage.owner();
const domain = await stage.prove(ada);
beforeAll(async () => {
  const { status } = await stage.put(ada, stage.oidc({ issuer: liar.issuer, client_id: 'us' }));
  expect(status).toBe(200);
  expect(await signIn(honest, { trial: true }, ada)).toMatch('error=sso_trial');
});

type Claims = Record<string, unknown>;
type Make = (claims: Claims) => string | undefined;

const signed = (claims: Claims, key = privateKey, header: object = { alg: 'RS256', kid: 'k' }) => {
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
};
const honest: Make = (claims) => signed(claims);

async function signIn(make: Make, body: object = { email: `a@${domain}` }, browser: Browser = stage.browser()) {
  const asked = new URL((await begin(browser, body)).body.url).searchParams;
  const now = Math.floor(Date.now() / 1_000);
  const email = `liar@${domain}`;
  const claims = { iss: liar.issuer, aud: 'us', sub: 'liar', email, groups: ['admins'], iat: now, exp: now + 300 };
  liar.tell(make({ ...claims, nonce: asked.get('nonce') }));
  const back = new URL(asked.get('redirect_uri')!);
  back.search = new URLSearchParams({ code: 'any', state: asked.get('state')! }).toString();
  expect(back.origin).toBe(PUBLIC_URL);
  return comeBack(browser, back.href);
}

test('an honest token opens a session', async () => {
  expect(await signIn(honest)).toBe('/sign-in?step=done');
});

const jwk = JSON.stringify(publicKey.export({ format: 'jwk' }));
const FORGERIES: [name: string, make: Make][] = [
  ['none at all', () => undefined],
  ['one without a signature', (claims) => `${encoded({ alg: 'none' })}.${encoded(claims)}.`],
  [
    'one whose signature is keyed by the public key',
    (claims) => {
      const text = `${encoded({ alg: 'HS256', kid: 'k' })}.${encoded(claims)}`;
      return `${text}.${createHmac('sha256', jwk).update(text).digest('base64url')}`;
    },
  ],
  ['one of another key', (claims) => signed(claims, other.privateKey)],
  [
    'one that brings its own key',
    (claims) => signed(claims, other.privateKey, { alg: 'RS256', jwk: other.publicKey.export({ format: 'jwk' }) }),
  ],
  ['one of another issuer', (claims) => signed({ ...claims, iss: 'https://other.example' })],
  ['one for another client', (claims) => signed({ ...claims, aud: 'them' })],
  ['one for several clients, of another', (claims) => signed({ ...claims, aud: ['us', 'them'], azp: 'them' })],
  ['one that has expired', (claims) => signed({ ...claims, exp: Math.floor(Date.now() / 1_000) - 3_600 })],
  ['one of another sign-in', (claims) => signed({ ...claims, nonce: 'another' })],
  ['one without the sign-in', ({ nonce: _nonce, ...claims }) => signed(claims)],
  ['one without a subject', ({ sub: _sub, ...claims }) => signed(claims)],
  ['one of an address that it has not verified', (claims) => signed({ ...claims, email_verified: false })],
  ['one of another domain', (claims) => signed({ ...claims, email: 'liar@other.example' })],
];

test.each(FORGERIES)('a token that is %s opens none', async (_name, make) => {
  const browser = stage.browser();
  expect(await signIn(make, undefined, browser)).toMatch('error=');
  expect((await browser.get('me')).status).toBe(401);
});

test.each(['/token', '/jwks'])('an answer of %s without an end is not read to its end', async (path) => {
  liar.lengthen(path);
  const next = await signIn(honest);
  liar.lengthen(undefined);
  expect(next).toMatch('/sign-in?error=invalid_provider');
  expect(await signIn(honest)).toBe('/sign-in?step=done');
});
