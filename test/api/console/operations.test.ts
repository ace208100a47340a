import { afterAll, describe, expect, test } from '@jest/globals';
import { getJson, read } from '../../support/http.ts';
import { balanceOf } from '../../support/account.ts';
import { chatBody, chatPath, codeOf, told } from '../../support/guardStage.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';
import { setPublisherStage } from '../publisher/publisherStage.ts';
import { audit } from '../../../db/workspaces/audit.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { findWorkspace } from '../../../db/workspaces/workspaces.ts';

const stage = await setPublisherStage();
afterAll(() => stage.close());

const operatorKey = (name: string, ownerUserId?: string) => {
  const { workspaceId } = stage.operator;
  return createKey(stage.db.everywhere, { workspaceId, name, scopes: ['operator'], ownerUserId });
};
const other = await operatorKey('second operator', 'user_second');
const headersOf = ({ secret }: { secret: string }) => ({ authorization: `Bearer ${secret}` });
const get = (path: string, by: { secret: string } = stage.operator) =>
  getJson<{ data: Record<string, unknown>[]; next_cursor: string | null }>(
    `${stage.api.url}/console/v1/${path}`,
    by.secret,
  );
const post = (path: string, body?: object, by: { secret: string } = stage.operator) =>
  stage.ask(`/console/v1/${path}`, { method: 'POST', headers: headersOf(by), body: body && JSON.stringify(body) });

describe('an adjustment', () => {
  const request = (workspaceId: string, usd: number) =>
    read<{ id: string }>(post('adjustments', { workspace_id: workspaceId, amount_usd: usd, reason: 'An outage' }), 201);

  test('moves money once, when a second person approves it', async () => {
    const { workspaceId } = await stage.account({ creditUsd: '1' });
    const { id, ...pending } = await request(workspaceId, 2.5);
    const workspace_name = (await findWorkspace(stage.db.everywhere, workspaceId))!.name;
    const amount_usd = 2.5;
    expect(pending).toMatchObject({
      object: 'adjustment',
      status: 'pending',
      workspace_name,
      amount_usd,
      decided_by: null,
    });
    const own = await post(`adjustments/${id}/approve`);
    expect([own.status, await codeOf(own)]).toEqual([403, 'person_required']);
    expect(await balanceOf(stage.db, workspaceId)).toBe(1_000_000_000n);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post(`adjustments/${id}/approve`, undefined, other)),
    );
    expect(answers.map(({ status }) => status).toSorted((one, next) => one - next)).toEqual([200, 409, 409, 409, 409]);
    expect(await balanceOf(stage.db, workspaceId)).toBe(3_500_000_000n);
    const { body } = await get(`adjustments?workspace=${workspaceId}`);
    const approved = { id, status: 'approved', workspace_name, decided_by: 'second operator' };
    expect(body.data).toEqual([expect.objectContaining(approved)]);
    const audit = await get(`audit?subject=${id}`);
    expect(audit.body.data.map(({ action }) => action)).toEqual(['approve_adjustment', 'request_adjustment']);
    await expectSoundLedger(stage.db);
  });

  test('cannot be approved by another key of the requester, nor by a key without a known person', async () => {
    const { workspaceId } = await stage.account({ creditUsd: '1' });
    const order = { workspace_id: workspaceId, amount_usd: 2.5, reason: 'An outage' };
    const [first, second] = [await operatorKey('laptop', 'user_one'), await operatorKey('phone', 'user_one')];
    const { id } = await read<{ id: string }>(post('adjustments', order, first), 201);
    expect(await codeOf(await post(`adjustments/${id}/approve`, undefined, second))).toBe('second_person_required');
    for (const by of [stage.operator, await operatorKey('third')])
      expect(await codeOf(await post(`adjustments/${id}/approve`, undefined, by))).toBe('person_required');
    expect(await balanceOf(stage.db, workspaceId)).toBe(1_000_000_000n);
    expect((await post(`adjustments/${id}/approve`, undefined, other)).status).toBe(200);
    expect(await balanceOf(stage.db, workspaceId)).toBe(3_500_000_000n);
  });

  test('moves nothing when rejected, even by the requester', async () => {
    const { workspaceId } = await stage.account({ creditUsd: '1' });
    const { id } = await request(workspaceId, -0.5);
    expect(await read(post(`adjustments/${id}/reject`))).toMatchObject({ status: 'rejected' });
    expect(await codeOf(await post(`adjustments/${id}/approve`, undefined, other))).toBe('adjustment_decided');
    expect(await balanceOf(stage.db, workspaceId)).toBe(1_000_000_000n);
  });

  test('of more than the balance changes nothing and stays open', async () => {
    const { workspaceId } = await stage.account({ creditUsd: '1' });
    const { id } = await request(workspaceId, -1.5);
    expect(await codeOf(await post(`adjustments/${id}/approve`, undefined, other))).toBe('balance_too_small');
    const { body } = await get(`adjustments?workspace=${workspaceId}&status=pending`);
    expect(body.data.map(({ id: listed }) => listed)).toEqual([id]);
  });

  test.each([
    [{ workspace_id: 'ws_none', amount_usd: 1, reason: 'x' }, 404],
    [{ workspace_id: 'ws_none', amount_usd: 0, reason: 'x' }, 422],
    [{ workspace_id: 'ws_none', amount_usd: 1e-10, reason: 'x' }, 422],
    [{ workspace_id: 'ws_none', amount_usd: 100_001, reason: 'x' }, 422],
    [{ workspace_id: 'ws_none', amount_usd: 1, reason: ' ' }, 422],
    [{ workspace_id: 'ws_none', amount_usd: 1, reason: 'x', status: 'approved' }, 422],
  ])('requested as %j is refused with %d', async (body, status) => {
    expect((await post('adjustments', body)).status).toBe(status);
  });
});

