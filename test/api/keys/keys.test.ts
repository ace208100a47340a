import { afterAll, describe, expect, test } from '@jest/globals';
import { createKey, revokeKey } from '../../../db/keys/keyStore.ts';
import { makeAccount } from '../../support/account.ts';
import { getJson } from '../../support/http.ts';
import { setStage } from '../platform/stage.ts';

const stage = await setStage({ env: { DEFAULT_RPM_LIMIT: '77', DEFAULT_CONCURRENCY_LIMIT: '9' } });
afterAll(() => stage.close());

const getKey = (key?: string) => getJson<Record<string, unknown>>(`${stage.api.url}/platform/v1/key`, key);
const getKeys = (key?: string) =>
  getJson<{ data: Record<string, unknown>[] }>(`${stage.api.url}/platform/v1/keys`, key);

describe('GET /platform/v1/key', () => {
  test('refuses a caller without a key', async () => {
    const { status, body } = await getKey();
    expect(status).toBe(401);
    expect(body).toMatchObject({ error: { code: 'invalid_api_key', param: null } });
  });

  test("returns the calling key's ceiling, what is left of it, its limits and the balance", async () => {
    const { secret } = await makeAccount(stage.db, {
      creditUsd: '10',
      name: 'ci',
      spendLimitNanos: 5_000_000_000n,
      spendLimitPeriod: 'daily',
      rpmLimit: 60,
      concurrencyLimit: 3,
    });
    expect((await getKey(secret)).body).toEqual({
      label: 'ci',
      prefix: secret.slice(0, 12),
      limit: 5,
      limit_remaining: 5,
      limit_reset: 'daily',
      usage_daily: 0,
      usage_monthly: 0,
      rate_limit: { rpm: 60, concurrency: 3 },
      balance: 10,
      log_days: 0,
      no_retention: false,
    });
  });

  test('counts a call the moment its answer has ended, to the nano-dollar', async () => {
    const { secret } = await makeAccount(stage.db, { spendLimitNanos: 1_000_000_000n, spendLimitPeriod: 'monthly' });
    const requestId = await stage.chat(secret);
    const cost = await getJson<{ cost_usd: number }>(`${stage.api.url}/platform/v1/requests/${requestId}`, secret);
    const costUsd = cost.body.cost_usd;
    expect(costUsd).toBeGreaterThan(0);
    const { body } = await getKey(secret);
    expect(body).toMatchObject({ usage_daily: costUsd, usage_monthly: costUsd, limit: 1, limit_reset: 'monthly' });
    expect(body.limit_remaining).toBeCloseTo(1 - costUsd, 12);
    expect(body.balance).toBeCloseTo(10 - costUsd, 12);
  });

  test('returns null for a missing ceiling, and the default tier for missing limits', async () => {
    const { secret } = await makeAccount(stage.db, { rpmLimit: null, concurrencyLimit: null });
    expect((await getKey(secret)).body).toMatchObject({
      limit: null,
      limit_remaining: null,
      limit_reset: null,
      rate_limit: { rpm: 77, concurrency: 9 },
    });
  });

  test('a ceiling without a period counts all spending of the key', async () => {
    const { secret, keyId, workspaceId } = await makeAccount(stage.db, { spendLimitNanos: 3_000_000_000n });
    await stage.db.pool.query(
      `insert into key_days (key_id, day, workspace_id, spent_nanos) values ($1, '2020-02-29', $2, 2000000000)`,
      [keyId, workspaceId],
    );
    expect((await getKey(secret)).body).toMatchObject({ limit: 3, limit_remaining: 1, limit_reset: null });
    expect((await getKey(secret)).body).toMatchObject({ usage_daily: 0, usage_monthly: 0 });
  });

  test('accepts any live key, whatever its scopes', async () => {
    const { secret } = await makeAccount(stage.db, { scopes: ['voice'] });
    expect((await getKey(secret)).status).toBe(200);
  });
});

describe('GET /platform/v1/keys', () => {
  test('refuses a caller without a key', async () => {
    expect((await getKeys()).status).toBe(401);
  });

  test('lists all keys of the workspace, newest first, and marks the calling, revoked and expired ones', async () => {
    const { db } = stage;
    const account = await makeAccount(db, { name: 'first', rpmLimit: null, concurrencyLimit: null });
    const { workspaceId } = account;
    const second = await createKey(db.everywhere, {
      workspaceId,
      name: 'second',
      scopes: ['llm'],
      spendLimitNanos: 2_500_000_000n,
      spendLimitPeriod: 'monthly',
      rpmLimit: 10,
      concurrencyLimit: 2,
    });
    const revoked = await createKey(db.everywhere, { workspaceId, name: 'third', scopes: ['llm'] });
    await revokeKey(db, revoked.id);
    const { body } = await getKeys(account.secret);
    expect(body).toEqual({
      data: [
        expect.objectContaining({
          id: revoked.id,
          name: 'third',
          spend_monthly: 0,
          revoked_at: expect.stringMatching(/Z$/),
          is_calling_key: false,
        }),
        {
          id: second.id,
          name: 'second',
          prefix: second.secret.slice(0, 12),
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          last_used_at: null,
          expires_at: null,
          revoked_at: null,
          scopes: ['llm'],
          spend_daily: 0,
          spend_monthly: 0,
          spend_limit: 2.5,
          spend_limit_period: 'monthly',
          rpm_limit: 10,
          concurrency_limit: 2,
          is_calling_key: false,
          parent_id: null,
          project_id: 'default',
          allowed_agents: null,
          log_days: 0,
          no_retention: false,
        },
        expect.objectContaining({
          id: account.keyId,
          spend_limit: null,
          spend_limit_period: null,
          rpm_limit: null,
          concurrency_limit: null,
          is_calling_key: true,
        }),
      ],
    });
  });

  test("shows nothing of another workspace's keys", async () => {
    const [ours, theirs] = [await makeAccount(stage.db), await makeAccount(stage.db, { name: 'canary' })];
    const { body } = await getKeys(ours.secret);
    expect(body.data.map(({ id }) => id)).toEqual([ours.keyId]);
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`canary|${theirs.keyId}|${theirs.workspaceId}`));
  });
});
