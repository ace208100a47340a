import { afterAll, expect, test } from '@jest/globals';
import { ACCOUNT_BODIES } from '../../../api/accounts/accountBodies.ts';
import { password, setAccountStage } from './accountStage.ts';

const stage = await setAccountStage();
const owner = await stage.person({ name: 'Olga Owner' });
afterAll(() => stage.close());

const OF_MEMBER = 'user_is_already_a_member_of_this_organization';
const refused = (param: string) => ({ status: 422, body: { error: { code: 'validation_error', param } } });

test('an unknown member is refused by its name in every request about an account, and nothing changes', async () => {
  const valid: Record<string, object> = {
    'update-user': { name: 'Changed' },
    'organization/invite-member': { email: stage.newEmail(), role: 'developer' },
    'request-password-reset': { email: owner.email },
    'change-email': { newEmail: stage.newEmail() },
  };
  for (const path of ACCOUNT_BODIES.keys()) {
    const sent = { ...valid[path], isAdmin: true };
    const answer = await owner.post<{ detail: { loc: string[] }[] }>(`auth/${path}`, sent);
    expect([path, answer.status]).toEqual([path, 422]);
    expect(answer.body.detail.map(({ loc }) => loc.join('.'))).toContain('body.isAdmin');
  }
  expect((await owner.get<{ user: { name: string } }>('me')).body.user.name).toBe('Olga Owner');
  expect((await owner.get('auth/organization/list-invitations')).body).toEqual([]);
});

test.each([
  ['organization/create', { name: 'A', slug: 'a' }, 'slug'],
  ['revoke-session', { id: 'x', all: true }, 'all'],
  ['change-password', { currentPassword: 1, newPassword: 'another long secret' }, 'currentPassword'],
  ['two-factor/verify-totp', { code: 123_456 }, 'code'],
  ['passkey/verify-registration', { response: 'x' }, 'response'],
  ['passkey/delete-passkey', { id: { a: 1 } }, 'id'],
  ['organization/invite-member', { email: 'a@b.example', role: ['developer', 'owner'] }, 'role'],
  ['organization/invite-member', { email: 'a@b.example', role: 'admin' }, 'role'],
  ['organization/update-member-role', { memberId: '', role: 'finance' }, 'memberId'],
  ['organization/leave', { organizationId: '' }, 'organizationId'],
  ['organization/set-active', {}, 'organizationId'],
  ['link-social', { provider: 'google', callbackURL: '/settings' }, 'callbackURL'],
])('%s names the member that it refuses: %j', async (path, body, param) => {
  expect(await owner.post(`auth/${path}`, body)).toMatchObject(refused(param));
});

test.each([
  ['organization/invite-member', { email: 'not an address', role: 'developer' }, 'email'],
  ['organization/accept-invitation', { invitationId: 'inv_none' }, 'invitationId'],
  ['change-email', { newEmail: 'not an address' }, 'newEmail'],
  ['reset-password', { newPassword: 'another long secret', token: 'none' }, 'token'],
])('what %s refuses by itself names its member too: %j', async (path, body, param) => {
  const answer = await owner.post<{ error: { message: string } }>(`auth/${path}`, body);
  expect(answer).toMatchObject({ status: 400, body: { error: { param } } });
  expect(answer.body.error.message).not.toContain('[body');
});

test.each([
  ['sign-up/email', { name: 'Ada', email: 'ada@b.example', password: 'short' }, 'password_too_short', 'password'],
  ['sign-up/email', { name: 'Ada', email: 'a@b.example', password: 'x'.repeat(200) }, 'password_too_long', 'password'],
  ['change-password', { currentPassword: password, newPassword: 'short' }, 'password_too_short', 'newPassword'],
  [
    'change-password',
    { currentPassword: 'x', newPassword: 'another long secret' },
    'invalid_password',
    'currentPassword',
  ],
  ['reset-password', { newPassword: 'short', token: 'none' }, 'password_too_short', 'newPassword'],
  ['two-factor/enable', { password: 'wrong' }, 'invalid_password', 'password'],
  ['sign-in/email', { email: 'a@b.example', password: 'wrong' }, 'invalid_email_or_password', null],
  ['organization/invite-member', { email: owner.email, role: 'developer' }, OF_MEMBER, 'email'],
  ['organization/remove-member', { memberIdOrEmail: 'mem_none' }, 'member_not_found', 'memberIdOrEmail'],
  ['organization/update-member-role', { memberId: 'mem_none', role: 'finance' }, 'member_not_found', 'memberId'],
  ['organization/cancel-invitation', { invitationId: 'inv_none' }, 'invitation_not_found', 'invitationId'],
  ['verify-email', { token: 'none' }, 'invalid_token', 'token'],
  ['magic-link/verify', { token: 'none' }, 'invalid_token', 'token'],
  ['passkey/update-passkey', { id: 'none', name: 'Phone' }, 'passkey_not_found', 'id'],
])('%s with %j is refused as %s of the member %s', async (path, body, code, param) => {
  expect((await owner.post<object>(`auth/${path}`, body)).body).toMatchObject({ error: { code, param } });
});

test.each([
  ['GET', 'get-session?disableRefresh=true', 'disableRefresh'],
  ['GET', 'list-accounts?surprise=1', 'surprise'],
  ['GET', 'organization/list-members?limit=1&filterField=role', 'filterField'],
  ['GET', 'organization/get-invitation?id=inv_none&surprise=1', 'surprise'],
  ['GET', 'passkey/generate-register-options?name=Phone&context=x', 'context'],
  ['POST', 'update-user?surprise=1', 'surprise'],
])('%s %s is refused by the name of the unknown member of its query', async (method, path, param) => {
  const body = method === 'POST' ? { name: 'Ada' } : undefined;
  expect(await owner.send(method, `/console/v1/auth/${path}`, body)).toMatchObject(refused(param));
});

test.each(['get-session?_=1732827600000', 'organization/list-members?limit=1&offset=0', 'list-accounts'])(
  'GET %s is answered',
  async (path) => {
    expect((await owner.get(`auth/${path}`)).status).toBe(200);
  },
);

test('a read names the parameter that it refuses', async () => {
  const { body } = await owner.get<object>('auth/organization/get-invitation?id=inv_none');
  expect(body).toMatchObject({ error: { code: 'invitation_not_found', param: 'id' } });
});
