import { afterAll, expect, test } from '@jest/globals';
import { discoverOidc } from '../../../api/singleSignOn/discover.ts';
import { startSite } from '../../tools/webStage.ts';
import { setSsoStage } from './ssoStage.ts';

const stage = await setSsoStage({ SESSION_MINUTES_MAX: '600' });
afterAll(() => stage.close());

/** Moves what the database knows of a person's sessions into the past. */
const age = (userId: string, minutes: number, column: 'created_at' | 'used_at') =>
  stage.db.pool.query(`update user_sessions set ${column} = now() - make_interval(mins => $2) where user_id = $1`, [
    userId,
    minutes,
  ]);

test('a member without a second factor sees nothing until they have set one up', async () => {
  const ada = await stage.owner();
  const rules = { requires_second_factor: true };
  expect((await stage.patch(ada, 'session-rules', rules)).body.error.code).toBe('no_second_factor');
  await stage.strengthen(ada);
  expect((await stage.patch(ada, 'session-rules', rules)).body).toMatchObject({
    requires_second_factor: true,
    installation: { session_minutes: 600, idle_minutes: null },
  });
  const bob = await stage.person({ name: 'Bob Builder' });
  const workspaceId = ada.me.workspace.id;
  const invited = await ada.post('auth/organization/invite-member', {
    organizationId: workspaceId,
    email: bob.email,
    role: 'developer',
  });
  await bob.post('auth/organization/accept-invitation', { invitationId: invited.body.id });
  const there = { 'x-ledgerline-workspace': workspaceId };
  const ask = async (path: string) => (await bob.send('GET', `/console/v1/${path}`, undefined, there)).body;
  for (const path of ['keys', 'members', 'usage', 'requests', 'workspace'])
    expect([path, (await ask(path)).error?.code]).toEqual([path, 'second_factor_required']);
  expect((await ask('me')).session).toEqual({ method: 'link', is_of_provider: false, lacks: 'second_factor' });
  expect((await bob.get(`auth/organization/list-members?organizationId=${workspaceId}`)).body.error.code).toBe(
    'second_factor_required',
  );
  const own = { 'x-ledgerline-workspace': bob.me.workspace.id };
  expect((await bob.send('GET', '/console/v1/keys', undefined, own)).status).toBe(200);
  await stage.strengthen(bob);
  expect((await ask('me')).session).toEqual({ method: 'second_factor', is_of_provider: false, lacks: null });
  expect((await ask('keys')).error).toBeUndefined();
  const [last] = (await stage.auditOf(workspaceId)).filter(({ action }) => action === 'change_session_rules');
  expect(last?.detail).toMatchObject({ after: { requires_second_factor: true } });
});

test('a sign-in by the identity provider needs no further factor', async () => {
  const { ada, domain } = await stage.company();
  await stage.strengthen(ada);
  await stage.patch(ada, 'session-rules', { requires_second_factor: true });
  const email = `strong@${domain}`;
  const { browser } = await stage.signIn(email, stage.provide({ email, groups: ['engineers'] }));
  expect((await browser.get('keys')).status).toBe(200);
});

test('a session ends by its age and by its idle time, for the workspace’s members alone', async () => {
  const [ada, bob] = [await stage.owner(), await stage.owner()];
  await stage.patch(ada, 'session-rules', { session_minutes: 60, idle_minutes: 10 });
  await age(ada.me.user.id, 20, 'created_at');
  await age(ada.me.user.id, 5, 'used_at');
  expect((await ada.get('keys')).status).toBe(200);
  await age(ada.me.user.id, 11, 'used_at');
  expect((await ada.get('keys')).body.error.code).toBe('not_signed_in');
  const { rows } = await stage.db.pool.query('select id from user_sessions where user_id = $1', [ada.me.user.id]);
  expect(rows).toEqual([]);
  const again = stage.browser();
  await again.post('auth/sign-in/email', { email: ada.email, password: stage.password });
  expect((await again.get('keys')).status).toBe(200);
  await age(ada.me.user.id, 61, 'created_at');
  expect((await again.get('keys')).status).toBe(401);
  await age(bob.me.user.id, 599, 'created_at');
  expect((await bob.get('keys')).status).toBe(200);
  await age(bob.me.user.id, 601, 'created_at');
  expect((await bob.get('keys')).status).toBe(401);
});

test('a page that refreshes itself with nobody there does not keep a session from its idle time', async () => {
  const ada = await stage.owner();
  const usedAt = async () => {
    const sql = 'select used_at from user_sessions where user_id = $1';
    return (await stage.db.pool.query<{ used_at: Date | null }>(sql, [ada.me.user.id])).rows[0]!.used_at;
  };
  await stage.patch(ada, 'session-rules', { idle_minutes: 10 });
  await age(ada.me.user.id, 20, 'created_at');
  await age(ada.me.user.id, 8, 'used_at');
  const before = await usedAt();
  const unattended = { 'x-ledgerline-unattended': '1' };
  for (const path of ['keys', 'me', 'auth/get-session'])
    expect((await ada.send('GET', `/console/v1/${path}`, undefined, unattended)).status).toBe(200);
  expect(await usedAt()).toEqual(before);
  await ada.send('PATCH', '/console/v1/session-rules', { idle_minutes: 10 }, unattended);
  expect(await usedAt()).not.toEqual(before);
});

