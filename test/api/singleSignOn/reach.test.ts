import { afterAll, describe, expect, test } from '@jest/globals';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { setSsoStage } from './ssoStage.ts';

const stage = await setSsoStage();
afterAll(() => stage.close());

type Person = Awaited<ReturnType<typeof stage.person>>;

const inWorkspace = (id: string) => ({ 'x-ledgerline-workspace': id });

/** Makes a person an owner of another one's workspace. */
async function join(person: Person, { me }: Person): Promise<string> {
  const sql = `insert into members (id, workspace_id, user_id, role) values ($1, $2, $3, 'owner')`;
  const { user } = person.me;
  await stage.db.pool.query(sql, [`mem_${user.id}`, me.workspace.id, user.id]);
  return me.workspace.id;
}

/** Codes of a program that asks for a key. */
const program = async () =>
  (await (await stage.ask('/platform/v1/device/codes', { body: '{}' })).json()) as { user_code: string };

/** Asks for a key of a workspace, in the page of another one. */
const approve = async (browser: Pick<Person, 'send'>, at: string, workspaceId: string, scope = 'llm') => {
  const { user_code } = await program();
  const body = { user_code, workspace_id: workspaceId, name: 'Laptop', scopes: [scope] };
  return browser.send('POST', '/console/v1/device/approve', body, inWorkspace(at));
};

describe('a session of a company’s provider', () => {
  /** Grace has a workspace of her own, and is signed in by her company. */
  async function employee() {
    const { ada, domain } = await stage.company();
    const email = `grace@${domain}`;
    const grace = await stage.person({ name: 'Grace Hopper', email });
    const { browser } = await stage.signIn(email, stage.provide({ email, groups: ['admins'] }));
    return { grace, browser, own: grace.me.workspace.id, company: ada.me.workspace.id };
  }

  test('makes no keys of another workspace of its person, and does not name it', async () => {
    const { browser, own, company } = await employee();
    const { user_code } = await program();
    const read = await browser.post<{ workspaces: { id: string }[] }>('device/read', { user_code });
    expect(read.body.workspaces.map(({ id }) => id)).toEqual([company]);
    expect(await approve(browser, company, own)).toMatchObject({
      status: 404,
      body: { error: { code: 'workspace_not_found' } },
    });
    expect((await approve(browser, company, company)).status).toBe(200);
  });

  test('makes no key of an operator, also in the platform’s own workspace', async () => {
    const { browser, grace, company } = await employee();
    await stage.db.pool.query('update users set is_operator = true where id = $1', [grace.me.user.id]);
    await seedAgents(stage.db.everywhere);
    await stage.db.pool.query(`update namespaces set workspace_id = $1 where name = 'ledgerline'`, [company]);
    expect(await approve(browser, company, company, 'operator')).toMatchObject({
      status: 403,
      body: { error: { code: 'scope_not_grantable' } },
    });
  });

  test('withdraws no invitation of another workspace of its person', async () => {
    const { grace, browser, own, company } = await employee();
    const invited = await grace.post('auth/organization/invite-member', {
      organizationId: own,
      email: stage.newEmail(),
      role: 'finance',
    });
    expect(invited.status).toBe(200);
    const body = { invitationId: invited.body.id, organizationId: company };
    expect((await browser.post('auth/organization/cancel-invitation', body)).status).toBe(403);
  });

  test('neither reads nor ends sessions elsewhere', async () => {
    const { grace, browser } = await employee();
    const { body: listed } = await browser.get<{ id: string; current: boolean }[]>('auth/list-sessions');
    expect(listed.map(({ current }) => current)).toEqual([true]);
    const { body: own } = await grace.get<{ id: string; current: boolean }[]>('auth/list-sessions');
    const { id } = own.find(({ current }) => current)!;
    expect((await browser.post('auth/revoke-session', { id })).body.error.code).toBe('session_not_found');
    expect((await browser.post<{ count: number }>('auth/revoke-other-sessions')).body.count).toBe(0);
    expect((await grace.get('me')).status).toBe(200);
  });
});

describe('a session that lacks what a workspace asks for', () => {
  /** Bob owns two workspaces; one requires a second factor, which he does not have. */
  async function guest() {
    const ada = await stage.owner();
    await stage.strengthen(ada);
    const bob = await stage.person({ name: 'Bob Builder' });
    const there = await join(bob, ada);
    await stage.patch(ada, 'session-rules', { requires_second_factor: true });
    return { ada, bob, own: bob.me.workspace.id, there };
  }

  test('makes no keys there from another one', async () => {
    const { bob, own, there } = await guest();
    expect((await approve(bob, own, there)).body.error?.code).toBe('second_factor_required');
    expect((await approve(bob, own, own)).status).toBe(200);
  });

  test('changes and reads no members there from a page of another one', async () => {
    const { bob, own, there } = await guest();
    await bob.post('auth/organization/set-active', { organizationId: there });
    const at = '/console/v1/auth/organization';
    const invited = { email: stage.newEmail(), role: 'owner' };
    const sent = await bob.send('POST', `${at}/invite-member`, invited, inWorkspace(own));
    expect(sent).toMatchObject({ status: 200, body: { organizationId: own } });
    for (const query of ['', `?organizationId=${own}&organizationId=${there}`, `?organizationSlug=${there}`]) {
      const { body } = await bob.send<{ members?: { organizationId: string }[] }>(
        'GET',
        `${at}/list-members${query}`,
        undefined,
        inWorkspace(own),
      );
      expect(body.members?.filter(({ organizationId }) => organizationId !== own) ?? []).toEqual([]);
    }
  });
});

test('a change of members is in the audit of the workspace that it changes', async () => {
  const [ada, bob] = [await stage.owner(), await stage.person({ name: 'Bob Builder' })];
  const there = await join(bob, ada);
  const own = bob.me.workspace.id;
  const guest = await stage.person({ name: 'Guest' });
  const role = { organizationId: there, role: 'developer' };
  const { body } = await bob.post('auth/organization/invite-member', { ...role, email: guest.email });
  expect((await guest.post('auth/organization/accept-invitation', { invitationId: body.id })).status).toBe(200);
  const removed = { organizationId: there, memberIdOrEmail: guest.email };
  expect((await bob.post('auth/organization/remove-member', removed)).status).toBe(200);
  const actionsOf = async (id: string) => (await stage.auditOf(id)).map(({ action }) => action);
  expect(await actionsOf(there)).toEqual(['invite_member', 'accept_invitation', 'remove_member']);
  expect(await actionsOf(own)).toEqual([]);
  expect(await actionsOf(guest.me.workspace.id)).toEqual([]);
});
