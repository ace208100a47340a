import { afterAll, describe, expect, test } from '@jest/globals';
import { comeBack, enter } from '../accounts/providerSignIn.ts';
import { begin, setSsoStage } from './ssoStage.ts';

const stage = await setSsoStage();
afterAll(() => stage.close());

describe('an identity provider of a workspace', () => {
  test('signs nobody in before its owner has tried it, and a trial opens no session', async () => {
    const ada = await stage.owner();
    const domain = await stage.prove(ada);
    const { body, status } = await stage.put<{ redirect_url: string; tested_at: null }>(ada, stage.oidc());
    expect([status, body.tested_at]).toEqual([200, null]);
    expect(JSON.stringify(body)).not.toContain('a-secret-of-the-tests');
    expect((await begin(stage.browser(), { email: `grace@${domain}` })).body).toEqual({ url: null });
  });

  test('makes people members with the role of their groups at each sign-in', async () => {
    const { ada, domain, back } = await stage.company();
    expect(back).toMatch(/^\/settings\?tab=sign-in&error=sso_trial/);
    const { body: state } = await ada.get<{ provider: object }>('single-sign-on');
    expect(state.provider).toMatchObject({
      tested_at: expect.any(String),
      last_trial: { groups: ['admins'], role: 'owner', problem: null },
    });
    const email = `grace@${domain}`;
    const subject = stage.provide({ email, groups: ['engineers', 'accounting'] });
    const { browser, next } = await stage.signIn(email, subject);
    expect(next).toBe('/sign-in?step=done');
    const { body: me } = await browser.get('me');
    expect(me).toMatchObject({
      user: { email, email_verified: true },
      role: 'developer',
      workspace: { id: ada.me.workspace.id },
      workspaces: [{ id: ada.me.workspace.id }],
      session: { is_of_provider: true, lacks: null },
    });
    stage.provider.people.get(subject)!.groups = ['accounting'];
    const again = await stage.signIn(email, subject);
    expect((await again.browser.get('me')).body).toMatchObject({ role: 'finance', user: { id: me.user.id } });
    const actions = (await stage.auditOf(ada.me.workspace.id)).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['add_mail_domain', 'verify_mail_domain', 'add_identity_provider']));
    expect(actions.slice(-4)).toEqual(['sso_add_member', 'sign_in', 'sso_change_role', 'sign_in']);
  });

  test('ends the membership, keys and sessions of who is in no mapped group any more', async () => {
    const { ada, domain } = await stage.company();
    const email = `leaver@${domain}`;
    const subject = stage.provide({ email, groups: ['engineers'] });
    const { browser } = await stage.signIn(email, subject);
    const { body: me } = await browser.get('me');
    stage.provider.people.get(subject)!.groups = ['gardeners'];
    const refused = await stage.signIn(email, subject);
    expect(refused.next).toMatch(/^\/sign-in\?error=sso_no_role/);
    expect((await refused.browser.get('me')).status).toBe(401);
    expect((await browser.get('me')).status).toBe(401);
    const { rows } = await stage.db.pool.query(
      'select revoked_at from api_keys where member_user_id = $1 and workspace_id = $2',
      [me.user.id, ada.me.workspace.id],
    );
    expect(rows).toEqual([{ revoked_at: expect.any(Date) }]);
    const removed = (await stage.auditOf(ada.me.workspace.id)).filter(({ action }) => action === 'sso_remove_member');
    expect(removed).toHaveLength(1);
  });

  test('never takes the last owner’s role', async () => {
    const { ada, domain } = await stage.company();
    const email = `only@${domain}`;
    const subject = stage.provide({ email, groups: ['admins'] });
    const first = await stage.signIn(email, subject);
    await first.browser.get('me');
    await ada.post('auth/organization/leave', { organizationId: ada.me.workspace.id });
    stage.provider.people.get(subject)!.groups = ['engineers'];
    const { browser } = await stage.signIn(email, subject);
    expect((await browser.get('me')).body.role).toBe('owner');
    stage.provider.people.get(subject)!.groups = [];
    expect((await stage.signIn(email, subject)).next).toMatch('error=sso_no_role');
    const actions = (await stage.auditOf(ada.me.workspace.id)).map(({ action }) => action);
    const kept = actions.filter((action) => action === 'sso_keep_last_owner');
    expect(kept).toHaveLength(2);
  });

  test('keeps the memberships that people have, and takes over no account that its domain did not prove', async () => {
    const { ada, domain } = await stage.company();
    const email = `squatted@${domain}`;
    await stage.browser().post('auth/sign-up/email', { name: 'Mallory', email, password: stage.password });
    const { browser } = await stage.signIn(email, stage.provide({ email, groups: ['engineers'] }));
    expect((await browser.get('me')).body).toMatchObject({ user: { email }, workspace: { id: ada.me.workspace.id } });
    const mallory = await stage.browser().post('auth/sign-in/email', { email, password: stage.password });
    expect(mallory.status).toBe(401);
  });
});