test('finds what a person or key did, with the names of subjects and the values before', async () => {
  const { workspaceId, secret } = await stage.account({ scopes: ['manage'] });
  const by = { authorization: `Bearer ${secret}` };
  const ask = (method: string, path: string, body: object) =>
    stage.ask(path, { method, headers: by, body: JSON.stringify(body) });
  const made = await read<{ id: string }>(
    ask('POST', '/platform/v1/webhook_endpoints', { url: 'https://hooks.example/one', description: 'one' }),
    201,
  );
  await read(ask('PATCH', `/platform/v1/webhook_endpoints/${made.id}`, { description: 'two' }));
  const { body } = await get(`audit?workspace=${workspaceId}&action=change_webhook_endpoint`);
  expect(body.data).toEqual([
    expect.objectContaining({
      workspace_name: 'test',
      subject_name: null,
      detail: { before: { description: 'one' }, after: { description: 'two' } },
    }),
  ]);
  const keyId = body.data[0]!.key_id as string;
  const own = await get(`audit?person=${keyId}`);
  expect(own.body.data.map(({ action }) => action)).toEqual(['change_webhook_endpoint', 'create_webhook_endpoint']);
  await stage.db.pool.query(
    `insert into users (id, name, email) values ('user_ada', 'Ada Lovelace', 'ada@example.com') on conflict do nothing`,
  );
  const entry = { workspaceId, action: 'read_run_steps', subjectType: 'run', subjectId: 'run_1' };
  await stage.db.everywhere.transaction((tx) =>
    audit(tx, { keyId: null, userId: 'user_ada', requestId: 'req_1' }, entry),
  );
  for (const person of ['user_ada', 'ADA@example.com', 'lovelace'])
    expect((await get(`audit?person=${encodeURIComponent(person)}`)).body.data).toEqual([
      expect.objectContaining({ by: 'Ada Lovelace', subject_id: 'run_1' }),
    ]);
  expect((await get('audit?person=nobody')).body.data).toEqual([]);
});

