import { afterAll, describe, expect, test } from '@jest/globals';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { openSecretBox } from '../../../db/sealing/secretBox.ts';
import { setAccountStage, type AccountStage } from '../accounts/accountStage.ts';
import { balanceOf } from '../../support/account.ts';
import { publishAgent } from '../../support/agent.ts';
import { openWebSocket } from '../../support/webSocket.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

type Person = Awaited<ReturnType<AccountStage['person']>>;

const setRole = ({ me }: Person, role: string) =>
  stage.db.pool.query('update members set role = $2 where user_id = $1', [me.user.id, role]);

describe('a member', () => {
  test('creates, changes and revokes keys as an owner, by name; their own key is not listed', async () => {
    const ada = await stage.person();
    const made = await ada.post('keys', { name: 'shop', scopes: ['llm', 'publisher'] });
    expect([made.status, made.body]).toMatchObject([
      201,
      { name: 'shop', created_by: 'Ada Lovelace', owner_user_id: ada.me.user.id },
    ]);
    const path = `/console/v1/keys/${made.body.id}`;
    expect((await ada.send('PATCH', path, { rpm_limit: 5 })).body).toMatchObject({ rpm_limit: 5 });
    expect((await ada.send('POST', `${path}/rotate`, {})).body).toMatchObject({ id: made.body.id });
    expect((await ada.get('keys')).body.data.map(({ id }) => id)).toEqual([made.body.id]);
    expect((await ada.send('DELETE', path)).body.revoked_at).toEqual(expect.any(String));
    const sql = 'select action, user_id from audit_entries where subject_id = $1 order by created_at, id';
    const { rows } = await stage.db.pool.query(sql, [made.body.id]);
    const by = (action: string) => ({ action, user_id: ada.me.user.id });
    expect(rows).toEqual(['create_key', 'change_key', 'rotate_key', 'revoke_key'].map(by));
  });

  test('as a developer gives no scope of publishers or managers, and as a publisher writes no keys', async () => {
    const person = await stage.person();
    await setRole(person, 'developer');
    for (const scopes of [['publisher'], ['manage']])
      expect(await person.post('keys', { name: 'x', scopes })).toMatchObject({
        status: 403,
        body: { error: { code: 'scope_not_grantable' } },
      });
    expect((await person.post('keys', { name: 'x', scopes: ['llm'] })).status).toBe(201);
    await setRole(person, 'publisher');
    expect((await person.post('keys', { name: 'x', scopes: ['llm'] })).status).toBe(403);
    expect((await person.get('keys')).status).toBe(200);
  });
});

test('owns the keys they create, including those created by their keys', async () => {
  const ada = await stage.person();
  const { body: manager } = await ada.post('keys', { name: 'manager', scopes: ['manage'] });
  const response = await stage.ask('/console/v1/keys', {
    headers: { authorization: `Bearer ${String(manager.key)}` },
    body: JSON.stringify({ name: 'made by it', scopes: ['llm'] }),
  });
  const { id } = (await response.json()) as { id: string };
  const sql = 'select owner_user_id as owner from api_keys where id = any($1)';
  const { rows } = await stage.db.pool.query(sql, [[manager.id, id]]);
  expect(rows).toEqual([{ owner: ada.me.user.id }, { owner: ada.me.user.id }]);
});

test('who is an operator has their name in the audit of a decision', async () => {
  const grace = await stage.person({ name: 'Grace' });
  await stage.db.pool.query('update users set is_operator = true where id = $1', [grace.me.user.id]);
  const agent = await publishAgent(stage.db, {}, await stage.account());
  const { rows } = await stage.db.pool.query<{ id: string }>(
    `update deployments set status = 'in_review' from agents a where a.id = agent_id and a.namespace || '/' || a.slug = $1 returning deployments.id`,
    [agent],
  );
  const path = `deployments/${rows[0]!.id}`;
  const feedback = [{ message: 'Good.' }];
  expect((await grace.post(`${path}/approve`, { feedback })).status).toBe(200);
  expect((await grace.post(`${path}/suspend`, { feedback })).status).toBe(200);
  const by = { by: 'Grace', user_id: grace.me.user.id };
  const { body } = await grace.get(path);
  expect(body.audit).toMatchObject([
    { action: 'approve', ...by },
    { action: 'suspend', ...by },
  ]);
  const trail = await grace.get(`audit?subject=${rows[0]!.id}`);
  for (const entry of trail.body.data) expect(entry).toMatchObject(by);
});

