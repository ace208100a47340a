import { afterAll, expect, test } from '@jest/globals';
import { chatBody } from '../../support/guardStage.ts';
import { createBrowser, expectAnswer, password, setAccountStage } from './accountStage.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

test("a person who signs up and confirms the address owns a workspace, and gets the installation's features", async () => {
  const email = stage.newEmail('grace');
  const browser = stage.browser();
  const signedUp = await browser.post('auth/sign-up/email', { name: 'Grace Hopper', email, password });
  expect(signedUp.status).toBe(200);
  expect(browser.cookies.size).toBe(0);
  const refused = await browser.post('auth/sign-in/email', { email, password });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'email_not_verified' } } });
  expect((await browser.get('me')).status).toBe(401);

  const { link } = await stage.mailTo(email);
  const page = await (await stage.ask('/console/test-mail')).text();
  expect(page).toContain('<h1>TEST mails</h1>');
  expect(page).toContain(`href="${link.replaceAll('&', '&amp;')}"`);
  const opened = await browser.open(link);
  expect(opened).toMatchObject({ status: 200, body: { next: '/' } });
  expect([...browser.cookies.keys()]).toEqual(['ledgerline.session_token']);
  const me = await browser.get('me');
  expect(me).toMatchObject({
    status: 200,
    body: {
      user: { name: 'Grace Hopper', email, email_verified: true, two_factor_enabled: false },
      workspace: { name: 'Grace Hopper’s workspace' },
      role: 'owner',
      scopes: ['llm', 'voice', 'batch', 'publisher', 'contents', 'manage', 'billing'],
      is_operator: false,
      features: { payments: 'off', mail: 'test' },
    },
  });
  expect(me.body.workspaces).toEqual([{ ...me.body.workspace, role: 'owner' }]);
});

test('a fault of the database is answered as one, with the id of the request, and the form works again after it', async () => {
  const order = { name: 'Grace Hopper', email: stage.newEmail('fault'), password };
  await stage.asOwner('alter table users rename to users_away', []);
  const failed = await stage.browser().post('auth/sign-up/email', order);
  await stage.asOwner('alter table users_away rename to users', []);
  expect(failed).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } });
  expect(failed.body.error.message).toMatch(/Request id: req_/);
  expect((await stage.browser().post('auth/sign-up/email', order)).status).toBe(200);
});

test("a member's call works as with a key, and is billed to the member's hidden key", async () => {
  const ada = await stage.person();
  await stage.credit(ada.me.workspace.id, '5');
  const { status, headers } = await ada.send('POST', '/console/v1/chat/completions', JSON.parse(chatBody()));
  expect(status).toBe(200);
  expect(Number(headers.get('x-cost-usd'))).toBeGreaterThan(0);
  const balance = await ada.get('balance');
  expect(balance.status).toBe(200);
  const { rows } = await stage.db.pool.query(
    `select k.id, k.name, k.prefix from api_keys k where k.member_user_id = $1`,
    [ada.me.user.id],
  );
  expect(rows).toEqual([{ id: expect.any(String), name: 'Console: Ada Lovelace', prefix: 'console' }]);
  const { body: requests } = await ada.get('requests');
  expect(requests.data).toMatchObject([{ key_id: rows[0].id, status: 200 }]);
  expect((await ada.get('keys')).body.data).toEqual([]);
});

test("the console has each workspace route once, the platform's before the product's, and omits some", async () => {
  const ada = await stage.person();
  for (const path of [
    'models',
    'key',
    'keys',
    'requests',
    'balance',
    'ledger',
    'runs',
    'agents',
    'files',
    'voice/voices',
  ])
    expect({ path, status: (await ada.get(path)).status }).toEqual({ path, status: 200 });
  expect((await ada.post('mcp', {})).status).toBe(404);
  expect((await ada.post('stripe/webhook', {})).status).toBe(404);
});

