import { afterAll, expect, test } from '@jest/globals';
import { hashPassword, verifyPassword } from '../../../api/accounts/passwords.ts';
import { networkOf } from '../../../api/guard/throttling.ts';
import { password, setAccountStage } from './accountStage.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

const signIn = (email: string, secret = password) =>
  stage.browser().post('auth/sign-in/email', { email, password: secret });

test('passwords are stored as Argon2id, each with its own salt', async () => {
  const [one, other] = [await hashPassword('Straße des 17. Juni'), await hashPassword('Straße des 17. Juni')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(other);
  // The same letters in another Unicode form.
  expect(await verifyPassword({ hash: one, password: 'Straße des 17. Juni'.normalize('NFD') })).toBe(true);
  expect(await verifyPassword({ hash: one, password: 'Strasse des 17. Juni' })).toBe(false);
  expect(await verifyPassword({ hash: 'plain', password: 'plain' })).toBe(false);
});

test('the database contains no token, password or link in plain text', async () => {
  const ada = await stage.person();
  await ada.post('auth/request-password-reset', { email: ada.email });
  const { link } = await stage.mailTo(ada.email, 'new password');
  const [cookie] = [...ada.cookies.values()];
  const secrets = [password, new URL(link).searchParams.get('token')!, decodeURIComponent(cookie!).split('.')[0]!];
  const rows = await Promise.all(
    ['user_sessions', 'credentials', 'verifications', 'users'].map((table) =>
      stage.db.pool.query(`select t::text as row from ${table} t`),
    ),
  );
  const text = rows.flatMap(({ rows: found }) => found.map(({ row }) => row as string)).join('\n');
  expect(text.length).toBeGreaterThan(500);
  expect(secrets.map((secret) => text.includes(secret))).toEqual([false, false, false]);
});

test("a sign-in starts a new session, and ends the browser's previous one", async () => {
  const ada = await stage.person();
  const [before] = [...ada.cookies.values()];
  const planted = new Map(ada.cookies);
  expect((await ada.post('auth/sign-in/email', { email: ada.email, password })).status).toBe(200);
  expect([...ada.cookies.values()]).not.toEqual([before]);
  expect((await ada.get('me')).status).toBe(200);
  const thief = stage.browser();
  for (const [name, value] of planted) thief.cookies.set(name, value);
  expect((await thief.get('me')).status).toBe(401);
});

test('an invented session cookie is refused, and answers contain no token', async () => {
  const browser = stage.browser();
  browser.cookies.set('ledgerline.session_token', 'a'.repeat(32) + '.' + 'b'.repeat(43));
  expect((await browser.get('me')).status).toBe(401);
  const ada = await stage.person();
  const { body } = await stage.browser().post('auth/sign-in/email', { email: ada.email, password });
  const { body: current } = await ada.get('auth/get-session');
  expect(body).not.toHaveProperty('token');
  expect(current).toMatchObject({ user: { email: ada.email }, session: { userId: ada.me.user.id } });
  expect(current.session).not.toHaveProperty('token');
});

test('a person sees each of their sessions, and can end one or all others; another person cannot', async () => {
  const [ada, bob, phone] = [await stage.person(), await stage.person({ name: 'Bob' }), stage.browser()];
  await phone.post('auth/sign-in/email', { email: ada.email, password });
  const { body: sessions } = await ada.get<{ id: string; current: boolean; ipAddress: string }[]>('auth/list-sessions');
  expect(sessions.map(({ current }) => current)).toEqual([false, true]);
  expect(sessions[0]!.ipAddress).toMatch(/127\.0\.0\.1|::/);
  expect((await bob.post('auth/revoke-session', { id: sessions[0]!.id })).status).toBe(404);
  expect((await phone.get('me')).status).toBe(200);
  expect((await ada.post('auth/revoke-session', { id: sessions[0]!.id })).status).toBe(200);
  expect((await phone.get('me')).status).toBe(401);

  await phone.post('auth/sign-in/email', { email: ada.email, password });
  expect((await ada.post('auth/revoke-other-sessions')).body).toEqual({ status: true, count: 1 });
  expect((await phone.get('me')).status).toBe(401);
  expect((await ada.get('me')).status).toBe(200);
  await ada.post('auth/sign-out');
  expect((await ada.get('me')).status).toBe(401);
});

test('a password reset by mail ends every session, and its link works once', async () => {
  const ada = await stage.person();
  await ada.post('auth/request-password-reset', { email: ada.email });
  const token = new URL((await stage.mailTo(ada.email, 'new password')).link).searchParams.get('token')!;
  const reset = (newPassword: string) => stage.browser().post('auth/reset-password', { newPassword, token });
  expect(await reset('short')).toMatchObject({ status: 400, body: { error: { code: 'password_too_short' } } });
  expect((await reset('another long secret')).status).toBe(200);
  expect((await reset('a third long secret')).status).toBe(400);
  expect((await ada.get('me')).status).toBe(401);
  expect((await signIn(ada.email)).status).toBe(401);
  expect((await signIn(ada.email, 'another long secret')).status).toBe(200);
  expect((await stage.mailTo(ada.email, 'was changed')).text).toContain('/forgot-password');
  const audited = `select user_id from audit_entries where action = 'reset_password' and subject_id = $1`;
  expect((await stage.db.pool.query(audited, [ada.me.user.id])).rows).toEqual([{ user_id: ada.me.user.id }]);
});

test('a new address is confirmed at the old and at the new address', async () => {
  const ada = await stage.person();
  const newEmail = stage.newEmail('countess');
  expect((await ada.post('auth/change-email', { newEmail, callbackURL: '/' })).status).toBe(200);
  await ada.open((await stage.mailTo(ada.email, 'new address')).link);
  expect((await ada.get('me')).body.user.email).toBe(ada.email);
  await ada.open((await stage.mailTo(newEmail)).link);
  expect((await ada.get('me')).body.user.email).toBe(newEmail);
  expect((await signIn(newEmail)).status).toBe(200);
});

test('the answer is the same for an unknown address', async () => {
  const ada = await stage.person();
  const unknown = stage.newEmail('unknown');
  const shown = (email: string, answer: Awaited<ReturnType<typeof signIn>>) => ({
    status: answer.status,
    text: JSON.stringify(answer.body)
      .replaceAll(email, 'EMAIL')
      .replaceAll(/user_\w+/g, 'ID')
      .replaceAll(/\d{4}-[\d:.TZ-]+/g, 'TIME'),
  });
  const asks = [
    (email: string) => signIn(email, 'a wrong password'),
    (email: string) => stage.browser().post('auth/request-password-reset', { email }),
    (email: string) => stage.browser().post('auth/sign-up/email', { name: 'Eve', email, password }),
  ];
  for (const ask of asks) expect(shown(ada.email, await ask(ada.email))).toEqual(shown(unknown, await ask(unknown)));
  expect((await stage.mailTo(ada.email, 'have an account')).text).toContain('has an account already');
});

test('failed sign-ins to one account are counted across addresses, and reset by the right password', async () => {
  const ada = await stage.person();
  const guess = () => signIn(ada.email, 'a wrong password');
  for (let tries = 0; tries < 9; tries += 1) expect((await guess()).status).toBe(401);
  expect((await signIn(ada.email)).status).toBe(200);
  for (let tries = 0; tries < 10; tries += 1) expect((await guess()).status).toBe(401);
  const stopped = await guess();
  expect(stopped).toMatchObject({ status: 429, body: { error: { code: 'too_many_tries', type: 'rate_limit_error' } } });
  expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(600);
  expect((await signIn(ada.email)).status).toBe(429);
  // Other accounts are not affected.
  const bob = await stage.person({ name: 'Bob' });
  expect((await signIn(bob.email)).status).toBe(200);
});

test('failed sign-ins from one address are counted by its network', async () => {
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
  expect(networkOf('::ffff:192.0.2.7')).toBe('::ffff:192.0.2.7');
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0');
  expect(networkOf('::1')).toBe('0:0:0:0');
});