describe('a provider that lies', () => {
  test('signs in nobody of another domain, whose person exists or not', async () => {
    const { domain } = await stage.company();
    const victim = await stage.person({ name: 'Victor Victim' });
    for (const email of [victim.email, `new@sub.${domain}`, `new@${domain}.evil.example`, 'not-an-address']) {
      const { browser, next } = await stage.signIn(`any@${domain}`, stage.provide({ email, groups: ['admins'] }));
      expect([email, next.split('&')[0]]).toEqual([email, '/sign-in?error=sso_wrong_domain']);
      expect((await browser.get('me')).status).toBe(401);
    }
  });

  test('gives no rights in another workspace of the same person, nor over their account', async () => {
    const { ada, domain } = await stage.company();
    const own = await stage.person({ name: 'Bob Builder', email: `bob@${domain}` });
    const { browser } = await stage.signIn(own.email, stage.provide({ email: own.email, groups: ['engineers'] }));
    const { body: me } = await browser.get('me');
    expect(me).toMatchObject({
      user: { id: own.me.user.id },
      workspace: { id: ada.me.workspace.id },
      workspaces: [{ id: ada.me.workspace.id }],
    });
    const organizationId = own.me.workspace.id;
    const elsewhere = { 'x-ledgerline-workspace': organizationId };
    expect((await browser.send('GET', '/console/v1/keys', undefined, elsewhere)).status).toBe(403);
    const refused: [path: string, body: object][] = [
      ['auth/organization/set-active', { organizationId }],
      ['auth/organization/invite-member', { organizationId, email: 'm@evil.example', role: 'owner' }],
      ['auth/organization/leave', { organizationId }],
      ['auth/organization/create', { name: 'Another' }],
      ['auth/change-email', { newEmail: 'm@evil.example' }],
      ['auth/change-password', { currentPassword: stage.password, newPassword: 'another long password' }],
      ['auth/two-factor/enable', { password: stage.password }],
      ['auth/link-social', { provider: 'oidc' }],
      ['auth/unlink-account', { accountId: 'cred_x' }],
    ];
    for (const [path, body] of refused) expect([path, (await browser.post(path, body)).status]).toEqual([path, 403]);
    for (const path of [
      'auth/passkey/generate-register-options',
      `auth/organization/list-members?organizationId=${organizationId}`,
      'auth/organization/list',
    ])
      expect([path, (await browser.get(path)).status]).toEqual([path, 403]);
    const { rows } = await stage.db.pool.query('select role from members where workspace_id = $1', [organizationId]);
    expect(rows).toEqual([{ role: 'owner' }]);
  });

  test('makes no operator of an operator', async () => {
    const { domain } = await stage.company();
    const own = await stage.person({ name: 'Oscar Operator', email: `oscar@${domain}` });
    await stage.db.pool.query('update users set is_operator = true where id = $1', [own.me.user.id]);
    const { browser } = await stage.signIn(own.email, stage.provide({ email: own.email, groups: ['admins'] }));
    const { body: me } = await browser.get<{ is_operator: boolean; scopes: string[]; role: string }>('me');
    expect([me.role, me.is_operator, me.scopes.includes('operator')]).toEqual(['owner', false, false]);
    expect((await browser.get('workspaces')).status).toBe(403);
  });

  test('of one workspace answers no sign-in of another’s', async () => {
    const [one, other] = [await stage.company(), await stage.company()];
    const browser = stage.browser();
    const { body } = await begin(browser, { email: `a@${one.domain}` });
    const back = await enter(body.url, stage.provide({ email: `a@${one.domain}`, groups: ['admins'] }));
    expect(await comeBack(browser, back.replace(one.provider.id, other.provider.id))).toMatch(/error=/);
    expect((await browser.get('me')).status).toBe(401);
  });

  test('is not believed in another browser, a second time, or without what binds a token to its sign-in', async () => {
    const { domain } = await stage.company();
    const email = `binding@${domain}`;
    const subject = stage.provide({ email, groups: ['admins'] });
    const begun = await begin(stage.browser(), { email });
    const asked = new URL(begun.body.url).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      code_challenge_method: 'S256',
      nonce: expect.any(String),
      state: expect.any(String),
      scope: 'openid email profile',
    });
    const back = await enter(begun.body.url, subject);
    expect(await comeBack(stage.browser(), back)).toMatch('error=state_mismatch');
    const own = stage.browser();
    const { body } = await begin(own, { email });
    const used = await enter(body.url, subject);
    expect(await comeBack(own, used)).toBe('/sign-in?step=done');
    expect(await comeBack(own, used)).toMatch('error=');
    const third = stage.browser();
    const forged = new URL((await begin(third, { email })).body.url);
    forged.searchParams.set('nonce', 'of another sign-in');
    expect(await comeBack(third, await enter(forged.href, subject))).toMatch('error=sso_wrong_nonce');
    expect((await third.get('me')).status).toBe(401);
  });
});

