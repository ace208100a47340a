import { afterAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetch } from 'undici';
import { startOpenIdProvider, type ProvidedPerson } from '../../support/openIdProvider.ts';
import { password, setAccountStage, type Browser } from './accountStage.ts';
import { codeOf, protect } from './protect.ts';
import { comeBack, enter, PUBLIC_URL } from './providerSignIn.ts';

const provider = await startOpenIdProvider(() => [`${PUBLIC_URL}/console/v1/auth/callback/oidc`]);
const stage = await setAccountStage({ env: { ...provider.env, PUBLIC_URL } });
afterAll(async () => {
  await stage.close();
  await provider.stop();
});

/** A person of the provider. Returns their subject. */
function provide(person: Partial<ProvidedPerson> & { email: string }): string {
  const subject = `sub-${provider.people.size + 1}`;
  provider.people.set(subject, { name: 'Grace Hopper', email_verified: true, ...person });
  return subject;
}

const begin = (browser: Browser, path = 'auth/sign-in/social') =>
  browser.post<{ url: string }>(path, { provider: 'oidc' });

/** Signs in with the provider in a new browser. */
async function signIn(subject: string): Promise<{ browser: Browser; next: string }> {
  const browser = stage.browser();
  const { body } = await begin(browser);
  return { browser, next: await comeBack(browser, await enter(body.url, subject)) };
}

const auditOf = async (userId: string) => {
  const sql = `select action, detail from audit_entries where subject_id = $1 and action like any ('{sign_in,%_provider}') order by created_at, id`;
  return (await stage.db.pool.query<{ action: string; detail: object }>(sql, [userId])).rows;
};

describe('a sign-in by an OpenID provider', () => {
  test('opens an account, with PKCE, a state of its browser, and no kept tokens', async () => {
    const email = stage.newEmail('grace');
    const browser = stage.browser();
    const begun = await begin(browser);
    expect(Object.fromEntries(new URL(begun.body.url).searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      code_challenge: expect.any(String),
      nonce: expect.any(String),
      scope: 'openid email profile',
    });
    expect(begun.headers.getSetCookie().join()).toMatch(/ledgerline\.state=[^,]*SameSite=Lax/i);
    const subject = provide({ email });
    expect(await comeBack(browser, await enter(begun.body.url, subject))).toBe('/sign-in?step=done');
    const { body: me } = await browser.get('me');
    expect(me).toMatchObject({ user: { email, email_verified: true, name: 'Grace Hopper' }, role: 'owner' });
    const { rows } = await stage.db.pool.query('select * from credentials where user_id = $1', [me.user.id]);
    expect(rows).toMatchObject([
      {
        provider_id: 'oidc',
        account_id: `${provider.issuer} ${subject}`,
        access_token: null,
        refresh_token: null,
        id_token: null,
      },
    ]);
    expect(await auditOf(me.user.id)).toEqual([
      { action: 'add_provider', detail: { provider: 'oidc' } },
      { action: 'sign_in', detail: { method: 'oidc' } },
    ]);
    const again = await signIn(subject);
    expect((await again.browser.get('me')).body.user.id).toBe(me.user.id);
  });

  test('of an issuer that replaced another one opens no account of the earlier one’s subjects', async () => {
    const subject = provide({ email: stage.newEmail('former') });
    const { body: former } = await (await signIn(subject)).browser.get('me');
    const sql = 'update credentials set account_id = replace(account_id, $1, $2) where user_id = $3';
    await stage.db.pool.query(sql, [provider.issuer, 'https://former.example', former.user.id]);
    provider.people.set(subject, { name: 'Mallory', email_verified: true, email: stage.newEmail('mallory') });
    const { body: present } = await (await signIn(subject)).browser.get('me');
    expect(present.user.id).not.toBe(former.user.id);
  });

  test('is refused in another browser, a second time, and with a foreign state', async () => {
    const subject = provide({ email: stage.newEmail() });
    const victim = stage.browser();
    const back = await enter((await begin(stage.browser())).body.url, subject);
    expect(await comeBack(victim, back)).toBe('/sign-in?error=state_mismatch');
    await begin(victim);
    expect(await comeBack(victim, back)).toBe('/sign-in?error=state_mismatch');
    expect((await victim.get('me')).status).toBe(401);
    const own = stage.browser();
    const used = await enter((await begin(own)).body.url, subject);
    expect(await comeBack(own, used)).toBe('/sign-in?step=done');
    expect(await comeBack(own, used)).toMatch('/sign-in?error=');
  });

  test('joins the account of a confirmed address only when the provider has verified it', async () => {
    const ada = await stage.person();
    const refused = await signIn(provide({ email: ada.email, email_verified: false }));
    expect(refused.next).toMatch(/^\/sign-in\?error=account_not_linked/);
    expect((await refused.browser.get('me')).status).toBe(401);
    const subject = provide({ email: ada.email.toUpperCase() });
    const { browser } = await signIn(subject);
    expect((await browser.get('me')).body.user.id).toBe(ada.me.user.id);
    expect((await stage.mailTo(ada.email, 'way to sign in')).text).toContain('Example ID');
    expect((await stage.browser().post('auth/sign-in/email', { email: ada.email, password })).status).toBe(200);
  });

  test('opens nothing for an address that the provider has not verified', async () => {
    const email = stage.newEmail('eve');
    const { browser, next } = await signIn(provide({ email, email_verified: false }));
    expect(next).toMatch(/^\/sign-in\?error=email_not_verified/);
    expect((await browser.get('me')).status).toBe(401);
    const { rows } = await stage.db.pool.query('select id from users where email = $1', [email]);
    expect(rows).toEqual([]);
  });

  test('does not join an account whose address nobody has confirmed here', async () => {
    const email = stage.newEmail('squatted');
    await stage.browser().post('auth/sign-up/email', { name: 'Mallory', email, password });
    const { next } = await signIn(provide({ email }));
    expect(next).toMatch(/^\/sign-in\?error=account_not_linked/);
  });

  test('asks for the second factor where one is set', async () => {
    const ada = await stage.person();
    const { totpURI } = await protect(ada);
    const { browser, next } = await signIn(provide({ email: ada.email }));
    expect(next).toBe('/sign-in?step=second');
    expect((await browser.get('me')).status).toBe(401);
    expect((await browser.post('auth/two-factor/verify-totp', { code: '000000' })).status).toBe(401);
    expect((await browser.post('auth/two-factor/verify-totp', { code: codeOf(totpURI, 1) })).status).toBe(200);
    expect((await browser.get('me')).body.user.id).toBe(ada.me.user.id);
  });
});

