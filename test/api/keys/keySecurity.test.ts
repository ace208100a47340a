import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { listKeyUsage } from '../../../db/keys/keyUsage.ts';
import { codeOf } from '../../support/guardStage.ts';
import { read } from '../../support/http.ts';
import { expectWithinASecond, setKeyStage, type Managed } from './keyStage.ts';

const stage = await setKeyStage();
const other = await stage.startAnother();
afterAll(() => stage.close());

type Call = [method: string, path: string, body?: object];
const calls = (id: string): Call[] => [
  ['PATCH', `/${id}`, { name: 'mine' }],
  ['POST', `/${id}/rotate`, {}],
  ['DELETE', `/${id}`],
  ['GET', `/${id}/impact`],
];
const refusalOf = async (answer: Response) => `${answer.status} ${await codeOf(answer)}`;

test('a key of another workspace answers 404 like an unknown one, and is unchanged', async () => {
  const [owner, stranger] = [await stage.manager(), await stage.manager()];
  const made = await stage.make(owner);
  for (const id of [made.id, newId('key')])
    for (const call of calls(id))
      expect(await refusalOf(await stage.call(stranger.secret, ...call))).toBe('404 key_not_found');
  for (const call of calls('acct_1'))
    expect(await refusalOf(await stage.call(stranger.secret, ...call))).toBe('422 validation_error');
  expect(await stage.use(made.key)).toBe(200);
  const { data } = await read<{ data: Managed[] }>(stage.call(stranger.secret, 'GET'));
  expect(data.map(({ id }) => id)).toEqual([stranger.keyId]);
});

describe('a key without the scope for managing keys', () => {
  test.each([[['llm', 'voice', 'batch', 'publisher']], [['operator']], [[]]])('with %j is refused', async (scopes) => {
    const { secret, keyId } = await stage.account({ scopes });
    for (const call of [['GET', ''], ['POST', '', { name: 'x' }], ...calls(keyId)] as Call[])
      expect(await refusalOf(await stage.call(secret, ...call))).toBe('403 scope_not_allowed');
  });
});

describe('a manager with some of the scopes, such as a developer', () => {
  const scopes = ['llm', 'voice', 'batch', 'manage'];

  test.each(['publisher', 'manage'])('cannot give %s', async (scope) => {
    const { secret } = await stage.manager({ scopes });
    const refused = await stage.call(secret, 'POST', '', { name: 'x', scopes: [scope] });
    expect(await refusalOf(refused)).toBe('403 scope_not_grantable');
  });

  test.each([[['publisher']], [['manage']], [['operator']]])(
    'cannot change a key with %j, but may revoke it',
    async (held) => {
      const manager = await stage.manager({ scopes });
      const theirs = await createKey(stage.db.everywhere, {
        workspaceId: manager.workspaceId,
        name: 'x',
        scopes: held,
      });
      for (const call of calls(theirs.id).slice(0, 2))
        expect(await refusalOf(await stage.call(manager.secret, ...call))).toBe('403 scope_not_grantable');
      expect(await stage.use(theirs.secret)).toBe(200);
      expect((await stage.call(manager.secret, 'DELETE', `/${theirs.id}`)).status).toBe(200);
    },
  );

  test('may give its own scopes, and agents with llm', async () => {
    const manager = await stage.manager({ scopes });
    for (const given of [['llm'], ['voice', 'batch'], ['agents']]) await stage.make(manager, { scopes: given });
  });
});

test("a member's own key cannot be managed", async () => {
  const manager = await stage.manager();
  const { id } = await createKey(stage.db.everywhere, {
    workspaceId: manager.workspaceId,
    name: 'Console: Ada',
    scopes: ['llm'],
    memberUserId: 'user_1',
  });
  for (const call of calls(id)) expect((await stage.call(manager.secret, ...call)).status).toBe(404);
});

describe('mass assignment', () => {
  const members = {
    id: 'key_mine',
    workspace_id: 'ws_other',
    account_id: 'acct_other',
    hash: 'ff',
    prefix: 'sk_live_mine',
    created_by: 'nobody',
    revoked_at: null,
    member_user_id: 'user_1',
    keeps_runs: true,
    spend_daily: 0,
  };

  test.each(Object.entries(members))('of %s is refused, and stores nothing', async (name, value) => {
    const manager = await stage.manager();
    const before = await listKeyUsage(stage.db.read(manager.workspaceId));
    for (const call of [
      ['POST', '', { name: 'x', [name]: value }],
      ['PATCH', `/${manager.keyId}`, { [name]: value }],
    ] as Call[]) {
      const refused = await stage.call(manager.secret, ...call);
      expect([refused.status, await codeOf(refused)]).toEqual([422, 'validation_error']);
    }
    const after = await listKeyUsage(stage.db.read(manager.workspaceId));
    const unused = before.map((key) => ({ ...key, lastUsedAt: expect.anything() }));
    expect(after.map((key) => ({ ...key, lastUsedAt: new Date() }))).toEqual(unused);
  });
});