test("a write needs the console's header and a page of the console", async () => {
  const ada = await stage.person();
  const chat = (headers: Record<string, string>) =>
    ada.send('POST', '/console/v1/chat/completions', JSON.parse(chatBody()), headers);
  const refused = { status: 403, body: { error: { code: 'csrf_refused', type: 'permission_error' } } };
  expect(await chat({ 'x-ledgerline-csrf': '' })).toMatchObject(refused);
  expect(await chat({ 'sec-fetch-site': 'cross-site' })).toMatchObject(refused);
  expect(await chat({ 'sec-fetch-site': 'same-site' })).toMatchObject(refused);
  expect(await chat({ 'sec-fetch-site': 'none' })).toMatchObject(refused);
  for (const path of ['auth/sign-in/email', 'auth/sign-out', 'auth/update-user', 'auth/revoke-other-sessions'])
    expect(await ada.send('POST', `/console/v1/${path}`, {}, { 'sec-fetch-site': 'cross-site' })).toMatchObject(
      refused,
    );
  expect((await ada.get('me')).status).toBe(200);
});

test('the origin decides when a browser does not send the requesting site', async () => {
  const publicUrl = 'https://console.example';
  const other = await setAccountStage({ env: { PUBLIC_URL: publicUrl } });
  const from = (origin: string) =>
    createBrowser(other.api.url, { host: 'console.example', headers: { 'sec-fetch-site': '', origin } });
  const signUp = (origin: string) =>
    from(origin).post('auth/sign-up/email', { name: 'Ada', email: other.newEmail(), password });
  const statuses = [await signUp(publicUrl), await signUp('https://evil.example'), await signUp('null')];
  await other.close();
  expect(statuses.map(({ status }) => status)).toEqual([200, 403, 403]);
});

test('the cookie is bound to the host and to TLS if there is TLS, and no script can read it', async () => {
  const other = await setAccountStage({ env: { PUBLIC_URL: 'https://console.example' } });
  const email = other.newEmail();
  const browser = other.browser();
  expectAnswer(await browser.post('auth/sign-up/email', { name: 'Ada', email, password }), 200);
  const { headers } = await browser.open((await other.mailTo(email)).link);
  const me = await browser.get('me');
  const mails = await browser.get('../test-mail');
  await other.close();
  // A link in a mail is only for its reader.
  expect(mails.status).toBe(404);
  const [cookie = ''] = headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-ledgerline\.session_token=/);
  const attributes = cookie
    .split('; ')
    .slice(1)
    .map((one) => one.toLowerCase());
  expect(attributes.toSorted()).toEqual(['httponly', 'max-age=1209600', 'path=/', 'samesite=strict', 'secure']);
  expect(me.status).toBe(200);
});

test('the cookie is valid only on the console, and a key there only for its own routes', async () => {
  const ada = await stage.person();
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  for (const path of ['/v1/models', '/platform/v1/keys', '/voiceapi/v1/voices', '/textapi/v1/models'])
    expect((await stage.ask(path, { headers: { cookie } })).status).toBe(401);
  const { secret } = await stage.account();
  for (const path of ['/console/v1/models', '/console/v1/balance', '/console/v1/me'])
    expect((await stage.ask(path, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(401);
});

test('a member gets 404 for resources of another workspace', async () => {
  const [ada, bob] = [await stage.person(), await stage.person({ name: 'Bob' })];
  await stage.credit(ada.me.workspace.id, '5');
  await ada.send('POST', '/console/v1/chat/completions', JSON.parse(chatBody()));
  const { body: requests } = await ada.get('requests');
  const { body: made } = await ada.post('keys', { name: 'own' });
  const { body: session } = await ada.post('sessions', {});
  const paths = [`requests/${requests.data[0]!.id}`, `keys/${made.id}/impact`, `sessions/${session.id}`];
  for (const path of paths) {
    expect({ path, status: (await ada.get(path)).status }).toEqual({ path, status: 200 });
    expect({ path, status: (await bob.get(path)).status }).toEqual({ path, status: 404 });
  }
});
