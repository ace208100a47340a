import { afterAll, expect, test } from '@jest/globals';
import { ACCOUNT_BODIES } from '../../../api/accounts/accountBodies.ts';
import { setAccountStage } from './accountStage.ts';

const stage = await setAccountStage();
const owner = await stage.person({ name: 'Olga Owner' });
afterAll(() => stage.close());

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