test('every product route refuses a key that manages keys', async () => {
  const { secret } = await stage.manager();
  const document = (await (await stage.ask('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: object }> } }>>;
  };
  const routes = Object.entries(document.paths)
    .filter(([path]) => /^\/(v1|textapi|voiceapi)\//.test(path))
    // Managing a workspace's plugin secrets is not use.
    .filter(([path]) => !path.startsWith('/v1/plugins'))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, route]) => ({ path, method, route })));
  const answered: string[] = [];
  for (const { path, method, route } of routes) {
    const example = route.requestBody?.content['application/json']?.example;
    const response = await stage.ask(
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => newId(name.replace('_id', ''))),
      {
        method: method.toUpperCase(),
        headers: { 'x-api-key': secret },
        body: method === 'get' ? undefined : JSON.stringify(example ?? {}),
      },
    );
    await response.body?.cancel();
    if (response.status !== 403) answered.push(`${method} ${path} ${response.status}`);
  }
  expect(routes.length).toBeGreaterThan(80);
  // Public information: models, public agents with their prices, logos, and previews of the platform's voices.
  const publicRoutes = [
    'get /textapi/v1/models 200',
    'get /textapi/v1/models/{id} 404',
    'get /textapi/v1/models/{namespace}/{slug} 404',
    'get /v1/agents 200',
    'get /v1/agents/{namespace}/{slug} 422',
    'get /v1/agents/{namespace}/{slug}/card 422',
    'get /v1/agents/{namespace}/{slug}/icon 422',
    'get /v1/agents/{namespace}/{slug}/quality 422',
    'get /v1/logos/{logo_id} 404',
    'get /v1/models 200',
    'get /v1/models/{id} 404',
    'get /v1/models/{namespace}/{slug} 404',
    'get /voiceapi/v1/voices/{voice_id}/preview 404',
  ];
  // Of the files, only the workspace's logo is theirs: `calls/purposeScope.ts`.
  const filesOf = (prefix: string) => [
    `delete ${prefix}/files/{file_id} 404`,
    `get ${prefix}/files 200`,
    `get ${prefix}/files/{file_id} 404`,
    `get ${prefix}/files/{file_id}/content 404`,
    `post ${prefix}/files 415`,
    `post ${prefix}/uploads/{upload_id}/cancel 404`,
    `post ${prefix}/uploads/{upload_id}/complete 404`,
    `post ${prefix}/uploads/{upload_id}/parts 415`,
  ];
  const expected = [...publicRoutes, ...filesOf('/v1'), ...filesOf('/textapi/v1')];
  expect(answered.toSorted()).toEqual(expected.toSorted());
});

describe('within a second, in two processes,', () => {
  const atBoth = async (secret: string, wanted: number, sinceMs?: number) => {
    for (const url of [stage.api.url, other.url])
      await expectWithinASecond(() => stage.use(secret, url), wanted, sinceMs);
  };

  async function makeUsed() {
    const manager = await stage.manager();
    const made = await stage.make(manager);
    await atBoth(made.key, 200);
    const ask = (...call: Call) => stage.call(manager.secret, ...call);
    return { made, ask, change: (...call: Call) => read<Managed>(ask(...call)) };
  }

  test('a revoked key is refused', async () => {
    const { made, change } = await makeUsed();
    await change('DELETE', `/${made.id}`);
    await atBoth(made.key, 401);
  });

  test('the earlier secret of a rotated key is refused, at once or when its grace ends', async () => {
    const { made, change } = await makeUsed();
    const first = await change('POST', `/${made.id}/rotate`, { grace_seconds: 1 });
    const endsAtMs = performance.now() + Date.parse(first.previous_expires_at!) - Date.now();
    await atBoth(first.key, 200);
    await atBoth(made.key, 401, endsAtMs);
    const second = await change('POST', `/${made.id}/rotate`, {});
    await atBoth(first.key, 401);
    await atBoth(second.key, 200);
  });

  test('an expired key is refused', async () => {
    const { made, ask } = await makeUsed();
    // Later again for a machine so busy that the time has passed when it is asked for.
    for (let ms = 500; ; ms *= 2) {
      const expiresAtMs = Date.now() + ms;
      const answer = await ask('PATCH', `/${made.id}`, { expires_at: new Date(expiresAtMs).toISOString() });
      if (answer.status === 200) return atBoth(made.key, 401, performance.now() + expiresAtMs - Date.now());
      expect(answer.status).toBe(422);
    }
  });

  test('a key is refused from an address that it does not allow, and accepted from another', async () => {
    const { made, change } = await makeUsed();
    await change('PATCH', `/${made.id}`, { allowed_ips: ['203.0.113.0/24', '2001:db8::/32'] });
    await atBoth(made.key, 403);
    const refused = await stage.ask('/v1/models', { headers: { 'x-api-key': made.key } });
    expect(await refused.json()).toEqual({
      error: {
        message:
          'This key is not accepted from the address 127.0.0.1. Use it from one of its allowed_ips, or have them changed.',
        type: 'permission_error',
        param: null,
        code: 'ip_not_allowed',
      },
    });
    await change('PATCH', `/${made.id}`, { allowed_ips: ['127.0.0.0/8'] });
    await atBoth(made.key, 200);
  });
});

test('no secret is in the database, in logs, or in the audit', async () => {
  const manager = await stage.manager();
  const once = { 'idempotency-key': 'canary-of-a-secret' };
  const made = await read<Managed>(stage.call(manager.secret, 'POST', '', { name: 'canary' }, once), 201);
  const rotated = await read<Managed>(stage.call(manager.secret, 'POST', `/${made.id}/rotate`, { grace_seconds: 60 }));
  for (const secret of [made.key, rotated.key, manager.secret]) {
    for (const url of [stage.api.url, other.url]) await stage.use(secret, url);
    const { rows: tables } = await stage.db.pool.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const sql = `select count(*)::int as count from ${name} t where t::text like '%' || $1 || '%'`;
      const { rows } = await stage.db.pool.query<{ count: number }>(sql, [secret.slice(12)]);
      if (rows[0]!.count > 0) found.push(name);
    }
    expect(tables.length).toBeGreaterThan(20);
    expect(found).toEqual([]);
    expect([...stage.api.lines, ...other.lines].filter((line) => line.includes(secret.slice(12)))).toEqual([]);
  }
});
