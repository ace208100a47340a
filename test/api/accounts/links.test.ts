import { afterAll, describe, expect, test } from '@jest/globals';
import { expectAnswer, password, setAccountStage } from './accountStage.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

const FOREIGN = [
  '/.//evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/%2f/evil.example',
  '/..//evil.example',
  '/settings/..//evil.example',
  '/settings\n',
  '/settings?next=//evil.example',
  '/invitations/inv_1/../../keys',
  'https://evil.example/',
  'javascript:alert(1)',
  'settings',
  '',
];
const NAMES = ['callbackURL', 'newUserCallbackURL', 'errorCallbackURL', 'redirectTo'];

describe('an address to come back to that is not one of the console', () => {
  const refused = (param: string) => ({ status: 400, body: { error: { code: 'invalid_callback', param } } });

  test.each(FOREIGN)('is refused in a link: %j', async (address) => {
    for (const path of ['verify-email', 'magic-link/verify', 'get-session'])
      for (const name of NAMES) {
        const answer = await stage
          .browser()
          .get(`auth/${path}?${new URLSearchParams({ token: 'x', [name]: address }).toString()}`);
        expect(answer).toMatchObject(refused(name));
        expect(answer.headers.get('location')).toBeNull();
      }
  });

  test.each(FOREIGN)('is refused in a body, so that no mail has it: %j', async (address) => {
    const ada = await stage.person();
    const bodies: [string, object][] = [
      ['sign-up/email', { name: 'Eve', email: stage.newEmail('eve'), password }],
      ['sign-in/email', { email: ada.email, password }],
      ['send-verification-email', { email: ada.email }],
      ['request-password-reset', { email: ada.email }],
      ['change-email', { newEmail: stage.newEmail() }],
      ['verify-email', { token: 'x' }],
      ['magic-link/verify', { token: 'x' }],
    ];
    for (const [path, body] of bodies)
      for (const name of NAMES)
        expect(await ada.post(`auth/${path}`, { ...body, [name]: address })).toMatchObject(refused(name));
  });

  test('is refused when it is sent twice, or is no text', async () => {
    const query = 'token=x&callbackURL=/&callbackURL=//evil.example';
    expect(await stage.browser().get(`auth/verify-email?${query}`)).toMatchObject(refused('callbackURL'));
    for (const callbackURL of [['/'], { a: 1 }, 7])
      expect(await stage.browser().post('auth/verify-email', { token: 'x', callbackURL })).toMatchObject(
        refused('callbackURL'),
      );
  });
});

describe('a link of a mail', () => {
  async function signedUp(callbackURL?: string) {
    const email = stage.newEmail();
    const own = stage.browser();
    const form = { name: 'Eve', email, password, ...(callbackURL && { callbackURL }) };
    expectAnswer(await own.post('auth/sign-up/email', form), 200);
    const { link } = await stage.mailTo(email, 'confirm');
    return { email, own, link, query: Object.fromEntries(new URL(link).searchParams) };
  }

  test('signs no browser in before its person agrees: it leads to a page that asks', async () => {
    const { link, query } = await signedUp();
    const victim = stage.browser();
    const { pathname, search } = new URL(link);
    const opened = await victim.send('GET', pathname + search);
    const asked = new URLSearchParams({ link: 'verify-email', ...query });
    expect([opened.status, opened.headers.get('location')]).toEqual([302, `/confirm-link?${asked.toString()}`]);
    expect([victim.cookies.size, (await victim.get('me')).status]).toEqual([0, 401]);
    // Another site cannot confirm for them.
    const forged = await victim.send('POST', pathname, query, { 'sec-fetch-site': 'cross-site' });
    expect([forged.status, victim.cookies.size]).toEqual([403, 0]);
    expect(await victim.post('auth/verify-email', query)).toMatchObject({ status: 200, body: { next: '/' } });
    expect((await victim.get('me')).status).toBe(200);
  });

  test('leads to the page that the sign-up named', async () => {
    const { own, query } = await signedUp('/invitations/inv_1');
    expect(await own.post('auth/verify-email', query)).toMatchObject({ body: { next: '/invitations/inv_1' } });
  });

  test('that is over or forged is refused with its reason', async () => {
    const refused = { status: 400, body: { error: { code: 'invalid_token' } } };
    expect(await stage.browser().post('auth/verify-email', { token: 'x', callbackURL: '/' })).toMatchObject(refused);
    expect(await stage.browser().post('auth/magic-link/verify', { token: 'x', callbackURL: '/' })).toMatchObject(
      refused,
    );
    expect((await stage.browser().post('auth/verify-email', {})).status).toBe(400);
  });
});
