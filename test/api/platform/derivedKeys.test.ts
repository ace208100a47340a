import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cancelRevoked } from '../../../db/runs/cancelRun.ts';
import { finishRun } from '../../../db/runs/finishRun.ts';
import { errorOf, read, setRunRouteStage, writer, analyst, type RunRouteStage } from '../../support/runRouteStage.ts';
import { until } from '../../support/until.ts';

let stage: RunRouteStage;

beforeAll(async () => {
  stage = await setRunRouteStage();
});
afterAll(() => stage?.close());

interface DerivedKey {
  id: string;
  key: string;
  parent_id: string;
  scopes: string[];
  allowed_agents: string[] | null;
  spend_limit: number | null;
  rpm_limit: number | null;
  expires_at: string | null;
}

const ask = (key: string, body: object, headers: Record<string, string> = {}) =>
  stage.call('/platform/v1/keys/derive', { key, headers, body: { name: 'child', ...body } });
const derive = async (key: string, body: object = {}) => read<DerivedKey>(await ask(key, body), 201);
const account = (options = {}) => stage.account(options);
const statusOf = async (key: string) => (await stage.call('/platform/v1/key', { key })).status;

describe('POST /platform/v1/keys/derive', () => {
  test('makes a key that may do what its parent may, within its limits, and is listed below it', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const parent = await account({ scopes: ['llm', 'voice', 'manage'], rpmLimit: 60, expiresAt });
    const child = await derive(parent.secret, { spend_limit: 5 });
    expect(child).toMatchObject({
      parent_id: parent.keyId,
      scopes: ['llm', 'voice'],
      spend_limit: 5,
      rpm_limit: 60,
      allowed_agents: null,
      expires_at: expiresAt.toISOString(),
    });
    const grandchild = await derive(child.key, { scopes: ['agents'], rpm_limit: 10 });
    const { data } = await read<{ data: DerivedKey[] }>(
      await stage.call('/platform/v1/keys', { key: parent.secret }),
      200,
    );
    const parentOf = Object.fromEntries(data.map(({ id, parent_id }) => [id, parent_id]));
    expect(parentOf).toEqual({ [parent.keyId]: null, [child.id]: parent.keyId, [grandchild.id]: child.id });
    expect(await statusOf(grandchild.key)).toBe(200);
  });

  test('refuses what is more than the parent may do, by name', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { secret } = await account({ scopes: ['voice'], rpmLimit: 60, concurrencyLimit: 5, expiresAt });
    const refused = async (body: object) => errorOf(await ask(secret, body));
    expect(await refused({ scopes: ['voice', 'llm'] })).toMatchObject({ status: 422, param: 'scopes' });
    expect(await refused({ scopes: ['manage'] })).toMatchObject({ status: 422, param: 'scopes' });
    expect(await refused({ rpm_limit: 61 })).toMatchObject({ status: 422, param: 'rpm_limit' });
    expect(await refused({ concurrency_limit: 6 })).toMatchObject({ status: 422, param: 'concurrency_limit' });
    const later = new Date(Date.now() + 7_200_000).toISOString();
    expect(await refused({ expires_at: later })).toMatchObject({ status: 422, param: 'expires_at' });
    expect(await refused({ spend_limit_period: 'daily' })).toMatchObject({ param: 'spend_limit_period' });
    expect(await refused({ parent_id: 'key_x' })).toMatchObject({ param: 'parent_id' });
  });

  test('keeps trees four levels deep', async () => {
    let { secret } = await account();
    for (let level = 0; level < 4; level += 1) secret = (await derive(secret)).key;
    expect(await errorOf(await ask(secret, {}))).toMatchObject({ status: 409, code: 'key_tree_too_deep' });
  });

  test('makes one key for one Idempotency-Key, and shows its secret once', async () => {
    const { secret } = await account();
    const headers = { 'idempotency-key': 'derive-0001' };
    const first = await read<DerivedKey>(await ask(secret, {}, headers), 201);
    const again = await ask(secret, {}, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await read<DerivedKey>(again, 201)).toEqual({ ...first, key: null });
    expect(await errorOf(await ask(first.key, {}, headers))).toMatchObject({ code: 'idempotency_conflict' });
  });
});

describe('a key with allowed agents', () => {
  test('runs and quotes these alone, and makes keys for these alone', async () => {
    const { secret } = await account();
    const { key } = await derive(secret, { allowed_agents: [writer] });
    await stage.create({ agent: writer }, { key });
    for (const path of ['/v1/runs', '/v1/runs/quote']) {
      const response = await stage.call(path, { key, body: { agent: analyst, input: 'Hello.' } });
      expect(await errorOf(response)).toMatchObject({ status: 403, code: 'agent_not_allowed' });
    }
    expect(await errorOf(await ask(key, { allowed_agents: [writer, analyst] }))).toMatchObject({
      param: 'allowed_agents',
    });
    expect(await derive(key)).toMatchObject({ allowed_agents: [writer] });
  });

  test('repeats no run of another agent', async () => {
    const { secret } = await account();
    const { key } = await derive(secret, { allowed_agents: [writer] });
    const { id } = await stage.create({ agent: analyst }, { key: secret });
    await finishRun(stage.db, id, { status: 'cancelled' });
    const response = await stage.call(`/v1/runs/${id}/rerun`, { key, body: { from_step: 1 } });
    expect(await errorOf(response)).toMatchObject({ status: 403, code: 'agent_not_allowed' });
  });
});

describe('the money of a tree', () => {
  test('a run of a child is held against its parent’s ceiling, too', async () => {
    const { secret } = await account({ spendLimitNanos: 300_000_000n });
    const [one, two] = [await derive(secret), await derive(secret, { spend_limit: 100 })];
    await stage.create({ agent: writer, max_cost_usd: 0.3 }, { key: one.key });
    const refused = await stage.post({ agent: writer, max_cost_usd: 0.2 }, { key: two.key });
    expect(refused.status).toBe(429);
    expect(await errorOf(refused)).toMatchObject({ code: 'balance_held' });
  });
});

describe('an ended tree', () => {
  test('a revoked parent takes all keys below it and their runs with it, within a second', async () => {
    const root = await account();
    const child = await derive(root.secret);
    const grandchild = await derive(child.key);
    const { id } = await stage.create({ agent: writer }, { key: grandchild.key });
    expect(await statusOf(grandchild.key)).toBe(200);
    const path = `/platform/v1/keys/${child.id}`;
    expect(await errorOf(await stage.call(path, { method: 'DELETE', key: grandchild.key }))).toMatchObject({
      status: 404,
    });
    await read(await stage.call(path, { method: 'DELETE', key: root.secret }), 200);
    await until(async () => (await statusOf(grandchild.key)) === 401);
    expect([await statusOf(child.key), await statusOf(root.secret)]).toEqual([401, 200]);
    await cancelRevoked(stage.db);
    expect(await stage.getRun(id, root.secret)).toMatchObject({ status: 'cancelled' });
  });
});
