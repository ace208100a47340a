import { afterAll, describe, expect, test } from '@jest/globals';
import { ask, chatBody, chatPath, codeOf } from '../../support/guardStage.ts';
import { getJson, read } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { expectWithinASecond, setKeyStage, type Managed } from './keyStage.ts';

const stage = await setKeyStage();
afterAll(() => stage.close());

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const refusal = async (answer: Promise<Response>) => {
  const response = await answer;
  const { error } = (await response.json()) as { error: { code: string; param: string | null } };
  return [response.status, error.code, error.param];
};

describe('creating a key', () => {
  test('returns a working key, shows it once, and lists it with its limits', async () => {
    const manager = await stage.manager();
    const expires = inAnHour();
    const limits = { spend_limit: 2.5, spend_limit_period: 'daily', rpm_limit: 60, concurrency_limit: 3 };
    const more = { scopes: ['llm', 'voice'], expires_at: expires, allowed_ips: ['127.0.0.1', '2001:DB8::1/48'] };
    const made = await stage.make(manager, { name: ' shop ', ...limits, ...more });
    expect(made).toEqual({
      ...limits,
      id: expect.stringMatching(/^key_/),
      name: 'shop',
      key: expect.stringMatching(/^sk_live_[0-9A-Za-z]{49}$/),
      prefix: made.key.slice(0, 12),
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: expires,
      revoked_at: null,
      scopes: ['llm', 'voice'],
      spend_daily: 0,
      spend_monthly: 0,
      is_calling_key: false,
      parent_id: null,
      project_id: 'default',
      allowed_agents: null,
      log_days: 0,
      no_retention: false,
      allowed_ips: ['127.0.0.1/32', '2001:db8::/48'],
      created_by: 'operations',
      owner_user_id: null,
      origin: null,
      previous_expires_at: null,
      spend_limit_remaining: 2.5,
    });
    expect(await stage.use(made.key)).toBe(200);
    const { data } = await read<{ data: Managed[] }>(stage.call(manager.secret, 'GET'));
    const { key, ...entry } = made;
    expect(data[0]).toEqual({ ...entry, last_used_at: data[0]!.last_used_at });
    expect(JSON.stringify(data)).not.toContain(key);
    const spec = await getJson<{ data: object[] }>(`${stage.api.url}/platform/v1/keys`, manager.secret);
    expect(Object.keys(spec.body.data[0]!)).not.toContain('allowed_ips');
  });

  test("gives the specification's default scopes", async () => {
    const made = await stage.make(await stage.manager());
    expect(made.scopes).toEqual(['llm', 'voice', 'batch']);
  });

  test('creates one key per Idempotency-Key, and does not store its secret for the retry', async () => {
    const manager = await stage.manager();
    const once = { 'idempotency-key': 'make-a-key-once' };
    const make = (name: string) => stage.call(manager.secret, 'POST', '', { name }, once);
    const first = await read<Managed>(make('one'), 201);
    const again = await make('one');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await read<Managed>(again, 201)).toEqual({ ...first, key: null });
    expect((await refusal(make('two')))[1]).toBe('idempotency_conflict');
    const { data } = await read<{ data: Managed[] }>(stage.call(manager.secret, 'GET'));
    expect(data).toHaveLength(2);
  });

  test.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x', scopes: ['operator'] }, 'scopes.0'],
    [{ name: 'x', scopes: ['billing'] }, 'scopes.0'],
    [{ name: 'x', scopes: [] }, 'scopes'],
    [{ name: 'x', scopes: ['llm', 'llm'] }, 'scopes'],
    [{ name: 'x', scopes: ['manage', 'llm'] }, 'scopes'],
    [{ name: 'x', spend_limit: -1 }, 'spend_limit'],
    [{ name: 'x', spend_limit: 1e-10 }, 'spend_limit'],
    [{ name: 'x', spend_limit_period: 'daily' }, 'spend_limit_period'],
    [{ name: 'x', rpm_limit: 0 }, 'rpm_limit'],
    [{ name: 'x', concurrency_limit: 1.5 }, 'concurrency_limit'],
    [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ name: 'x', allowed_ips: [] }, 'allowed_ips'],
    [{ name: 'x', allowed_ips: ['192.0.2.0/33'] }, 'allowed_ips.0'],
    [{ name: 'x', allowed_ips: ['10.1'] }, 'allowed_ips.0'],
    [{ name: 'x', allowed_ips: ['example.com'] }, 'allowed_ips.0'],
    [{ name: 'x', workspace_id: 'ws_other' }, 'workspace_id'],
    [{ name: 'x', hash: 'ff' }, 'hash'],
    [{ name: 'x', key: 'sk_live_mine' }, 'key'],
  ])('answers %j with 422 that names the field', async (body, param) => {
    const manager = await stage.manager();
    expect(await refusal(stage.call(manager.secret, 'POST', '', body))).toEqual([422, 'validation_error', param]);
  });
});