test('who requested an adjustment cannot approve it from another workspace, but another operator can', async () => {
  const [grace, ada] = [await stage.person({ name: 'Grace' }), await stage.person()];
  const customer = await stage.account({ creditUsd: '1' });
  for (const { me } of [grace, ada])
    await stage.db.pool.query('update users set is_operator = true where id = $1', [me.user.id]);
  const order = { workspace_id: customer.workspaceId, amount_usd: 2, reason: 'An outage' };
  const { body } = await grace.post('adjustments', order);
  expect(body).toMatchObject({ status: 'pending', requested_by: 'Grace', may_approve: false });
  const shown = (await ada.get('adjustments?status=pending')).body.data;
  expect(shown).toMatchObject([{ id: body.id, may_approve: true }]);
  const approve = (by: Person) => by.post(`adjustments/${body.id}/approve`);
  const elsewhere = await grace.post('auth/organization/create', { name: 'Other' });
  await grace.post('auth/organization/set-active', { organizationId: elsewhere.body.id });
  expect((await grace.get('me')).body.workspace.name).toBe('Other');
  expect(await approve(grace)).toMatchObject({ status: 403, body: { error: { code: 'second_person_required' } } });
  expect(await approve(ada)).toMatchObject({ status: 200, body: { status: 'approved', decided_by: 'Ada Lovelace' } });
  expect(await balanceOf(stage.db, customer.workspaceId)).toBe(3_000_000_000n);
  const { body: audit } = await ada.get(`audit?subject=${body.id}`);
  expect(audit.data).toMatchObject([
    { action: 'approve_adjustment', by: 'Ada Lovelace', user_id: ada.me.user.id },
    { action: 'request_adjustment', by: 'Grace' },
  ]);
});

test('open a realtime session in their role with a client secret, until they are no member any more', async () => {
  const ada = await stage.person();
  const { body } = await ada.post('realtime/client_secrets', {});
  const outcome = async () => {
    const socket = await openWebSocket(stage.url, '/textapi/v1/realtime', { key: String(body.value) });
    if (!('ws' in socket)) return socket.body.error.code;
    socket.ws.close();
    await socket.closed;
    return 'open';
  };
  // Their workspace has no balance yet: every earlier guard has passed.
  expect(await outcome()).toBe('insufficient_balance');
  await setRole(ada, 'finance');
  expect(await outcome()).toBe('scope_not_allowed');
  await stage.db.pool.query('delete from members where user_id = $1', [ada.me.user.id]);
  expect(await outcome()).toBe('invalid_api_key');
});

test('make webhook endpoints as an owner or developer, and read them in every role', async () => {
  await openSecretBox(stage.db.everywhere, parseSealingKeys(createSealingKey()));
  const ada = await stage.person();
  const made = await ada.post('webhook_endpoints', { url: 'https://example.com/hooks' });
  expect([made.status, made.body.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  await setRole(ada, 'developer');
  expect((await ada.post(`webhook_endpoints/${made.body.id}/rotate_secret`, {})).status).toBe(200);
  await setRole(ada, 'finance');
  expect((await ada.get('webhook_endpoints')).body.data.map(({ id }) => id)).toEqual([made.body.id]);
  expect((await ada.get(`webhook_endpoints/${made.body.id}/deliveries`)).status).toBe(200);
  expect((await ada.post('webhook_endpoints', { url: 'https://example.com/' })).status).toBe(403);
});
