import { afterAll, describe, expect, test } from '@jest/globals';
import { insertUpstreamCost } from '../../../db/liveCatalog/upstreamCosts.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import { insertLedgerCheck } from '../../../db/invariants/ledgerChecks.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { findPlatformWorkspaceId } from '../../../db/workspaces/workspaces.ts';
import { getJson, read } from '../../support/http.ts';
import { chatBody, chatPath, setGuardStage, told } from '../../support/guardStage.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';
import { storeCalls, storeRefusals, withOwner } from '../../support/pastCalls.ts';

const stage = await setGuardStage();
await seedAgents(stage.db.everywhere);
const workspaceId = (await findPlatformWorkspaceId(stage.db.everywhere))!;
const operator = await createKey(stage.db.everywhere, { workspaceId, name: 'operator', scopes: ['operator'] });
const customer = await stage.account({ creditUsd: '3', rpmLimit: 10_000 });
afterAll(() => stage.close());

const get = async <T>(path: string, by: { secret: string } = operator) =>
  getJson<T>(`${stage.api.url}/console/v1/platform/${path}`, by.secret);
const ok = async <T>(path: string): Promise<T> => {
  const { status, body } = await get<T>(path);
  expect(status).toBe(200);
  return body;
};
const call = async (messages = told({})) => {
  const headers = { authorization: `Bearer ${customer.secret}` };
  const response = await stage.ask(chatPath, { headers, body: chatBody({ messages }) });
  await response.text();
  return response.headers.get('x-request-id')!;
};

const PATHS = ['revenue', 'workspaces', 'work', 'ledger', 'search?query=ws_1'];

test.each(PATHS)('%s requires an operator', async (path) => {
  const pretender = await stage.account({ scopes: ['operator'] });
  for (const by of [customer, pretender]) expect((await get(path, by)).status).toBe(403);
  expect((await fetch(`${stage.api.url}/console/v1/platform/${path}`)).status).toBe(401);
  expect((await get(path)).status).toBe(200);
});

test.each([
  ['revenue?days=0', 'days'],
  ['revenue?days=91', 'days'],
  ['revenue?colour=red', 'colour'],
  ['workspaces?hours=200', 'hours'],
  ['search', 'query'],
  ['search?query=a', 'query'],
  ['search?query=sk_0123456789012', 'query'],
])('%s is refused, with the parameter named', async (path, name) => {
  const { status, body } = await get<object>(path);
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toContain(name);
});

test('revenue has a call that was just billed', async () => {
  await call();
  const body = await ok<{
    days: { day: string; charged_usd: number }[];
    total: Record<string, number | null>;
    models: { model: string; charged_usd: number; upstreams: object[] }[];
    products: { product: string; charged_usd: number }[];
  }>('revenue?days=7');
  expect(body.days).toHaveLength(7);
  const charged = body.total.charged_usd!;
  expect(charged).toBeGreaterThan(0);
  expect(body.total).toMatchObject({ cost_usd: null, margin_usd: null, uncosted_usd: charged });
  expect(body.models).toEqual([
    expect.objectContaining({ product: 'text', model: 'ledgerline-text-1', charged_usd: charged, cost_usd: null }),
  ]);
  expect(body.models[0]!.upstreams).toEqual([expect.objectContaining({ upstream: 'main', charged_usd: charged })]);
  expect(body.products).toEqual([expect.objectContaining({ product: 'text', charged_usd: charged })]);
});

test('the margin is the price less what operators state that the upstream charges', async () => {
  await call();
  const before = await ok<{ total: Record<string, number | null> }>('revenue?days=7');
  const rates = { input_tokens: 1_000n, output_tokens: 1_000n };
  const by = { keyId: null, requestId: 'req_a', personId: 'user_a', isKnown: true, name: 'Olga' };
  await insertUpstreamCost(stage.db.everywhere, { model: 'ledgerline-text-1', upstream: 'main', rates }, by);
  const { total, models } = await ok<{ total: Record<string, number>; models: Record<string, unknown>[] }>(
    'revenue?days=7',
  );
  expect(total).toMatchObject({ charged_usd: before.total.charged_usd, uncosted_usd: 0 });
  expect(nanosOfUsd(total.margin_usd!)).toBe(nanosOfUsd(total.charged_usd!) - nanosOfUsd(total.cost_usd!));
  expect(models[0]).toMatchObject({ cost_usd: total.cost_usd, margin_usd: total.margin_usd });
});