describe('changing a key', () => {
  test('takes effect within a second, and null removes a limit', async () => {
    const manager = await stage.manager();
    const made = await stage.make(manager, { scopes: ['llm'], spend_limit: 1, spend_limit_period: 'monthly' });
    expect(await stage.use(made.key)).toBe(200);
    const change = (body: object) => read<Managed>(stage.call(manager.secret, 'PATCH', `/${made.id}`, body));
    expect(await change({ name: 'renamed', spend_limit: 0 })).toMatchObject({ name: 'renamed', spend_limit: 0 });
    const headers = { authorization: `Bearer ${made.key}` };
    expect(await codeOf(await ask(stage.api.url, chatPath, { headers, body: chatBody() }))).toBe(
      'key_spend_limit_reached',
    );
    expect(await change({ spend_limit: null })).toMatchObject({ spend_limit: null, spend_limit_period: null });
    expect((await ask(stage.api.url, chatPath, { headers, body: chatBody() })).status).toBe(200);
    expect(await change({ scopes: ['voice'] })).toMatchObject({ scopes: ['voice'], name: 'renamed' });
    await expectWithinASecond(
      async () => (await ask(stage.api.url, chatPath, { headers, body: chatBody() })).status,
      403,
    );
  });

  test('shows what is left of a limit, also of one without a period', async () => {
    const manager = await stage.manager();
    const made = await stage.make(manager, { spend_limit: 1 });
    expect(made).toMatchObject({ spend_limit: 1, spend_limit_period: null, spend_limit_remaining: 1 });
    const headers = { authorization: `Bearer ${made.key}` };
    const answer = await ask(stage.api.url, chatPath, { headers, body: chatBody() });
    const cost = Number(answer.headers.get('x-cost-usd'));
    await answer.body?.cancel();
    const [entry] = (await read<{ data: Managed[] }>(stage.call(manager.secret, 'GET'))).data;
    expect(cost).toBeGreaterThan(0);
    expect(entry!.spend_limit_remaining).toBeCloseTo(1 - cost, 9);
  });

  test('refuses an empty change, a period without a ceiling, and a revoked key', async () => {
    const manager = await stage.manager();
    const made = await stage.make(manager);
    const change = (body: object) => stage.call(manager.secret, 'PATCH', `/${made.id}`, body);
    expect((await change({})).status).toBe(200);
    expect(await refusal(change({ spend_limit_period: 'daily' }))).toEqual([
      422,
      'validation_error',
      'spend_limit_period',
    ]);
    expect((await stage.call(manager.secret, 'DELETE', `/${made.id}`)).status).toBe(200);
    expect(await refusal(change({ name: 'late' }))).toEqual([409, 'key_revoked', null]);
    expect((await refusal(stage.call(manager.secret, 'POST', `/${made.id}/rotate`, {})))[1]).toBe('key_revoked');
  });
});

describe('rotating a key', () => {
  test('keeps the key, its ceiling and its usage; the earlier secret works until its grace period ends', async () => {
    const manager = await stage.manager();
    const made = await stage.make(manager, { spend_limit: 1, spend_limit_period: 'daily' });
    const call = (secret: string) =>
      ask(stage.api.url, chatPath, { headers: { authorization: `Bearer ${secret}` }, body: chatBody() });
    expect((await call(made.key)).status).toBe(200);
    const before = Date.now();
    const rotated = await read<Managed>(
      stage.call(manager.secret, 'POST', `/${made.id}/rotate`, { grace_seconds: 3600 }),
    );
    expect(rotated).toMatchObject({ id: made.id, prefix: rotated.key.slice(0, 12), spend_limit: 1 });
    // What was answered before is counted.
    expect(rotated.spend_daily).toBeGreaterThan(0);
    expect(rotated.key).not.toBe(made.key);
    expect(Date.parse(rotated.previous_expires_at!) - before).toBeGreaterThan(3_500_000);
    for (const secret of [made.key, rotated.key]) expect((await call(secret)).status).toBe(200);
    const usage = await getJson<{ usage_daily: number; limit_remaining: number }>(
      `${stage.api.url}/platform/v1/key`,
      rotated.key,
    );
    const { rows } = await stage.db.pool.query('select sum(cost_nanos)::int as cost from requests where key_id = $1', [
      made.id,
    ]);
    expect(usage.body.usage_daily).toBeCloseTo(rows[0].cost / 1e9, 12);
    expect(usage.body.usage_daily + usage.body.limit_remaining).toBeCloseTo(1, 12);

    const last = await read<Managed>(stage.call(manager.secret, 'POST', `/${made.id}/rotate`, { grace_seconds: 0 }));
    for (const secret of [made.key, rotated.key]) await expectWithinASecond(() => stage.use(secret), 401);
    expect(await stage.use(last.key)).toBe(200);
    const { data } = await read<{ data: Managed[] }>(stage.call(manager.secret, 'GET'));
    expect(data[0]).toMatchObject({ id: made.id, previous_expires_at: null });
  });

  test('again after a lost answer leaves the first secret its grace period', async () => {
    const manager = await stage.manager();
    const made = await stage.make(manager);
    const rotate = () => read<Managed>(stage.call(manager.secret, 'POST', `/${made.id}/rotate`, { grace_seconds: 60 }));
    const [lost, kept] = [await rotate(), await rotate()];
    for (const { key } of [made, lost, kept]) expect(await stage.use(key)).toBe(200);
  });

  test.each([-1, 86_401, 1.5, 'long'])('refuses a grace period of %j seconds', async (grace) => {
    const manager = await stage.manager();
    const answer = stage.call(manager.secret, 'POST', `/${manager.keyId}/rotate`, { grace_seconds: grace });
    expect(await refusal(answer)).toEqual([422, 'validation_error', 'grace_seconds']);
  });
});

