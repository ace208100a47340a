import { createHmac } from 'node:crypto';
import { afterAll, expect, jest, test } from '@jest/globals';
import { retime } from '../../support/clock.ts';
import { withClient } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { addVersion, readVersions } from '../../../db/rotation/secretVersions.ts';
import { password, setAccountStage, type Browser } from './accountStage.ts';
import { codeOf, protect } from './protect.ts';

// How often a process reads the versions.
retime({ fromMs: 20_000, toMs: 20 });
const stage = await setAccountStage();
afterAll(async () => {
  await stage.close();
  jest.restoreAllMocks();
});

async function asOwner(text: string): Promise<void> {
  const { rows } = await stage.db.pool.query('select current_database() as name');
  const url = Object.assign(new URL(process.env.TEST_DATABASE_URL!), { pathname: `/${rows[0].name}` });
  await withClient(url.href, (client) => client.query(text));
}

const sessionOf = ({ cookies }: Browser) => [...cookies].find(([name]) => name.endsWith('session_token'))?.[1];

test('sessions and second factors of an earlier version of their secret stay valid', async () => {
  const ada = await stage.person();
  const { totpURI } = await protect(ada);
  const before = sessionOf(ada)!;
  await addVersion(stage.db.pool, 'accounts', new Date());
  // Until it signs, nothing changes.
  expect((await ada.get('auth/get-session')).body.user.email).toBe(ada.email);
  expect(sessionOf(ada)).toBe(before);
  await asOwner(`update secret_versions set signs_at = now()`);
  const [newest] = await readVersions(stage.db.pool, 'accounts');
  const secret = Buffer.from(newest!.value).toString('hex');
  const phone = stage.browser();
  // A new sign-in's cookie is signed by the new version, once the process has read it.
  await until(async () => {
    // Each code counts once.
    await asOwner('delete from throttles');
    await phone.post('auth/sign-in/email', { email: ada.email, password });
    await phone.post('auth/two-factor/verify-totp', { code: codeOf(totpURI) });
    const [, token = '', signature] = /^([^.]+)\.(.+)$/.exec(decodeURIComponent(sessionOf(phone) ?? '')) ?? [];
    return signature === createHmac('sha256', secret).update(token).digest('base64');
  });
  // The library checks the signature of a cookie from before.
  expect((await ada.get('auth/get-session')).body.user.email).toBe(ada.email);
  expect((await ada.post('auth/update-user', { name: 'Ada L.' })).status).toBe(200);
  expect((await ada.get('me')).body.user).toMatchObject({ name: 'Ada L.' });
  // A forged one stays forged.
  const name = [...ada.cookies].find(([one]) => one.endsWith('session_token'))![0];
  const thief = stage.browser();
  thief.cookies.set(name, `${decodeURIComponent(before).split('.')[0]}.${'A'.repeat(43)}%3D`);
  expect((await thief.get('auth/get-session')).body).toBeNull();
});