test('finds workspaces by id and by name, with balance, spend and keys', async () => {
  const account = await stage.account({ creditUsd: '3' });
  await read(stage.ask(chatPath, { headers: headersOf(account), body: chatBody() }));
  // A use is recorded within a second.
  await until(async () => (await get(`workspaces?query=${account.workspaceId}`)).body.data[0]!.last_used_at !== null);
  const { body } = await get(`workspaces?query=${account.workspaceId}`);
  expect(body.data).toEqual([
    {
      id: account.workspaceId,
      object: 'workspace',
      name: 'test',
      created_at: expect.any(String),
      balance_usd: expect.any(Number),
      held_usd: 0,
      spend_month_usd: expect.any(Number),
      keys: 1,
      members: 0,
      last_used_at: expect.any(String),
    },
  ]);
  const { balance_usd: balance, spend_month_usd: spent } = body.data[0] as Record<string, number>;
  expect(spent).toBeGreaterThan(0);
  expect(balance! + spent!).toBeCloseTo(3, 12);
  const first = await get('workspaces?query=TEST&limit=1');
  expect(first.body.data).toEqual([expect.objectContaining({ name: 'test' })]);
  expect(first.body.next_cursor).not.toBeNull();
  expect((await get('workspaces?query=100%25')).body.data).toEqual([]);
});

test('shows how upstreams served the last hour', async () => {
  const account = await stage.account({ creditUsd: '3' });
  for (const messages of [told({}), told({ status: 500 })])
    await (await stage.ask(chatPath, { headers: headersOf(account), body: chatBody({ messages }) })).text();
  const { body } = await get('upstreams');
  const main = body.data.find(({ id }) => id === 'main') as Record<string, number>;
  expect(main).toMatchObject({
    models: expect.arrayContaining(['ledgerline-text-1']),
    is_healthy: expect.any(Boolean),
  });
  expect(main.requests_last_hour).toBeGreaterThanOrEqual(2);
  expect(main.errors_last_hour).toBeGreaterThanOrEqual(1);
  expect(main.last_error).toMatch(/^5\d\d on ledgerline-text-1 at 20/);
});

test("an operator's view of a submission is audited, and does not count as a decision", async () => {
  const publisher = await stage.account({ scopes: ['publisher'] });
  const { id: agentId } = await read<{ id: string }>(
    stage.ask('/v1/publisher/agents', {
      headers: headersOf(publisher),
      body: JSON.stringify({
        namespace: 'sighted',
        slug: 'poet',
        name: 'Poet',
        description: 'Writes verses.',
        instructions: 'Write verses.',
        categories: ['writing'],
        example_prompts: ['A verse'],
        pricing: { minimum_cost_usd: 0, maximum_cost_usd: 1, rates: [{ meter: 'tool_calls', price_usd: 0.01 }] },
      }),
    }),
    201,
  );
  const { id } = await read<{ id: string }>(
    stage.ask(`/v1/publisher/agents/${agentId}/submit-public`, {
      method: 'POST',
      headers: { ...headersOf(publisher), 'if-match': '"draft-1"' },
    }),
  );
  const review = await read<{ audit: object[] }>(
    stage.ask(`/console/v1/deployments/${id}`, { headers: headersOf(other) }),
  );
  expect(review.audit).toEqual([]);
  const { body } = await get(`audit?workspace=${publisher.workspaceId}&action=read_submission`);
  expect(body.data).toEqual([
    expect.objectContaining({ object: 'audit.entry', subject_id: id, by: 'second operator', detail: {} }),
  ]);
});

test.each(['workspaces', 'audit', 'upstreams', 'adjustments'])('%s require an operator', async (path) => {
  const customer = await stage.account({ scopes: ['llm', 'publisher', 'manage'] });
  const pretender = await stage.account({ scopes: ['operator'] });
  for (const by of [customer, pretender]) expect((await get(path, by)).status).toBe(403);
  expect((await fetch(`${stage.api.url}/console/v1/${path}`)).status).toBe(401);
  expect((await get(`${path}?colour=red`)).status).toBe(422);
});
