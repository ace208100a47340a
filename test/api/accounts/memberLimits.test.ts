import { afterAll, expect, test } from '@jest/globals';
import { MEMBERS_MAX, OPEN_INVITATIONS_MAX } from '../../../db/accounts/members.ts';
import { until } from '../../support/until.ts';
import { expectAnswer, setAccountStage, type Answered } from './accountStage.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

const AT_ONCE = 5;
const times = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, index) => work(index)));

function expectOne(answers: Answered[], code: string): void {
  const refused = answers.filter(({ status }) => status !== 200);
  const expected = Array.from({ length: AT_ONCE - 1 }, () => [403, code]);
  expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(expected);
}

test('the last place of a workspace is taken once by many at once', async () => {
  const owner = await stage.person();
  const workspaceId = owner.me.workspace.id;
  await stage.db.pool.query(
    `insert into members (id, workspace_id, user_id, role) select 'mem_full' || n, $1, 'user_full' || n, 'finance'
     from generate_series(3, $2::int) n`,
    [workspaceId, MEMBERS_MAX],
  );
  const guests = await times(() => stage.person());
  const invitations: string[] = [];
  for (const { email } of guests) {
    const sent = await owner.post('auth/organization/invite-member', { email, role: 'finance' });
    invitations.push(expectAnswer(sent, 200).body.id);
  }
  const accept = (index: number) =>
    guests[index]!.post('auth/organization/accept-invitation', { invitationId: invitations[index]! });
  expectOne(await times(accept), 'organization_membership_limit_reached');
  const { rows } = await stage.db.pool.query(
    `select (select count(*)::int from members where workspace_id = $1) as members,
       (select count(*)::int from invitations where workspace_id = $1 and status = 'pending') as open`,
    [workspaceId],
  );
  expect(rows).toEqual([{ members: MEMBERS_MAX, open: AT_ONCE - 1 }]);
});

test('the last open invitation is sent once by many at once', async () => {
  const owner = await stage.person();
  await stage.db.pool.query(
    `insert into invitations (id, workspace_id, email, role, status, expires_at, inviter_id)
     select 'inv_full' || n, $1, 'guest' || n || '@full.example', 'finance', 'pending', now() + interval '1 day', $2
     from generate_series(2, $3::int) n`,
    [owner.me.workspace.id, owner.me.user.id, OPEN_INVITATIONS_MAX],
  );
  const invite = () => owner.post('auth/organization/invite-member', { email: stage.newEmail(), role: 'finance' });
  expectOne(await times(invite), 'invitation_limit_reached');
  expect(await invite()).toMatchObject({ status: 403, body: { error: { code: 'invitation_limit_reached' } } });
});

test.each([
  ['its address was invited anew', 1],
  ['as many others are open as may be', OPEN_INVITATIONS_MAX],
])('an invitation whose acceptance found no place is not open again when %s', async (_why, newer) => {
  const owner = await stage.person();
  const guest = await stage.person();
  const workspaceId = owner.me.workspace.id;
  const sent = await owner.post('auth/organization/invite-member', { email: guest.email, role: 'finance' });
  const { id: invitationId } = expectAnswer(sent, 200).body;
  const readStatus = async () =>
    (await stage.db.pool.query('select status from invitations where id = $1', [invitationId])).rows[0].status;
  const other = await stage.db.pool.connect();
  await other.query('begin; set local idle_in_transaction_session_timeout = 0');
  await other.query('select from workspaces where id = $1 for update', [workspaceId]);
  const accepted = guest.post('auth/organization/accept-invitation', { invitationId });
  await until(async () => (await readStatus()) === 'accepted');
  // While the acceptance waits for the workspace, other people get its places and invitations.
  await other.query(
    `insert into members (id, workspace_id, user_id, role) select 'mem_late' || n || $1, $1, 'user_late' || n, 'finance'
     from generate_series(2, $2::int) n`,
    [workspaceId, MEMBERS_MAX],
  );
  await other.query(
    `insert into invitations (id, workspace_id, email, role, status, expires_at, inviter_id)
     select 'inv_late' || n || $1, $1, case when $4::int = 1 then $2 else n || $2 end, 'finance', 'pending', now() + interval '1 day', $3
     from generate_series(1, $4::int) n`,
    [workspaceId, guest.email, owner.me.user.id, newer],
  );
  await other.query('commit');
  other.release();
  const refused = { status: 403, body: { error: { code: 'organization_membership_limit_reached' } } };
  expect(await accepted).toMatchObject(refused);
  expect(await readStatus()).toBe('canceled');
});
