import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { productGlobal } from '../../support/productRealm.ts';
import { setAccountStage } from './accountStage.ts';

// The vendors cannot be reached from tests: their answers are written here as their documentation shows them.
const PUBLIC_URL = 'http://console.test:4000';
const before = productGlobal.fetch;
let answers: Record<string, unknown>;
let id = 583_231;
let asked: { url: string; body: string }[];

const answering = async (input: string | URL | Request, init?: RequestInit) => {
  const url = String(input instanceof Request ? input.url : input);
  const answer = Object.entries(answers).find(([start]) => url.startsWith(start));
  if (!answer) return before(input, init);
  asked.push({ url, body: init?.body instanceof productGlobal.URLSearchParams ? init.body.toString() : '' });
  return productGlobal.Response.json(answer[1]);
};
// The product puts its own in place: here the vendors' answers stay.
Object.defineProperty(productGlobal, 'fetch', { configurable: true, get: () => answering, set: () => {} });
const env = {
  PUBLIC_URL,
  GITHUB_CLIENT_ID: 'github-client',
  GITHUB_CLIENT_SECRET: 'github-secret',
  GOOGLE_CLIENT_ID: 'google-client',
  GOOGLE_CLIENT_SECRET: 'google-secret',
};
const stage = await setAccountStage({ env });
afterAll(async () => {
  Object.defineProperty(productGlobal, 'fetch', { configurable: true, writable: true, value: before });
  await stage.close();
});
beforeEach(() => {
  [answers, asked] = [{}, []];
});

/** Comes back from the vendor's page with a code. */
async function signIn(provider: 'github' | 'google') {
  const browser = stage.browser();
  const begun = await browser.post<{ url: string }>('auth/sign-in/social', { provider });
  const url = new URL(begun.body.url);
  const state = url.searchParams.get('state');
  const callback = `/console/v1/auth/callback/${provider}?code=the-code&state=${state}`;
  const { headers } = await browser.send('GET', callback, undefined, { 'sec-fetch-site': 'cross-site' });
  return { browser, url, next: headers.get('location') };
}

/** Each time another person. */
function answerAsGitHub(email: string, { verified = true, isShown = true } = {}) {
  id += 1;
  answers = {
    'https://github.com/login/oauth/access_token': { access_token: 'gho_x', token_type: 'bearer', scope: 'user:email' },
    'https://api.github.com/user/emails': [
      { email: 'other@example.org', primary: false, verified: true },
      { email, primary: true, verified },
    ],
    'https://api.github.com/user': { id, login: 'octocat', name: null, email: isShown ? email : null },
  };
}

test('GitHub signs in with the primary address that it has verified, by PKCE', async () => {
  const email = stage.newEmail('octocat');
  answerAsGitHub(email, { isShown: false });
  const { browser, url, next } = await signIn('github');
  expect(url.origin + url.pathname).toBe('https://github.com/login/oauth/authorize');
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'github-client',
    redirect_uri: `${PUBLIC_URL}/console/v1/auth/callback/github`,
    scope: 'read:user user:email',
    code_challenge_method: 'S256',
  });
  expect(next).toBe('/sign-in?step=done');
  expect((await browser.get('me')).body.user).toMatchObject({ email, email_verified: true, name: 'octocat' });
  expect(asked[0]!.body).toMatch(/code_verifier=/);
});

test('GitHub signs in nobody whose address it has not verified', async () => {
  const ada = await stage.person();
  for (const isShown of [true, false]) {
    answerAsGitHub(ada.email, { verified: false, isShown });
    const { browser, next } = await signIn('github');
    expect(next).toMatch(/^\/sign-in\?error=/);
    expect((await browser.get('me')).status).toBe(401);
  }
});

test('Google signs in with the address that it has verified', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const isVerified of [true, false]) {
    const email = stage.newEmail('sundar');
    const claims = {
      iss: 'https://accounts.google.com',
      aud: 'google-client',
      sub: `g-${isVerified}`,
      // PostgreSQL stores no NUL and no half of a pair, of which the bound of 100 cuts one.
      name: `Sundar\0${'P'.repeat(92)}😀`,
    };
    const idToken = `${part({ alg: 'RS256', kid: 'x' })}.${part({ ...claims, email, email_verified: isVerified })}.x`;
    answers = { 'https://oauth2.googleapis.com/token': { access_token: 'ya29', expires_in: 3_599, id_token: idToken } };
    const { browser, url, next } = await signIn('google');
    expect(url.origin).toBe('https://accounts.google.com');
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(next).toMatch(isVerified ? '/sign-in?step=done' : '/sign-in?error=email_not_verified');
    const { status, body } = await browser.get('me');
    expect(status).toBe(isVerified ? 200 : 401);
    if (isVerified) expect(body.user).toMatchObject({ name: `Sundar\ufffd${'P'.repeat(92)}` });
  }
});
