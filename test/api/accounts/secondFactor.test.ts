import { afterAll, expect, test } from '@jest/globals';
import { password, setAccountStage } from './accountStage.ts';
import { codeOf, protect } from './protect.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

test('with a second factor the password alone does not sign in, but a code of the app does', async () => {
  const ada = await stage.person();
  const { totpURI, backupCodes } = await protect(ada);
  expect(totpURI).toMatch(/^otpauth:\/\/totp\/Ledgerline/);
  expect(backupCodes).toHaveLength(10);
  expect((await ada.get('me')).body.user.two_factor_enabled).toBe(true);

  const phone = stage.browser();
  const first = await phone.post('auth/sign-in/email', { email: ada.email, password });
  expect(first).toMatchObject({ status: 200, body: { twoFactorRedirect: true, twoFactorMethods: ['totp'] } });
  expect((await phone.get('me')).status).toBe(401);
  expect((await phone.post('auth/two-factor/verify-totp', { code: '000000' })).status).toBe(401);
  expect((await phone.post('auth/two-factor/verify-totp', { code: codeOf(totpURI, 1) })).status).toBe(200);
  expect((await phone.get('me')).body.user.email).toBe(ada.email);
  const sql = 'select action from audit_entries where subject_id = $1 order by created_at';
  const { rows } = await stage.db.pool.query<{ action: string }>(sql, [ada.me.user.id]);
  const factor = rows.map(({ action }) => action).filter((action) => action.endsWith('second_factor'));
  expect(factor).toEqual(['begin_second_factor', 'enable_second_factor']);
});

test('a recovery code signs in once', async () => {
  const ada = await stage.person();
  const { backupCodes } = await protect(ada);
  const recover = async (code: string) => {
    const browser = stage.browser();
    await browser.post('auth/sign-in/email', { email: ada.email, password });
    await browser.post('auth/two-factor/verify-backup-code', { code });
    return (await browser.get('me')).status;
  };
  expect(await recover('AAAAA-BBBBB')).toBe(401);
  expect(await recover(backupCodes[3]!)).toBe(200);
  expect(await recover(backupCodes[3]!)).toBe(401);
  expect(await recover(backupCodes[4]!)).toBe(200);
});

test('a code of the app opens one session, so that one who saw it typed cannot use it', async () => {
  const ada = await stage.person();
  const { totpURI } = await protect(ada);
  const code = codeOf(totpURI, 1);
  const enter = async (typed: string) => {
    const browser = stage.browser();
    await browser.post('auth/sign-in/email', { email: ada.email, password });
    const { body, status } = await browser.post('auth/two-factor/verify-totp', { code: typed });
    return { answer: [status, body.error?.code, body.error?.param], me: (await browser.get('me')).status };
  };
  const both = await Promise.all([enter(code), enter(code)]);
  expect(both.filter(({ me }) => me === 200)).toHaveLength(1);
  expect(await enter(code)).toEqual({ answer: [401, 'code_used', 'code'], me: 401 });
  // After its time it may be the code of another half minute.
  await stage.db.pool.query('update throttles set resets_at = now()');
  expect((await enter(code)).me).toBe(200);
});

test('no browser is trusted to sign in without a code afterwards', async () => {
  const ada = await stage.person();
  const { totpURI, backupCodes } = await protect(ada);
  for (const [way, code] of [
    ['totp', codeOf(totpURI, 1)],
    ['backup-code', backupCodes[0]!],
  ] as const) {
    const phone = stage.browser();
    const enter = () => phone.post('auth/sign-in/email', { email: ada.email, password });
    await enter();
    expect((await phone.post(`auth/two-factor/verify-${way}`, { code, trustDevice: true })).status).toBe(200);
    expect((await enter()).body).toMatchObject({ twoFactorRedirect: true });
    expect((await phone.get('me')).status).toBe(401);
  }
});

test('wrong codes end the attempt to sign in', async () => {
  const ada = await stage.person();
  const { totpURI } = await protect(ada);
  const thief = stage.browser();
  await thief.post('auth/sign-in/email', { email: ada.email, password });
  const guessed = [];
  for (let tries = 0; tries < 8; tries += 1)
    guessed.push((await thief.post('auth/two-factor/verify-totp', { code: '000000' })).status);
  expect(guessed.slice(5)).not.toContain(200);
  // The right code comes too late for this attempt.
  expect((await thief.post('auth/two-factor/verify-totp', { code: codeOf(totpURI) })).status).not.toBe(200);
  expect((await thief.get('me')).status).toBe(401);
});

test('the secret and the recovery codes are encrypted, and turning it off needs the password', async () => {
  const ada = await stage.person();
  const { totpURI, backupCodes } = await protect(ada);
  const { rows } = await stage.db.pool.query('select secret, backup_codes from two_factors where user_id = $1', [ada.me.user.id]); // prettier-ignore
  const stored = JSON.stringify(rows);
  expect(stored).not.toContain(new URL(totpURI).searchParams.get('secret')!);
  for (const code of backupCodes) expect(stored).not.toContain(code);
  expect((await ada.post('auth/two-factor/disable', { password: 'a wrong password' })).status).toBe(400);
  expect((await ada.post('auth/two-factor/disable', { password })).status).toBe(200);
  expect((await ada.get('me')).body.user.two_factor_enabled).toBe(false);
});

test('a person is told by mail of a new password, and that the second factor was turned off', async () => {
  const ada = await stage.person();
  await protect(ada);
  const sent = () =>
    stage.db.pool.query(
      `select subject from test_mails where recipient = $1 and subject not ilike 'confirm%' order by created_at, id`,
      [ada.email],
    );
  await ada.post('auth/change-password', { currentPassword: 'a wrong password', newPassword: 'another long secret' });
  await ada.post('auth/two-factor/disable', { password: 'a wrong password' });
  expect((await sent()).rows).toEqual([]);
  const changed = { currentPassword: password, newPassword: 'another long secret' };
  expect((await ada.post('auth/change-password', changed)).status).toBe(200);
  expect((await ada.post('auth/two-factor/disable', { password: 'another long secret' })).status).toBe(200);
  expect((await sent()).rows).toEqual([
    { subject: 'Your password was changed' },
    { subject: 'Two-factor authentication was turned off' },
  ]);
  expect((await stage.mailTo(ada.email, 'Two-factor')).link).toMatch(/\/forgot-password$/);
});
