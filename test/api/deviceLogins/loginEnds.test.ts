import { afterAll, describe, expect, test } from '@jest/globals';
import { setOperator } from '../../../db/accounts/signInLinks.ts';
import { orderErasure } from '../../../db/erasure/erasures.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { findPlatformWorkspaceId } from '../../../db/workspaces/workspaces.ts';
import { until } from '../../support/until.ts';
import { setDeviceStage, type Person } from './deviceStage.ts';

const stage = await setDeviceStage();
await seedAgents(stage.db.everywhere);
afterAll(() => stage.close());

const userOf = ({ me }: Person) => me.user.id;
const placeOf = ({ me }: Person) => me.workspace.id;

describe('the key of a login', () => {
  test('ends when its person may not make it any more, and no other key does', async () => {
    const owner = await stage.person({ name: 'Olga' });
    const workspaceId = placeOf(owner);
    const shop = await stage.makeProject(workspaceId, 'shop2');
    const changeRole = (memberId: string, role: string) =>
      owner.post('auth/organization/update-member-role', { memberId, role });
    const endings: ((memberId: string, person: Person) => Promise<{ status: number }>)[] = [
      (memberIdOrEmail) => owner.post('auth/organization/remove-member', { memberIdOrEmail }),
      (memberId) => changeRole(memberId, 'finance'),
      (memberId) => changeRole(memberId, 'publisher'),
      (_, person) => owner.send('PATCH', `/console/v1/members/${userOf(person)}`, { project_ids: [shop] }),
    ];
    for (const end of endings) {
      const person = await stage.person({ name: 'Dora' });
      await stage.join(person, workspaceId, 'developer');
      const login = async (more: object) =>
        (await stage.fetchKey(await stage.approved(person, { workspace_id: workspaceId, ...more }))).body.api_key;
      const [ending, within, elsewhere] = [
        await login({ scopes: ['llm', 'batch'] }),
        await login({ scopes: ['llm'], project_id: shop }),
        await login({ workspace_id: placeOf(person) }),
      ];
      const { secret: plain } = await createKey(stage.db.everywhere, {
        workspaceId,
        name: 'server',
        scopes: ['llm'],
        ownerUserId: userOf(person),
      });
      const memberId = `mem_${userOf(person)}`;
      expect(await changeRole(memberId, 'owner')).toMatchObject({ status: 200 });
      expect(await changeRole(memberId, 'developer')).toMatchObject({ status: 200 });
      expect(await stage.use(ending)).toBe(200);
      expect(await end(memberId, person)).toMatchObject({ status: 200 });
      await until(async () => (await stage.use(ending)) === 401);
      expect(await Promise.all([elsewhere, plain].map(stage.use))).toEqual([200, 200]);
      const mayStill = end === endings[2] || end === endings[3];
      expect(await stage.use(within)).toBe(mayStill ? 200 : 401);
    }
    const { rows } = await stage.db.pool.query(
      `select key_id from audit_entries where workspace_id = $1 and action = 'revoke_key'`,
      [workspaceId],
    );
    expect(rows).toEqual(Array.from({ length: 6 }, () => ({ key_id: 'system' })));
  });

  // There is no worker here, so no sweep.
  test('takes its runs with it at once, where a member, an own key or a workspace ends', async () => {
    const owner = await stage.person({ name: 'Olga' });
    const workspaceId = placeOf(owner);
    await stage.credit(workspaceId, '20');
    const member = await stage.person({ name: 'Dora' });
    await stage.join(member, workspaceId, 'developer');
    const login = async (person: Person) =>
      (await stage.fetchKey(await stage.approved(person, { workspace_id: workspaceId, scopes: ['llm'] }))).body.api_key;
    const [ofMember, ofOwner] = [await login(member), await login(owner)];
    const start = async (secret: string) => {
      const body = JSON.stringify({ agent: 'ledgerline/writer', input: 'A haiku.' });
      const response = await stage.ask('/v1/runs', { headers: { authorization: `Bearer ${secret}` }, body });
      return (await response.json()) as { id: string };
    };
    const runs = [await start(ofMember), await start(ofOwner)];
    const statuses = async () => {
      const sql = 'select status from runs where id = any($1) order by created_at';
      const { rows } = await stage.db.pool.query<{ status: string }>(sql, [runs.map(({ id }) => id)]);
      return rows.map(({ status }) => status).join();
    };
    expect(await statuses()).toBe('queued,queued');
    const memberIdOrEmail = `mem_${userOf(member)}`;
    expect(await owner.post('auth/organization/remove-member', { memberIdOrEmail })).toMatchObject({ status: 200 });
    await until(async () => (await statuses()) === 'cancelled,queued');
    const by = { keyId: null, requestId: 'req_test' };
    expect(await orderErasure(stage.db.everywhere, { workspaceId, by })).toMatchObject({ workspaceId });
    await until(async () => (await statuses()) === 'cancelled,cancelled');
  });

  test('of an operator ends when they are no operator any more', async () => {
    const olga = await stage.person({ name: 'Olga' });
    const platform = (await findPlatformWorkspaceId(stage.db.everywhere))!;
    await stage.join(olga, platform, 'owner');
    const by = { keyId: null, requestId: '' };
    expect(await setOperator(stage.db.everywhere, olga.email, { isOperator: true, by })).toBe(true);
    const login = async (scopes: string[]) =>
      (await stage.fetchKey(await stage.approved(olga, { scopes, workspace_id: platform }))).body.api_key;
    const [operating, calling] = [await login(['llm', 'operator']), await login(['llm'])];
    expect(await setOperator(stage.db.everywhere, olga.email, { isOperator: false, by })).toBe(true);
    await until(async () => (await stage.use(operating)) === 401);
    expect(await stage.use(calling)).toBe(200);
  });
});
