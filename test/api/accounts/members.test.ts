import { afterAll, describe, expect, test } from '@jest/globals';
import type { Role } from '../../../db/keys/roles.ts';
import { chatBody } from '../../support/guardStage.ts';
import { expectAnswer, password, setAccountStage, type AccountStage } from './accountStage.ts';

const stage = await setAccountStage();
const owner = await stage.person({ name: 'Olga Owner' });
await stage.credit(owner.me.workspace.id, '20');
afterAll(() => stage.close());

type Person = Awaited<ReturnType<AccountStage['person']>>;

const invite = (email: string, role: string, by = owner) => by.post('auth/organization/invite-member', { email, role });

/** A person who has accepted an invitation to the owner's workspace, which is selected. */
async function join(role: Role): Promise<Person> {
  const person = await stage.person({ name: `Mr ${role}` });
  expectAnswer(await invite(person.email, role), 200);
  const { link } = await stage.mailTo(person.email, 'Join');
  const invitationId = new URL(link).pathname.split('/').at(-1)!;
  expect((await person.post('auth/organization/accept-invitation', { invitationId })).status).toBe(200);
  await person.post('auth/organization/set-active', { organizationId: owner.me.workspace.id });
  return person;
}

describe('an invitation', () => {
  test('adds a person with an account as a member, who then has two workspaces', async () => {
    const finance = await join('finance');
    const { body: me } = await finance.get('me');
    expect(me).toMatchObject({ workspace: owner.me.workspace, role: 'finance', scopes: ['billing'] });
    expect(me.workspaces.map(({ role }) => role)).toEqual(['owner', 'finance']);
    await finance.post('auth/organization/set-active', { organizationId: finance.me.workspace.id });
    expect((await finance.get('me')).body.workspace).toEqual(finance.me.workspace);
  });

  test('waits for a person to sign up, and shows its workspace', async () => {
    const email = stage.newEmail('newcomer');
    await invite(email, 'developer');
    const mail = await stage.mailTo(email, 'Join');
    expect(mail.text).toContain('Olga Owner invites you to the workspace Olga Owner’s workspace as developer');
    const id = new URL(mail.link).pathname.split('/').at(-1)!;
    const signedOut = await stage.browser().get(`auth/organization/get-invitation?id=${id}`);
    expect(signedOut).toMatchObject({ status: 401, body: { error: { code: 'not_signed_in' } } });
    const newcomer = await stage.person({ name: 'New', email });
    expect((await newcomer.get(`auth/organization/get-invitation?id=${id}`)).body).toMatchObject({
      organizationName: owner.me.workspace.name,
      role: 'developer',
    });
    await newcomer.post('auth/organization/accept-invitation', { invitationId: id });
    expect((await newcomer.get('me')).body.workspaces).toHaveLength(2);
  });

  test('is valid only for its address, once, and not after its withdrawal', async () => {
    const [guest, thief] = [await stage.person({ name: 'Guest' }), await stage.person({ name: 'Thief' })];
    const { body: sent } = await invite(guest.email, 'publisher');
    const accept = (person: Person) => person.post('auth/organization/accept-invitation', { invitationId: sent.id });
    expect((await accept(thief)).status).toBe(403);
    await owner.post('auth/organization/cancel-invitation', { invitationId: sent.id });
    expect((await accept(guest)).status).toBe(400);
    expect((await guest.get('me')).body.workspaces).toHaveLength(1);
  });

  test('is the only open one of its address, also after many at once', async () => {
    const guest = await stage.person({ name: 'Guest' });
    const sent = await Promise.all(Array.from({ length: 8 }, () => invite(guest.email, 'developer')));
    for (const one of sent) expectAnswer(one, 200);
    const accept = ({ body }: (typeof sent)[number]) =>
      guest.post('auth/organization/accept-invitation', { invitationId: body.id });
    const statuses = (await Promise.all(sent.map(accept))).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(400)]);
    expectAnswer(await owner.post('auth/organization/remove-member', { memberIdOrEmail: guest.email }), 200);
    for (const one of sent) expect((await accept(one)).status).toBe(400);
    expect((await guest.get('me')).body.workspaces).toHaveLength(1);
  });

  test('of somebody who has become a member otherwise is refused as such', async () => {
    const guest = await stage.person({ name: 'Guest' });
    const { body } = expectAnswer(await invite(guest.email, 'developer'), 200);
    await stage.db.pool.query(`insert into members (id, workspace_id, user_id, role) values ($1, $2, $3, 'finance')`, [
      'mem_otherwise',
      owner.me.workspace.id,
      guest.me.user.id,
    ]);
    const accepted = await guest.post('auth/organization/accept-invitation', { invitationId: body.id });
    expect(accepted).toMatchObject({ status: 409, body: { error: { code: 'already_member' } } });
  });

  test('requires an owner, and a known role', async () => {
    const developer = await join('developer');
    expect((await invite(stage.newEmail(), 'developer', developer)).status).toBe(403);
    for (const role of ['admin', 'member', 'owner,finance', 'operator'])
      expect(await invite(stage.newEmail(), role)).toMatchObject({ status: 422, body: { error: { param: 'role' } } });
  });
});

