import { afterAll, describe, expect, test } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { erasePeople } from '../../../db/erasure/people.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { setAccountStage, type AccountStage } from './accountStage.ts';
import { until } from '../../support/until.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

type Person = Awaited<ReturnType<AccountStage['person']>>;

const remove = (person: Person) => person.send('DELETE', '/console/v1/erasure');
const signedInBefore = (person: Person, hours: number) =>
  stage.db.pool.query('update user_sessions set created_at = now() - make_interval(hours => $2) where user_id = $1', [
    person.me.user.id,
    hours,
  ]);

describe('the erasure of a workspace', () => {
  test('needs an owner, a recent sign-in and the exact name', async () => {
    const owner = await stage.person({ name: 'Olga' });
    const { name } = owner.me.workspace;
    expect(await owner.post('erasure', { name: name.toLowerCase() })).toMatchObject({
      status: 422,
      body: { error: { param: 'name', message: expect.stringContaining('Nothing was changed') } },
    });
    await signedInBefore(owner, 13);
    expect(await owner.post('erasure', { name })).toMatchObject({
      status: 403,
      body: { error: { code: 'recent_login_required' } },
    });
    expect((await owner.get('export')).status).toBe(403);
    await signedInBefore(owner, 0);
    const sql = `update members set role = 'developer' where user_id = $1`;
    await stage.db.pool.query(sql, [owner.me.user.id]);
    expect(await owner.post('erasure', { name })).toMatchObject({
      status: 403,
      body: { error: { code: 'role_not_allowed' } },
    });
    expect((await owner.get('erasure')).body).toMatchObject({ status: 'none', erase_at: null });
  });

  test('ends keys and rights at once, is mailed, and can be cancelled', async () => {
    const owner = await stage.person({ name: 'Ida' });
    const { id: workspaceId, name } = owner.me.workspace;
    const { secret } = await createKey(stage.db.everywhere, { workspaceId, name: 'shop', scopes: ['llm'] });
    const useKey = async () =>
      (await stage.ask('/platform/v1/key', { headers: { authorization: `Bearer ${secret}` } })).status;
    expect(await useKey()).toBe(200);
    const ordered = await owner.post('erasure', { name });
    expect(ordered).toMatchObject({ status: 202, body: { object: 'workspace.erasure', status: 'ordered' } });
    const days = (Date.parse(ordered.body.erase_at as string) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    await until(async () => (await useKey()) === 401);
    expect((await owner.get('me')).body.scopes).toEqual([]);
    expect((await owner.post('keys', { name: 'new' })).status).toBe(403);
    expect((await owner.get('requests')).status).toBe(200);
    const mails = await stage.db.pool.query(
      `select m.recipient from event_mails m join platform_events e on e.id = m.event_id where e.workspace_id = $1 and e.type = 'workspace.erasure_ordered'`,
      [workspaceId],
    );
    expect(mails.rows).toEqual([{ recipient: owner.email }]);
    expect(await remove(owner)).toMatchObject({ status: 200, body: { status: 'none' } });
    await until(async () => (await useKey()) === 200);
    expect((await owner.post('keys', { name: 'new' })).status).toBe(201);
    expect(await remove(owner)).toMatchObject({ status: 404, body: { error: { code: 'erasure_not_found' } } });
  });

  test('can be preceded by an export of its rows', async () => {
    const owner = await stage.person({ name: 'Eva' });
    const { id: workspaceId } = owner.me.workspace;
    await stage.credit(workspaceId, '3');
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${stage.api.url}/console/v1/export`, { headers: { cookie } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${workspaceId}.tar.gz"`);
    const archive = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString('latin1');
    expect(archive).toContain('rows/ledger_legs-0001.jsonl');
    expect(archive).toContain('"amount_nanos": 3000000000');
    expect((await owner.get('audit_log?action=export_workspace')).body.data).toMatchObject([
      { subject_id: workspaceId, actor: { type: 'person', email: owner.email } },
    ]);
    // The first export has released its slot.
    const again = await fetch(`${stage.api.url}/console/v1/export`, { headers: { cookie } });
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });

  test('ends the links that its people were sent, and none of a person whose address only looks like theirs', async () => {
    const { me, email } = await stage.person({ name: 'Uta' });
    const own = `x_${email}`;
    await stage.db.pool.query('update users set email = $2 where id = $1', [me.user.id, own]);
    for (const [id, address] of [
      ['own-link', own],
      ['other-link', `xy${email}`],
    ])
      await stage.db.pool.query(
        `insert into verifications (id, identifier, value, expires_at) values ($1, $1, $2, now() + interval '1 hour')`,
        [id, JSON.stringify({ email: address })],
      );
    await erasePeople(stage.db.everywhere, me.workspace.id);
    const { rows } = await stage.db.pool.query(`select id from verifications where id in ('own-link', 'other-link')`);
    expect(rows).toEqual([{ id: 'other-link' }]);
  });
});
