import { afterAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { finishRun } from '../../../db/runs/states/finishRun.ts';
import { errorOf, read, setRunRouteStage, writer, analyst } from '../../support/runRouteStage.ts';
import { until } from '../../support/until.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

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
      log_days: 0,
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

describe('a parent that is narrowed', () => {
  /** A key with a child and a grandchild, and a function that changes it. */
  async function makeTree(options: object = {}, wish: object = {}) {
    const root = await account({ scopes: ['llm', 'voice'], ...options });
    const { workspaceId, keyId } = root;
    const manager = await createKey(stage.db.everywhere, { workspaceId, name: 'manager', scopes: ['manage'] });
    const child = await derive(root.secret, wish);
    const grandchild = await derive(child.key);
    const change = async (body: object) =>
      read<DerivedKey>(
        await stage.call(`/console/v1/keys/${keyId}`, { method: 'PATCH', key: manager.secret, body }),
        200,
      );
    const shown = async () => {
      const response = await stage.call('/console/v1/keys', { key: manager.secret });
      const { data } = await read<{ data: DerivedKey[] }>(response, 200);
      return [child, grandchild].map(({ id }) => data.find((key) => key.id === id)!);
    };
    return { child, grandchild, change, shown };
  }

  const codeOf = async (key: string) => {
    const response = await stage.post({ agent: writer }, { key });
    return response.ok ? undefined : (await errorOf(response)).code;
  };

  test.each([
    ['scopes', { scopes: ['voice'] }, 'scope_not_allowed'],
    ['agents', { allowed_agents: [analyst] }, 'agent_not_allowed'],
    ['ceiling', { spend_limit: 0 }, 'key_spend_limit_reached'],
    ['addresses', { allowed_ips: ['192.0.2.0/24'] }, 'ip_not_allowed'],
    ['time', { expires_at: 2_000 }, 'invalid_api_key'],
  ])('narrows its children and theirs at once: %s', async (_what, narrower, code) => {
    const { child, grandchild, change } = await makeTree();
    for (const { key } of [child, grandchild]) await stage.create({ agent: writer }, { key });
    // A time is relative to now.
    const isTime = 'expires_at' in narrower;
    await change(isTime ? { expires_at: new Date(Date.now() + narrower.expires_at).toISOString() } : narrower);
    for (const { key } of [child, grandchild]) await until(async () => (await codeOf(key)) === code);
  });

  test('gives them its limits where theirs are wider', async () => {
    const expiresAt = new Date(Date.now() + 7_200_000);
    const { grandchild, change, shown } = await makeTree({ rpmLimit: 5_000, expiresAt }, { rpm_limit: 2_000 });
    const sooner = new Date(Date.now() + 3_600_000).toISOString();
    await change({ concurrency_limit: 3, expires_at: sooner });
    const narrowed = { rpm_limit: 2_000, concurrency_limit: 3, expires_at: sooner };
    expect(await shown()).toMatchObject([narrowed, narrowed]);
    // Without its own limit a key has the default tier, which is lower.
    await change({ rpm_limit: null });
    expect(await shown()).toMatchObject([{ rpm_limit: null }, { rpm_limit: null }]);
    await change({ rpm_limit: 10 });
    expect(await shown()).toMatchObject([{ rpm_limit: 10 }, { rpm_limit: 10 }]);
    await until(async () => {
      const { headers } = await stage.call('/platform/v1/key', { key: grandchild.key });
      return headers.get('x-ratelimit-limit-requests') === '10' && headers.get('x-ratelimit-limit-concurrency') === '3';
    });
  });

  test('leaves them the agents that both may run, also when it is widened again', async () => {
    const { child, change, shown } = await makeTree({}, { allowed_agents: [writer, analyst] });
    const other = await derive(child.key, { allowed_agents: [writer] });
    expect(await change({ allowed_agents: [analyst, 'none/none'] })).toMatchObject({
      allowed_agents: [analyst, 'none/none'],
    });
    await change({ allowed_agents: null });
    expect(await shown()).toMatchObject([{ allowed_agents: [analyst] }, { allowed_agents: [analyst] }]);
    await until(async () => (await codeOf(other.key)) === 'agent_not_allowed');
    await stage.create({ agent: analyst }, { key: child.key });
  });

  test('is a key of a manager: one that another key made keeps what it was given', async () => {
    const { child, grandchild, shown } = await makeTree();
    const { workspaceId } = await account();
    const stranger = await createKey(stage.db.everywhere, { workspaceId, name: 'other', scopes: ['manage'] });
    const path = `/console/v1/keys/${child.id}`;
    const body = { allowed_agents: [writer] };
    const refused = await stage.call(path, { method: 'PATCH', key: stranger.secret, body });
    expect(await errorOf(refused)).toMatchObject({ status: 404 });
    expect((await stage.call(path, { method: 'PATCH', key: grandchild.key, body })).status).toBe(403);
    expect(await shown()).toMatchObject([{ allowed_agents: null }, { allowed_agents: null }]);
  });
});

describe('the rate limits of a parent', () => {
  const read = (key: string) => stage.call('/v1/models', { key });

  test('bind it and all keys below it together', async () => {
    const startedAtMs = performance.now();
    const root = await account({ rpmLimit: 12 });
    const children = await Promise.all([1, 2, 3].map(() => derive(root.secret)));
    const grandchild = await derive(children[0]!.key);
    const keys = [root.secret, grandchild.key, ...children.map(({ key }) => key)];
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => read(keys[at % keys.length]!)));
    const passed = answers.filter(({ status }) => status === 200).length;
    // Four of the minute's twelve have made the keys.
    expect(passed).toBeGreaterThanOrEqual(8);
    expect(passed).toBeLessThanOrEqual(8 + Math.ceil(((performance.now() - startedAtMs) * 12) / 60_000));
    const refused = answers.find(({ status }) => status !== 200)!;
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(await errorOf(refused)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  });
});

test('a tree has at most 1,000 keys, however many of its keys make some at once', async () => {
  const root = await account();
  const children = await Promise.all(Array.from({ length: 10 }, () => derive(root.secret)));
  await stage.db.pool.query(
    `insert into api_keys (id, workspace_id, account_id, hash, prefix, name, scopes, parent_id, ancestors, revoked_at)
     select k.id || n, k.workspace_id, k.account_id, sha256((k.id || n)::bytea), 'sk_live_full', 'full', k.scopes, k.id, array[k.id], now()
     from api_keys k, generate_series(1, 988) n where k.id = $1`,
    [root.keyId],
  );
  const path = '/platform/v1/keys/derive';
  const made = await Promise.all(children.map(({ key }) => stage.call(path, { key, body: { name: 'grandchild' } })));
  expect(made.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(await errorOf(made.find(({ status }) => status !== 201)!)).toMatchObject({ code: 'key_tree_too_large' });
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
    expect(await stage.getRun(id, root.secret)).toMatchObject({ status: 'cancelled' });
  });

  test('a key revokes itself, with all keys below it', async () => {
    const root = await account();
    const child = await derive(root.secret);
    const grandchild = await derive(child.key);
    const deleted = await stage.call(`/platform/v1/keys/${child.id}`, { method: 'DELETE', key: child.key });
    expect(await read(deleted, 200)).toEqual({ id: child.id, object: 'api_key', deleted: true });
    await until(async () => (await statusOf(child.key)) === 401 && (await statusOf(grandchild.key)) === 401);
    expect(await statusOf(root.secret)).toBe(200);
  });
});