describe('a provider of an account', () => {
  interface Listed {
    id: string;
    providerId: string;
  }

  test('is added by its person, listed, and removed, but never the last way in', async () => {
    const ada = await stage.person();
    const { body } = await begin(ada, 'auth/link-social');
    const session = new Map(ada.cookies);
    expect(await comeBack(ada, await enter(body.url, provide({ email: ada.email })))).toBe('/settings?tab=security');
    for (const [name, value] of session) ada.cookies.set(name, value);
    const { body: listed } = await ada.get<Listed[]>('auth/list-accounts');
    expect(listed.map(({ providerId }) => providerId).toSorted()).toEqual(['credential', 'oidc']);
    const { id: accountId } = listed.find(({ providerId }) => providerId === 'oidc')!;
    expect((await ada.post('auth/unlink-account', { accountId })).status).toBe(200);
    expect((await auditOf(ada.me.user.id)).map(({ action }) => action)).toEqual([
      'sign_in',
      'add_provider',
      'remove_provider',
    ]);
    const [last] = (await ada.get<Listed[]>('auth/list-accounts')).body;
    expect((await ada.post('auth/unlink-account', { accountId: last!.id })).status).toBe(400);
  });

  test('is not added with another address, nor when it belongs to somebody else', async () => {
    const [ada, bob] = [await stage.person(), await stage.person({ name: 'Bob' })];
    const add = async (subject: string) => {
      const { body } = await begin(ada, 'auth/link-social');
      const session = new Map(ada.cookies);
      const next = await comeBack(ada, await enter(body.url, subject));
      for (const [name, value] of session) ada.cookies.set(name, value);
      return next;
    };
    expect(await add(provide({ email: bob.email }))).toMatch(/^\/settings\?tab=security&error=email_does_not_match/);
    expect(await add(provide({ email: ada.email, email_verified: false }))).toMatch(/&error=/);
    expect((await ada.get<Listed[]>('auth/list-accounts')).body).toHaveLength(1);
  });

  test('reads short answers only', async () => {
    const about = await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).text();
    let issuer = '';
    const long = createServer((_, res) =>
      res.end(about.replaceAll(provider.issuer, issuer) + ' '.repeat(512 * 1024)),
    ).listen(0, '127.0.0.1');
    await once(long, 'listening');
    issuer = `http://127.0.0.1:${(long.address() as AddressInfo).port}`;
    const other = await setAccountStage({ env: { ...provider.env, OIDC_ISSUER: issuer } });
    const asked = await begin(other.browser());
    await other.close();
    long.closeAllConnections();
    long.close();
    expect(asked).toMatchObject({ status: 503, body: { error: { code: 'provider_unavailable' } } });
  });

  test('that does not answer delays no other sign-in', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const other = await setAccountStage({ env: { ...provider.env, OIDC_ISSUER: issuer } });
    const asked = begin(other.browser());
    const ada = await other.person();
    expect(ada.me.user.email).toBe(ada.email);
    silent.closeAllConnections();
    silent.close();
    expect(await asked).toMatchObject({ status: 503, body: { error: { code: 'provider_unavailable' } } });
    await other.close();
  });

  test('must be set up, and the request chooses nothing else', async () => {
    const browser = stage.browser();
    for (const provider of ['google', 'github', 'apple', undefined]) {
      expect(await browser.post('auth/sign-in/social', { provider })).toMatchObject({
        status: 400,
        body: { error: { code: 'unknown_provider' } },
      });
    }
    expect((await browser.get('auth/callback/google?code=x&state=y')).status).toBe(404);
    const asked = { provider: 'oidc', idToken: { token: 'x' }, scopes: ['admin'], disableRedirect: true };
    expect(await browser.post('auth/sign-in/social', asked)).toMatchObject({ status: 422 });
    const { body } = await browser.post<{ url: string }>('auth/sign-in/social', { provider: 'oidc' });
    expect(new URL(body.url).searchParams.get('scope')).toBe('openid email profile');
    expect(
      await browser.post('auth/sign-in/social', { provider: 'oidc', callbackURL: 'https://evil.example' }),
    ).toMatchObject({
      status: 400,
    });
  });
});