test('the effects of a revocation are shown before it, and it ends every secret of the key', async () => {
  const manager = await stage.manager();
  const made = await stage.make(manager);
  const headers = { authorization: `Bearer ${made.key}` };
  for (let call = 0; call < 2; call += 1) await read(stage.ask(chatPath, { headers, body: chatBody() }));
  const impact = () => read(stage.call(manager.secret, 'GET', `/${made.id}/impact`));
  // A use is recorded within a second.
  await until(async () => (await impact()).last_used_at !== null);
  expect(await impact()).toEqual({ requests_last_day: 2, runs_open: 0, last_used_at: expect.any(String) });
  const rotated = await read<Managed>(stage.call(manager.secret, 'POST', `/${made.id}/rotate`, { grace_seconds: 600 }));
  const revoke = () => read<Managed>(stage.call(manager.secret, 'DELETE', `/${made.id}`));
  const { revoked_at: revokedAt } = await revoke();
  expect(revokedAt).toEqual(expect.any(String));
  for (const secret of [made.key, rotated.key]) await expectWithinASecond(() => stage.use(secret), 401);
  expect((await revoke()).revoked_at).toBe(revokedAt);
});

test('every change is audited with the previous values and without a secret', async () => {
  const manager = await stage.manager();
  const made = await stage.make(manager, { spend_limit: 5 });
  const { id } = made;
  await read(stage.call(manager.secret, 'PATCH', `/${id}`, { spend_limit: 7.5, allowed_ips: ['10.0.0.0/8'] }));
  const rotated = await read<Managed>(stage.call(manager.secret, 'POST', `/${id}/rotate`, { grace_seconds: 5 }));
  await read(stage.call(manager.secret, 'DELETE', `/${id}`));
  const rows = await stage.audit(manager);
  const by = { subject_id: id, key_id: manager.keyId };
  const limits = (usd: string, ips: string[] | null) => ({ spend_limit_usd: usd, allowed_ips: ips });
  expect(rows).toEqual([
    {
      ...by,
      action: 'create_key',
      detail: { after: expect.objectContaining({ name: 'made', spend_limit_usd: '5' }) },
    },
    { ...by, action: 'change_key', detail: { before: limits('5', null), after: limits('7.5', ['10.0.0.0/8']) } },
    {
      ...by,
      action: 'rotate_key',
      detail: { before: { prefix: made.prefix }, after: { prefix: rotated.prefix }, grace_seconds: 5 },
    },
    { ...by, action: 'revoke_key', detail: {} },
  ]);
});

test('thousands of keys that one made are listed with what each spent, and what all did', async () => {
  const manager = await stage.manager();
  const { id } = await stage.make(manager, { name: 'shop', spend_limit: 1000, spend_limit_period: 'monthly' });
  // A key spends a thousandth of a dollar on each of its days; one in three has not called yet.
  await stage.asOwner(
    `with made as (
      insert into api_keys (id, workspace_id, account_id, name, hash, prefix, scopes, parent_id, ancestors, in_tree)
      select 'key_of_' || $1 || n, workspace_id, account_id, 'customer ' || n, sha256(($1 || n)::bytea), prefix, scopes, id, array[id], true
      from api_keys, generate_series(1, 3000) n where id = $1 returning id, workspace_id),
    root as (update api_keys set in_tree = true where id = $1)
    insert into key_days (key_id, workspace_id, day, spent_nanos)
    select m.id, m.workspace_id, date_trunc('month', now() at time zone 'utc')::date - 60 + back, 1000000
    from (select *, row_number() over () as n from made) m, generate_series(0, 60, 2) back where m.n % 3 > 0`,
    [id],
  );
  const listed = await getJson<{ data: Managed[] }>(`${stage.api.url}/platform/v1/keys`, manager.secret);
  const children = listed.body.data.filter(({ parent_id }) => parent_id === id);
  expect(children).toHaveLength(3000);
  expect(new Set(children.map(({ spend_monthly }) => spend_monthly))).toEqual(new Set([0, 0.001]));
  const { data } = await read<{ data: Managed[] }>(stage.call(manager.secret, 'GET', `?search=${id}`));
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({ spend_monthly: 0, spend_limit_remaining: 998 });
});
