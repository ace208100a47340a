import { afterAll, describe, expect, test } from '@jest/globals';
import { setSsoStage } from './ssoStage.ts';

const stage = await setSsoStage();
afterAll(() => stage.close());

/** A company that enforces its provider, and a person of its domain with a password, who is a member. */
async function enforced(role = 'developer') {
  const { ada, domain } = await stage.company();
  const bob = await stage.person({ name: 'Bob Builder', email: `bob@${domain}` });
  const workspaceId = ada.me.workspace.id;
  const sql = `insert into members (id, workspace_id, user_id, role) values ($1, $2, $3, $4)`;
  await stage.db.pool.query(sql, [`mem_${bob.me.user.id}`, workspaceId, bob.me.user.id, role]);
  expect((await stage.patch(ada, 'single-sign-on', { enforced: true })).status).toBe(200);
  const there = { 'x-ledgerline-workspace': workspaceId };
  return { ada, bob, workspaceId, ask: () => bob.send('GET', '/console/v1/keys', undefined, there) };
}

describe('an enforced provider', () => {
  test('is not left by another mail address', async () => {
    const { ada, bob, ask } = await enforced();
    expect((await ask()).body.error.code).toBe('single_sign_on_required');
    const change = { newEmail: stage.newEmail('private') };
    expect((await bob.post('auth/change-email', change)).body.error?.code).toBe('address_of_company');
    expect((await stage.patch(ada, 'single-sign-on', { enforced: false })).status).toBe(200);
    expect((await bob.post('auth/change-email', change)).status).toBe(200);
  });

  test('is passed by an owner who sets a second factor up only with an entry in the audit', async () => {
    const { bob, workspaceId, ask } = await enforced('owner');
    expect((await ask()).body.error.code).toBe('single_sign_on_required');
    await stage.strengthen(bob);
    expect((await ask()).status).toBe(200);
    const entries = (await stage.auditOf(workspaceId)).filter(({ action }) => action === 'break_glass_sign_in');
    expect(entries).toEqual([{ action: 'break_glass_sign_in', detail: { method: 'second_factor' } }]);
  });
});

test('an address that the provider has not verified opens nothing, also where it says so by a text', async () => {
  const { domain } = await stage.company();
  const email = `boss@${domain}`;
  for (const email_verified of [false, 'false', 'no', 0] as boolean[]) {
    const { next } = await stage.signIn(email, stage.provide({ email, email_verified, groups: ['admins'] }));
    expect(next).toMatch('error=email_not_verified');
  }
  const email_verified = 'true' as unknown as boolean;
  const { next } = await stage.signIn(email, stage.provide({ email, email_verified, groups: ['admins'] }));
  expect(next).toBe('/sign-in?step=done');
});

test('who leaves and comes back by the provider is limited to a project as before', async () => {
  const { ada, domain } = await stage.company();
  const email = `grace@${domain}`;
  const subject = stage.provide({ email, groups: ['engineers'] });
  const { browser } = await stage.signIn(email, subject);
  const { body: me } = await browser.get('me');
  const { body: project } = await ada.post('projects', { name: 'Chat' });
  const limited = await stage.patch(ada, `members/${me.user.id}`, { project_ids: [project.id] });
  expect(limited.status).toBe(200);
  expect((await browser.get('me')).body.project_ids).toEqual([project.id]);
  const organizationId = ada.me.workspace.id;
  expect((await browser.post('auth/organization/leave', { organizationId })).status).toBe(200);
  const again = await stage.signIn(email, subject);
  expect((await again.browser.get('me')).body).toMatchObject({ role: 'developer', project_ids: [project.id] });
  const [entry] = (await stage.auditOf(organizationId)).filter(({ action }) => action === 'sso_add_member').slice(-1);
  expect(entry?.detail).toMatchObject({ role: 'developer', project_ids: [project.id] });
});

test('a way to sign in is added after a recent sign-in alone', async () => {
  const bob = await stage.person({ name: 'Bob Builder' });
  const age = `update user_sessions set created_at = now() - interval '13 hours' where user_id = $1`;
  const { password } = stage;
  expect((await bob.get('auth/passkey/generate-register-options')).status).toBe(200);
  await stage.db.pool.query(age, [bob.me.user.id]);
  for (const [path, body] of [
    ['two-factor/enable', { password }],
    ['two-factor/disable', { password }],
    ['two-factor/generate-backup-codes', { password }],
    ['passkey/verify-registration', {}],
    ['change-email', { newEmail: stage.newEmail() }],
    ['link-social', { provider: 'google' }],
  ] as [string, object][])
    expect([path, (await bob.post(`auth/${path}`, body)).body.error?.code]).toEqual([path, 'recent_login_required']);
  expect((await bob.get('auth/passkey/generate-register-options')).body.error?.code).toBe('recent_login_required');
});