describe('workspaces in trouble', () => {
  type Troubles = Record<'failing' | 'low' | 'written_off' | 'absorbed', Record<string, unknown>[]>;

  test('those with failures come first, with the commonest code; test workspaces are left out', async () => {
    const { workspaceId, keyId } = await stage.account({});
    const tester = await stage.account({ isTest: true });
    const at = new Date(Date.now() - 60_000).toISOString();
    const own = { at, workspaceId, keyId };
    const [failed] = await storeCalls(stage.addresses.databaseUrl, [
      { ...own, status: 502 },
      own,
      { ...own, status: 499, cancelled: true },
      { ...own, at: new Date(Date.now() - 2 * 3_600_000).toISOString(), status: 500 },
    ]);
    await storeRefusals(stage.addresses.databaseUrl, [
      { ...own, id: failed, status: 502, code: 'provider_failed' },
      { ...own, status: 429, code: 'rate_limited', calls: 5 },
      { ...own, workspaceId: tester.workspaceId, keyId: tester.keyId, status: 502, code: 'provider_failed', calls: 99 },
    ]);
    const { failing } = await ok<Troubles>('workspaces?hours=1');
    expect(failing[0]).toEqual({
      workspace_id: workspaceId,
      name: expect.any(String),
      calls: 8,
      failed: 1,
      refused: 5,
      code: 'provider_failed',
    });
    expect(failing.map(({ workspace_id: id }) => id)).not.toContain(tester.workspaceId);
    const day = await ok<Troubles>('workspaces');
    expect(day.failing[0]).toMatchObject({ workspace_id: workspaceId, failed: 2 });
  });

  test('those with balances below zero, or that run out while they are used', async () => {
    const [overdrawn, low, unused] = [await stage.account({}), await stage.account({}), await stage.account({})];
    await withOwner(stage.addresses.databaseUrl, async (owner) => {
      const set = 'update accounts set posted_nanos = $2, reversed_nanos = 5000000000 where workspace_id = $1';
      await owner.query(set, [overdrawn.workspaceId, -2_000_000_000]);
      await owner.query(
        `insert into balance_notices (workspace_id, level) values ($1, 'low'), ($2, 'depleted') on conflict do nothing`,
        [low.workspaceId, unused.workspaceId],
      );
      await owner.query('update api_keys set last_used_at = now() where workspace_id = $1', [low.workspaceId]);
    });
    const { low: found } = await ok<Troubles>('workspaces');
    const of = ({ workspaceId }: { workspaceId: string }) => found.find(({ workspace_id: id }) => id === workspaceId);
    expect(of(overdrawn)).toMatchObject({ balance_usd: -2, level: 'overdrawn', last_used_at: null });
    expect(of(low)).toMatchObject({ level: 'low', last_used_at: expect.any(String) });
    expect(of(unused)).toBeUndefined();
  });

  test('those with write-offs', async () => {
    const { workspaceId, keyId } = await stage.account({});
    const at = new Date(Date.now() - 60_000).toISOString();
    const [id] = await storeCalls(stage.addresses.databaseUrl, [{ at, workspaceId, keyId }]);
    await withOwner(stage.addresses.databaseUrl, (owner) =>
      owner.query('update requests set written_off_nanos = 2000000 where id = $1', [id]),
    );
    const { written_off: found } = await ok<Troubles>('workspaces');
    expect(found[0]).toMatchObject({ workspace_id: workspaceId, calls: 1, written_off_usd: 0.002 });
  });

  test('those whose failed runs consumed most, with the code of most of it', async () => {
    const spender = await stage.account({});
    const fail = async (code: string, absorbedNanos: bigint) => {
      const run = await makeRun(stage.db, spender);
      await finishTestRun(stage.db, run, { status: 'failed', absorbedNanos });
      await stage.db.pool.query('update runs set status_reason = $2 where id = $1', [run.id, code]);
    };
    await fail('output_invalid', 1_500_000n);
    await fail('provider_failed', 1_000_000n);
    await fail('provider_failed', 1_000_000n);
    const { absorbed } = await ok<Troubles>('workspaces');
    expect(absorbed).toEqual([
      {
        workspace_id: spender.workspaceId,
        name: expect.any(String),
        runs: 3,
        absorbed_usd: 0.0035,
        code: 'provider_failed',
      },
    ]);
  });
});

test('work has every queue with its age and health, and the processes that live', async () => {
  await withOwner(
    stage.addresses.databaseUrl,
    (owner) =>
    owner.query(`insert into batches (id, workspace_id, key_id, endpoint, input_file_id, output_seconds, created_at, expires_at)
      values ('batch_old', $1, $2, '/v1/chat/completions', 'file_1', 1, now() - interval '13 hours', now() + interval '11 hours')`, [customer.workspaceId, customer.keyId]), // prettier-ignore
  );
  const body = await ok<Record<string, Record<string, unknown>[]>>('work');
  const batches = body.queues!.find(({ kind }) => kind === 'batches');
  expect(batches).toMatchObject({ count: 1, health: 'slow', oldest_seconds: expect.any(Number) });
  expect(body.queues!.map(({ kind }) => String(kind)).toSorted()).toEqual([
    'batches',
    'dead_processes',
    'lost_mails',
    'mails',
    'overdue_runs',
    'refused_settlements',
    'reviews',
    'schedules',
    'settlements',
    'webhooks',
  ]);
  expect(body.processes).toEqual([expect.objectContaining({ role: 'api', id: expect.stringMatching(/^proc_/) })]);
});