describe('a member', () => {
  test('may do what the role permits, and otherwise gets the roles that may', async () => {
    const people = {
      owner,
      developer: await join('developer'),
      finance: await join('finance'),
      publisher: await join('publisher'),
    };
    const chat = JSON.parse(chatBody()) as object;
    const asks: Record<string, (person: Person) => Promise<{ status: number }>> = {
      chat: (person) => person.send('POST', '/console/v1/chat/completions', chat),
      checkout: (person) => person.post('checkout', { amount: 25 }),
      invoices: (person) => person.get('invoices'),
      'read billing details': (person) => person.get('details'),
      'change billing details': (person) => person.send('PATCH', '/console/v1/details', { city: 'Berlin' }),
      card: (person) => person.post('card', {}),
      'make a key': (person) => person.post('keys', { name: 'mine' }),
      drafts: (person) => person.get('publisher/agents'),
      keys: (person) => person.get('keys'),
      requests: (person) => person.get('requests'),
      ledger: (person) => person.get('ledger'),
      balance: (person) => person.get('balance'),
      invite: (person) => person.post('auth/organization/invite-member', { email: stage.newEmail(), role: 'finance' }),
      reviews: (person) => person.get('reviews'),
    };
    const may: Record<string, string[]> = {};
    for (const [what, ask] of Object.entries(asks)) {
      may[what] = [];
      for (const [role, person] of Object.entries(people)) if ((await ask(person)).status !== 403) may[what].push(role);
    }
    const all = Object.keys(people);
    expect(may).toEqual({
      chat: ['owner', 'developer', 'publisher'],
      checkout: ['owner', 'finance'],
      invoices: ['owner', 'finance'],
      'read billing details': ['owner', 'finance'],
      'change billing details': ['owner', 'finance'],
      card: ['owner', 'finance'],
      'make a key': ['owner', 'developer'],
      drafts: ['owner', 'publisher'],
      keys: all,
      requests: all,
      ledger: all,
      balance: all,
      invite: ['owner'],
      reviews: [],
    });
    expect((await people.developer.post('checkout', { amount: 25 })).body.error).toMatchObject({
      code: 'role_not_allowed',
      message: expect.stringContaining('needs the role owner or finance'),
    });
  });

  test('who is removed loses access at once, and so does their key', async () => {
    const developer = await join('developer');
    expect((await developer.get('requests')).status).toBe(200);
    const removed = await owner.post('auth/organization/remove-member', { memberIdOrEmail: developer.email });
    expect(removed.status).toBe(200);
    expect((await developer.get('me')).body.workspace).toEqual(developer.me.workspace);
    const { rows } = await stage.db.pool.query(
      'select revoked_at from api_keys where member_user_id = $1 and workspace_id = $2',
      [developer.me.user.id, owner.me.workspace.id],
    );
    expect(rows).toEqual([{ revoked_at: expect.any(Date) }]);
  });

  test('whose role changes has the new one with the next request', async () => {
    const developer = await join('developer');
    const { body } = await owner.get<{ members: { id: string; userId: string }[] }>('auth/organization/list-members');
    const { id: memberId } = body.members.find(({ userId }) => userId === developer.me.user.id)!;
    expect((await owner.post('auth/organization/update-member-role', { memberId, role: 'admin' })).status).toBe(422);
    expect((await owner.post('auth/organization/update-member-role', { memberId, role: 'finance' })).status).toBe(200);
    expect((await developer.get('me')).body.role).toBe('finance');
    expect((await developer.post('auth/organization/update-member-role', { memberId, role: 'owner' })).status).toBe(
      403,
    );
  });

  test('who is the last owner cannot be removed or lose the role', async () => {
    const ada = await stage.person();
    const organizationId = ada.me.workspace.id;
    await ada.post('auth/organization/set-active', { organizationId });
    const { body } = await ada.get<{ members: { id: string }[] }>('auth/organization/list-members');
    const memberId = body.members[0]!.id;
    expect((await ada.post('auth/organization/leave', { organizationId })).status).toBe(400);
    expect((await ada.post('auth/organization/remove-member', { memberIdOrEmail: ada.email })).status).toBe(400);
    expect((await ada.post('auth/organization/update-member-role', { memberId, role: 'finance' })).status).toBe(400);
    expect((await ada.get('me')).body.role).toBe('owner');
  });

  test('of two owners who remove each other at once, one stays and is told why', async () => {
    const [ada, bob] = [await stage.person(), await stage.person()];
    const organizationId = ada.me.workspace.id;
    const { body: sent } = expectAnswer(await invite(bob.email, 'owner', ada), 200);
    await bob.post('auth/organization/accept-invitation', { invitationId: sent.id });
    const remove = (by: Person, { email }: Person) =>
      by.post('auth/organization/remove-member', { organizationId, memberIdOrEmail: email });
    const answers = await Promise.all([remove(ada, bob), remove(bob, ada)]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    expect(refused[0]!.status).toBeLessThan(500);
  });

  test('of another workspace cannot see members and invitations', async () => {
    const stranger = await stage.person({ name: 'Stranger' });
    const organizationId = owner.me.workspace.id;
    for (const path of ['list-members', 'list-invitations'])
      expect((await stranger.get(`auth/organization/${path}?organizationId=${organizationId}`)).status).toBe(403);
    expect((await stranger.post('auth/organization/set-active', { organizationId })).status).toBe(403);
    expect((await stranger.get('me')).body.workspace).toEqual(stranger.me.workspace);
  });

  test('creates a second workspace, with its own account and key', async () => {
    const ada = await stage.person();
    const { status, body } = await ada.post('auth/organization/create', { name: 'Analytical Engines' });
    expect(status).toBe(200);
    expect((await ada.get('me')).body).toMatchObject({ workspace: { id: body.id, name: 'Analytical Engines' } });
    expect((await ada.get('balance')).status).toBe(200);
  });

  test('whose sign-in is old must sign in again before creating a key', async () => {
    const ada = await stage.person();
    await stage.db.pool.query(`update user_sessions set created_at = now() - interval '13 hours' where user_id = $1`, [
      ada.me.user.id,
    ]);
    expect(await ada.post('keys', { name: 'late' })).toMatchObject({
      status: 403,
      body: { error: { code: 'recent_login_required' } },
    });
    await ada.post('auth/sign-in/email', { email: ada.email, password });
    expect((await ada.post('keys', { name: 'late' })).status).toBe(201);
  });
});

test('changes of an account and of members are audited, with the actor and without secrets', async () => {
  const ada = await stage.person();
  await ada.post('auth/change-password', { currentPassword: password, newPassword: 'another long secret' });
  await ada.post('auth/organization/invite-member', { email: 'b@example.com', role: 'finance' });
  await ada.post('auth/organization/invite-member', { email: 'no address', role: 'finance' });
  for (let tries = 0; tries < 12; tries += 1)
    await stage.browser().post('auth/sign-in/email', { email: ada.email, password: 'a wrong password' });
  const { rows } = await stage.db.pool.query(
    `select action, user_id, key_id, workspace_id, detail from audit_entries where user_id = $1 or subject_id = $1 order by created_at, id`,
    [ada.me.user.id],
  );
  const by = { user_id: ada.me.user.id, key_id: null };
  expect(rows).toEqual([
    { ...by, action: 'sign_in', workspace_id: null, detail: { method: 'link' } },
    { ...by, action: 'change_password', workspace_id: null, detail: {} },
    {
      ...by,
      action: 'invite_member',
      workspace_id: ada.me.workspace.id,
      detail: { email: 'b@example.com', role: 'finance' },
    },
    { action: 'sign_in_stopped', user_id: null, key_id: null, workspace_id: null, detail: {} },
  ]);
});

test('an act whose audit fails is undone', async () => {
  const developer = await join('developer');
  const guest = await stage.person({ name: 'Guest' });
  const { body: open } = expectAnswer(await invite(guest.email, 'finance'), 200);
  const { body: withdrawn } = expectAnswer(await invite(stage.newEmail(), 'finance'), 200);
  const state = () =>
    stage.asOwner(
      `select (select json_agg(m order by m.id) from members m) as members, (select json_agg(i order by i.id) from invitations i) as invitations,
        (select json_agg(t order by t.id) from two_factors t) as factors, (select json_agg(c.password order by c.id) from credentials c) as passwords,
        (select json_agg(k.revoked_at order by k.id) from api_keys k) as keys`,
    );
  const before = await state();
  await stage.asOwner(
    `create function fail_audit() returns trigger language plpgsql as $$ begin raise exception 'no audit'; end $$`,
  );
  await stage.asOwner('create trigger fails before insert on audit_entries for each row execute function fail_audit()');
  try {
    const { rows } = await stage.db.pool.query('select id from members where user_id = $1 and workspace_id = $2', [
      developer.me.user.id,
      owner.me.workspace.id,
    ]);
    const memberId = rows[0].id as string;
    const refused = await Promise.all([
      invite(stage.newEmail(), 'developer'),
      owner.post('auth/organization/cancel-invitation', { invitationId: withdrawn.id }),
      owner.post('auth/organization/update-member-role', { memberId, role: 'finance' }),
      owner.post('auth/organization/remove-member', { memberIdOrEmail: memberId }),
      guest.post('auth/organization/accept-invitation', { invitationId: open.id }),
      developer.post('auth/organization/leave', { organizationId: owner.me.workspace.id }),
      guest.post('auth/change-password', { currentPassword: password, newPassword: `${password} two` }),
      guest.post('auth/two-factor/enable', { password }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 500));
    expect(await state()).toEqual(before);
  } finally {
    await stage.asOwner('drop function fail_audit cascade');
  }
  expectAnswer(await guest.post('auth/organization/accept-invitation', { invitationId: open.id }), 200);
});