test('a hundred people of a company sign in from behind one address', async () => {
  const { domain } = await stage.company();
  const email = `many@${domain}`;
  const subject = stage.provide({ email, groups: ['engineers'] });
  const counts = async () => {
    const { rows } = await stage.db.pool.query<{ key: string; count: number }>('select key, count from throttles');
    return new Map(rows.map(({ key, count }) => [key, count]));
  };
  const signIn = async () => {
    const browser = stage.browser();
    const { status, body } = await begin(browser, { email });
    return status === 200 ? comeBack(browser, await enter(body.url, subject)) : `${status}`;
  };
  const before = await counts();
  expect(await signIn()).toBe('/sign-in?step=done');
  const counted = [...(await counts())].flatMap(([key, count]) => (count > (before.get(key) ?? 0) ? [key] : []));
  expect(counted.length).toBeGreaterThanOrEqual(2);
  // As if 98 more had signed in.
  await stage.db.pool.query('update throttles set count = count + 98 where key = any ($1)', [counted]);
  expect(await signIn()).toBe('/sign-in?step=done');
});

describe('an enforced provider', () => {
  test('must be tried and have a domain before, and closes the workspace to other sign-ins of the domain', async () => {
    const bob = await stage.owner();
    await stage.put(bob, stage.oidc());
    expect((await stage.patch(bob, 'single-sign-on', { enforced: true })).body.error.code).toBe('not_tested');
    const { ada, domain } = await stage.company();
    const email = `daily@${domain}`;
    const daily = await stage.person({ email });
    await stage.db.pool.query(
      `insert into members (id, workspace_id, user_id, role) values ($1, $2, $3, 'developer')`,
      [`mem_${daily.me.user.id.slice(5)}`, ada.me.workspace.id, daily.me.user.id],
    );
    const there = { 'x-ledgerline-workspace': ada.me.workspace.id };
    const ask = () => daily.send('GET', '/console/v1/keys', undefined, there);
    expect((await ask()).status).toBe(200);
    expect((await stage.patch(ada, 'single-sign-on', { enforced: true })).status).toBe(200);
    expect((await ask()).body.error.code).toBe('single_sign_on_required');
    const organizationId = ada.me.workspace.id;
    const members = await daily.get(`auth/organization/list-members?organizationId=${organizationId}`);
    expect(members.body.error.code).toBe('single_sign_on_required');
    const { body: me } = await daily.send('GET', '/console/v1/me', undefined, there);
    expect(me.session).toEqual({ method: 'link', is_of_provider: false, lacks: 'single_sign_on' });
    expect((await daily.get('keys')).status).toBe(200);
    expect((await ada.get('keys')).status).toBe(200);
    const { browser } = await stage.signIn(email, stage.provide({ email, groups: ['engineers'] }));
    expect((await browser.get('keys')).status).toBe(200);
  });

  test('lets an owner with a second factor in, which is audited', async () => {
    const { ada, domain } = await stage.company();
    await stage.db.pool.query('update users set email = $1 where id = $2', [`olga@${domain}`, ada.me.user.id]);
    await stage.patch(ada, 'single-sign-on', { enforced: true });
    expect((await ada.get('keys')).body.error.code).toBe('single_sign_on_required');
    const totpURI = await stage.strengthen({ ...ada, email: `olga@${domain}` });
    const browser = stage.browser();
    await browser.post('auth/sign-in/email', { email: `olga@${domain}`, password: stage.password });
    expect((await browser.post('auth/two-factor/verify-totp', { code: stage.codeOf(totpURI, 1) })).status).toBe(200);
    expect((await browser.get('keys')).status).toBe(200);
    const entries = (await stage.auditOf(ada.me.workspace.id)).filter(({ action }) => action === 'break_glass_sign_in');
    expect(entries.at(-1)).toEqual({ action: 'break_glass_sign_in', detail: { method: 'second_factor' } });
  });

  test('ends with its sessions when it is removed or replaced', async () => {
    const { ada, domain } = await stage.company();
    const email = `rest@${domain}`;
    const subject = stage.provide({ email, groups: ['engineers'] });
    const { browser } = await stage.signIn(email, subject);
    expect((await browser.get('me')).status).toBe(200);
    await stage.put(ada, stage.oidc({ client_secret: undefined, name: 'Another name' }));
    expect((await browser.get('me')).status).toBe(200);
    await stage.put(ada, stage.oidc({ client_id: 'another client' }));
    expect((await browser.get('me')).status).toBe(401);
    expect((await begin(stage.browser(), { email })).body).toEqual({ url: null });
    expect((await ada.send('DELETE', '/console/v1/single-sign-on')).status).toBe(200);
    expect((await ada.get<{ provider: null }>('single-sign-on')).body.provider).toBeNull();
  });
});