test('the ledger is unchecked, holds, or breaks a rule', async () => {
  expect(await ok('ledger')).toMatchObject({ state: 'unchecked', last_check: null, last_root: null });
  const check = { startedAt: new Date(Date.now() - 1_000), entries: 12n, transactions: 4n };
  await insertLedgerCheck(stage.db.everywhere, { ...check, id: 'one', violations: [] });
  expect(await ok('ledger')).toMatchObject({
    state: 'holds',
    last_check: { id: 'one', entries: 12, transactions: 4, violations: [], duration_ms: expect.any(Number) },
  });
  const violations = [{ rule: 'entries sum to zero', count: 2, details: ['transaction 7'] }];
  // The same check, again.
  for (const _ of [1, 2]) await insertLedgerCheck(stage.db.everywhere, { ...check, id: 'two', violations });
  const body = await ok<{ checks: { id: string }[] }>('ledger');
  expect(body).toMatchObject({ state: 'broken', last_check: { violations } });
  expect(body.checks.map(({ id }) => id)).toEqual(['two', 'one']);
});

describe('search', () => {
  type Places = { data: Record<string, string>[] };
  const find = async (text: string) => (await ok<Places>(`search?query=${encodeURIComponent(text)}`)).data;
  const audited = async (subject: string) =>
    (
      await read<{ data: { action: string; workspace_id: string; subject_type: string }[] }>(
        stage.ask(`/console/v1/audit?subject=${subject}`, { headers: { authorization: `Bearer ${operator.secret}` } }),
      )
    ).data.map(({ action, workspace_id: id, subject_type: type }) => [action, id, type]);

  test('tells whose a call is, by its id and that of its answer, and is audited', async () => {
    const id = await call();
    const place = {
      object: 'request',
      id,
      name: '',
      workspace_id: customer.workspaceId,
      workspace_name: 'test',
      mode: 'live',
    };
    expect(await find(id)).toEqual([place]);
    expect(await find(id.replace('req_', 'chatcmpl-'))).toEqual([place]);
    const entry = ['find_by_id', customer.workspaceId, 'request'];
    expect(await audited(id)).toEqual([entry, entry]);
  });

  test('finds a refused call, a key by its id and its beginning, a batch and an entry of the ledger', async () => {
    const refused = await stage.ask(chatPath, {
      headers: { authorization: `Bearer ${customer.secret}` },
      body: chatBody({ model: 'none' }),
    });
    await refused.text();
    const { workspaceId: workspace_id, keyId, accountId } = customer;
    const its = (object: string, id: string) => [expect.objectContaining({ object, id, workspace_id })];
    const refusedId = refused.headers.get('x-request-id')!;
    expect(await find(refusedId)).toEqual(its('request', refusedId));
    expect(await find(keyId)).toEqual(its('api_key', keyId));
    expect(await find(customer.secret.slice(0, 12))).toEqual(its('api_key', keyId));
    const entry = `le_${accountId.slice('acct_'.length)}1`;
    expect(await find(entry)).toEqual(its('ledger_entry', entry));
    expect(await find(`${entry}999`)).toEqual([]);
  });

  test('finds workspaces by name and id without a trace, and members by their mail with one', async () => {
    await withOwner(stage.addresses.databaseUrl, async (owner) => {
      await owner.query(`update workspaces set name = 'Northwind 100%' where id = $1`, [customer.workspaceId]);
      await owner.query(`insert into users (id, name, email) values ('user_maya', 'Maya', 'maya@northwind.example')`);
      await owner.query(
        `insert into members (id, workspace_id, user_id, role) values ('mem_1', $1, 'user_maya', 'owner')`,
        [customer.workspaceId],
      );
    });
    const named = { workspace_id: customer.workspaceId, workspace_name: 'Northwind 100%' };
    for (const text of ['northwind', '100%', customer.workspaceId])
      expect(await find(text)).toEqual([expect.objectContaining({ ...named, object: 'workspace' })]);
    expect(await audited(customer.workspaceId)).toEqual([]);
    expect(await find('Maya@Northwind.example')).toEqual([
      { ...named, object: 'member', id: 'user_maya', name: 'Maya', mode: 'live' },
    ]);
    expect(await audited('user_maya')).toEqual([['find_member', customer.workspaceId, 'user']]);
    expect(await find('nobody@northwind.example')).toEqual([]);
  });
});