test('only owners change how members sign in, and only signed in', async () => {
  const ada = await stage.owner();
  const { secret } = await stage.account({ scopes: ['manage'] });
  const headers = { authorization: `Bearer ${secret}` };
  for (const path of ['single-sign-on', 'single-sign-on/domains', 'session-rules'])
    expect((await stage.ask(`/console/v1/${path}`, { headers })).status).toBe(403);
  await stage.db.pool.query(`update members set role = 'developer' where user_id = $1`, [ada.me.user.id]);
  for (const path of ['single-sign-on', 'single-sign-on/domains', 'session-rules'])
    expect((await ada.get(path)).body.error.code).toBe('role_not_allowed');
  expect((await ada.post('auth/sign-in/sso', { trial: true })).body.error.code).toBe('owner_required');
});

test('a domain is proved by its record, by one workspace', async () => {
  const [ada, bob] = [await stage.owner(), await stage.owner()];
  const claim = (browser: typeof ada) =>
    browser.post<{ id: string; record_name: string; record_text: string }>('single-sign-on/domains', {
      domain: 'Contested.Example',
    });
  const [one, other] = [(await claim(ada)).body, (await claim(bob)).body];
  const verify = (browser: typeof ada, id: string) => browser.post(`single-sign-on/domains/${id}/verify`);
  expect((await verify(ada, one.id)).body.error.code).toBe('record_not_found');
  expect((await verify(ada, other.id)).status).toBe(404);
  stage.dns.records.set(one.record_name, other.record_text);
  expect((await verify(ada, one.id)).body.error.code).toBe('record_not_found');
  expect((await verify(bob, other.id)).status).toBe(200);
  stage.dns.records.set(one.record_name, one.record_text);
  expect((await verify(ada, one.id)).body.error.code).toBe('domain_taken');
  expect((await bob.send('DELETE', `/console/v1/single-sign-on/domains/${other.id}`)).status).toBe(200);
  expect((await verify(ada, one.id)).status).toBe(200);
  expect((await claim(ada)).body).toMatchObject({ error: { code: 'domain_known' } });
});

test('a domain that is given up while its record is looked for is no longer found', async () => {
  const ada = await stage.owner();
  const { body } = await ada.post<{ id: string; record_name: string; record_text: string }>('single-sign-on/domains', {
    domain: 'brief.example',
  });
  const { id, record_name: name, record_text: text } = body;
  stage.dns.records.set(name, text);
  stage.dns.before.answer = () => ada.send('DELETE', `/console/v1/single-sign-on/domains/${id}`);
  const verified = await ada.post(`single-sign-on/domains/${id}/verify`);
  delete stage.dns.before.answer;
  expect([verified.status, verified.body.error.code]).toEqual([404, 'domain_not_found']);
});

test('a provider must be on the public internet with https, and name itself', async () => {
  const ada = await stage.owner();
  const codes: [string, string][] = [];
  for (const issuer of ['http://id.example', 'https://127.0.0.1', 'https://localhost', `${stage.provider.issuer}/`]) {
    const { body } = await stage.put<{ error: { code: string } }>(ada, stage.oidc({ issuer }));
    codes.push([issuer, body.error.code]);
  }
  expect(codes.map(([, code]) => code)).toEqual(codes.map(() => 'provider_unusable'));
  const saml = { kind: 'saml', name: 'Example ID' };
  // Reasons are logged.
  for (const metadata_url of ['https://ada:CANARY@127.0.0.1/', 'https://127.0.0.1/?token=CANARY']) {
    const { body } = await stage.put<{ error: { code: string } }>(ada, { ...saml, metadata_url });
    expect([body.error.code, JSON.stringify(body)]).toEqual([
      'provider_unusable',
      expect.not.stringContaining('CANARY'),
    ]);
  }
  for (const metadata_xml of ['<a/>', '<!DOCTYPE a><EntityDescriptor entityID="x"/>', 'text'])
    expect((await stage.put<{ error: { code: string } }>(ada, { ...saml, metadata_xml })).body.error.code).toBe(
      'provider_unusable',
    );
  // What is sought stands in one tag: a search from each of 4,000 tags to the end would stop the process for seconds.
  const binding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
  const metadata_xml = `${'<SingleSignOnService '.repeat(4_000)}<a b="${binding}"><X509Certificate>`;
  const { body } = await stage.put<{ error: { message: string } }>(ada, { ...saml, metadata_xml });
  expect(body.error.message).toMatch(/no SingleSignOnService/);
  expect((await stage.put(ada, saml)).status).toBe(422);
  expect((await stage.put(ada, stage.oidc({ client_secret: undefined }))).status).toBe(422);
});

test.each(['null', '[]', '7', JSON.stringify({ issuer: 'x'.repeat(200_000) })])(
  'a provider with a document of another form is refused in a sentence: %#',
  async (document) => {
    const site = await startSite((_request, response) => response.end(document));
    const issuer = `http://127.0.0.1:${site.port}`;
    const refused = await discoverOidc(issuer, { dnsServers: null, privateOrigins: [issuer] }).catch((error) => error);
    await site.stop();
    expect([refused.code, refused.message.length < 400]).toEqual(['provider_unusable', true]);
  },
);
