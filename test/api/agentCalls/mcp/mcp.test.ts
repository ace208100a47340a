import { afterAll, describe, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createKey, revokeKey } from '../../../../db/keys/keyStore.ts';
import { checkInvariants } from '../../../../db/invariants/invariants.ts';
import { newId } from '../../../../db/ids.ts';
import { until } from '../../../support/until.ts';
import { setPublisherStage, type DeploymentBody } from '../../publisher/publisherStage.ts';

const stage = await setPublisherStage();
const poet = await publish();
const tool = poet.name.replace('/', '__');
afterAll(() => stage.close());

async function publish(changes: object = {}) {
  const agent = await stage.makeAgent(changes);
  const { id } = await stage.read<DeploymentBody>(stage.submit(agent.id), 200);
  await stage.read(stage.decide(id, 'approve'), 200);
  return agent;
}

// Editions of the protocol: the newest, and those with a handshake.
const editions = ['modern', 'legacy'] as const;

async function connect(
  edition: (typeof editions)[number] = 'modern',
  { key = stage.stranger.secret, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
): Promise<Client> {
  const mode = edition === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${stage.api.url}/v1/mcp`), { requestInit }));
  return client;
}

async function withClient<T>(client: Promise<Client>, work: (client: Client) => Promise<T>): Promise<T> {
  const open = await client;
  try {
    return await work(open);
  } finally {
    await open.close();
  }
}

const told = (script: object) => JSON.stringify({ scripted: script });
const textOf = ({ content }: { content: unknown[] }) =>
  (content as { type: string; text?: string }[]).map(({ text }) => text).join('\n');

interface RunRow {
  id: string;
  status: string;
  total_nanos: string;
  /** The number of its last event. */
  last_sequence: number;
}

async function runsOf(agentId: string): Promise<RunRow[]> {
  const { rows } = await stage.db.pool.query(
    `select id, status, total_nanos, last_sequence from runs where agent_id = $1 and source <> 'review' order by created_at desc`,
    [agentId],
  );
  return rows;
}

describe.each(editions)('in the %s edition', (edition) => {
  test('public agents are listed as tools, and a call is a billed run', async () => {
    await withClient(connect(edition), async (client) => {
      const { tools } = await client.listTools();
      const offered = tools.find(({ name }) => name === tool);
      expect(offered).toMatchObject({ title: 'Poet', inputSchema: { required: ['input'] } });
      expect(tools.map(({ name }) => name)).toContain('ledgerline__writer');
      const result = await client.callTool({ name: tool, arguments: { input: told({ text: 'Rain falls.' }) } });
      expect(result.isError).toBeUndefined();
      expect(textOf(result)).toBe('Rain falls.');
      const { run_id, session_id, ...outcome } = result.structuredContent as Record<string, unknown>;
      const [run] = await runsOf(poet.id);
      const cost_usd = Number(run!.total_nanos) / 1e9;
      expect(outcome).toEqual({ text: 'Rain falls.', files: [], status: 'completed', cost_usd });
      expect([run_id, Number(run!.total_nanos) > 0]).toEqual([run!.id, true]);
      // As if it had called another agent.
      await stage.db.pool.query('update runs set children_nanos = 5000 where id = $1', [run_id]);
      const seen = await client.callTool({ name: 'get_run', arguments: { run_id } });
      expect((seen.structuredContent as { cost_usd: number }).cost_usd).toBeCloseTo(cost_usd + 5e-6, 9);
      const again = { input: told({ text: 'More.' }), session_id, max_cost_usd: null };
      const next = await client.callTool({ name: tool, arguments: again });
      expect(next.structuredContent).toMatchObject({ session_id, status: 'completed' });
    });
  });

  test('a caller that requests progress gets progress notifications', async () => {
    await withClient(connect(edition), async (client) => {
      const seen: { progress: number; message?: string }[] = [];
      await client.callTool(
        { name: tool, arguments: { input: told({ text: 'Rain.', delayMs: 50 }) } },
        { onprogress: (progress) => void seen.push(progress) },
      );
      expect(seen.map(({ message }) => message)).toEqual(expect.arrayContaining(['Running.']));
      expect(seen.map(({ progress }) => progress)).toEqual(
        seen.map(({ progress }) => progress).toSorted((a, b) => a - b),
      );
    });
  });

  test('a cancelled call cancels its run', async () => {
    await withClient(connect(edition), async (client) => {
      const given = new AbortController();
      const call = client.callTool(
        { name: tool, arguments: { input: told({ text: 'Rain. '.repeat(2_000), delayMs: 100 }) } },
        { signal: given.signal },
      );
      await until(async () => (await runsOf(poet.id))[0]?.status === 'in_progress');
      given.abort();
      await expect(call).rejects.toThrow();
      await until(async () => (await runsOf(poet.id))[0]?.status === 'cancelled');
    });
  });

  test('a call whose key is revoked ends with that error; its run continues when the key allows it', async () => {
    const { id, secret } = await createKey(stage.db.everywhere, {
      workspaceId: stage.stranger.workspaceId,
      name: 'to be revoked',
      scopes: ['agents'],
    });
    await withClient(connect(edition, { key: secret }), async (client) => {
      const input = told({ text: 'Rain. '.repeat(2_000), delayMs: 100 });
      const call = client.callTool({ name: tool, arguments: { input } });
      await until(async () => (await runsOf(poet.id))[0]?.status === 'in_progress');
      await revokeKey(stage.db, id, { keepsRuns: true });
      expect(await call).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^invalid_api_key: /) }],
      });
    });
    const [left] = await runsOf(poet.id);
    await until(async () => (await runsOf(poet.id))[0]!.last_sequence > left!.last_sequence + 1);
    expect((await runsOf(poet.id))[0]).toMatchObject({ id: left!.id, status: 'in_progress' });
    await stage.read(stage.call(`/v1/runs/${left!.id}/cancel`, { key: stage.stranger.secret, method: 'POST' }), 202);
    await until(async () => (await runsOf(poet.id))[0]?.status === 'cancelled');
  });

  test('a run that cannot be created becomes a tool error and costs nothing', async () => {
    const before = (await runsOf(poet.id)).length;
    const poor = await stage.account({ scopes: ['llm'], creditUsd: '0' });
    await withClient(connect(edition, { key: poor.secret }), async (client) => {
      const refused = await client.callTool({ name: tool, arguments: { input: 'Rain' } });
      expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/^insufficient_balance: /)]);
    });
    await withClient(connect(edition), async (client) => {
      const call = (args: Record<string, unknown>) => client.callTool({ name: tool, arguments: args });
      expect(textOf(await call({ input: 'Rain', max_cost_usd: 1000 }))).toMatch(/^validation_error: /);
      expect(textOf(await call({ input: 'Rain', session_id: 'ses_1' }))).toMatch(/^session_not_found: /);
      expect(textOf(await call({ input: 'Rain', source: 'chat' }))).toMatch(/^validation_error: /);
      await expect(client.callTool({ name: 'nobody__poet', arguments: { input: 'x' } })).rejects.toMatchObject({
        code: -32602,
      });
    });
    expect((await runsOf(poet.id)).length).toBe(before);
  });

  test('a call that is repeated under its idempotency key returns the same run', async () => {
    await withClient(connect(edition), async (client) => {
      const key = newId('key');
      const call = (text: string) =>
        client.callTool({
          name: tool,
          arguments: { input: told({ text }) },
          _meta: { 'ledgerline/idempotency-key': key },
        });
      const results = await Promise.all([call('Rain.'), call('Rain.'), call('Rain.')]);
      const ids = results.map(({ structuredContent }) => (structuredContent as { run_id: string }).run_id);
      expect([new Set(ids).size, ...results.map(textOf)]).toEqual([1, 'Rain.', 'Rain.', 'Rain.']);
      expect(textOf(await call('Snow.'))).toMatch(/^idempotency_conflict: /);
    });
  });
});

test('a failed run becomes a tool error', async () => {
  await withClient(connect(), async (client) => {
    const failed = await client.callTool({ name: tool, arguments: { input: told({ status: 400 }) } });
    expect(failed).toMatchObject({ isError: true, structuredContent: { status: 'failed', cost_usd: 0 } });
  });
});

test('an agent whose name is too long for a tool is listed by its id', async () => {
  const slug = 'a'.repeat(64);
  const agent = await publish({ slug });
  await withClient(connect(), async (client) => {
    const { tools } = await client.listTools();
    expect(tools.every(({ name }) => /^[\w-]{1,64}$/.test(name))).toBe(true);
    const result = await client.callTool({ name: agent.id, arguments: { input: told({ text: 'Long.' }) } });
    expect(textOf(result)).toBe('Long.');
  });
});

test('lists tools in pages, with cursors that cannot be forged', async () => {
  await stage.db.pool.query(COPIES, [poet.id]);
  await withClient(connect(), async (client) => {
    const first = await client.listTools({});
    const all = new Set(first.tools.map(({ name }) => name));
    expect(all.size).toBeGreaterThan(52);
    await expect(client.request({ method: 'tools/list', params: { cursor: 'abc' } })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

// Creates sixty more agents with the version of the first.
const COPIES = `
with made as (
  insert into agents (id, workspace_id, namespace, slug, draft)
  select 'agent_copy' || n, workspace_id, namespace, 'copy-' || n, draft from agents, generate_series(1, 60) n where id = $1 returning *)
insert into deployments (id, workspace_id, agent_id, version_id, visibility, status, activated_at, decided_at)
select 'dep_' || m.id, d.workspace_id, m.id, d.version_id, 'public', 'active', now(), now()
from made m, deployments d where d.agent_id = $1 and d.status = 'active'`;

test.each([
  ['*/*', 200, 'application/json'],
  ['application/json', 200, 'application/json'],
  ['application/*;q=0.8', 200, 'application/json'],
  ['application/json, text/event-stream', 200, 'text/event-stream'],
  ['text/event-stream', 200, 'text/event-stream'],
  ['text/event-stream;q=0, application/json', 200, 'application/json'],
  ['text/html', 406, 'application/json'],
])('a client of 2025 that accepts %s is answered with %i, %s', async (accept, status, type) => {
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'curl', version: '1' } };
  const ask = (method: string, params: object) =>
    stage.call('/v1/mcp', {
      key: stage.stranger.secret,
      headers: { accept },
      body: { jsonrpc: '2.0', id: 7, method, params },
    });
  const opened = await ask('initialize', client);
  expect([opened.status, opened.headers.get('content-type')?.split(';')[0]]).toEqual([status, type]);
  const text = await opened.text();
  if (status !== 200) return;
  const message = JSON.parse(type === 'application/json' ? text : /^data: (.*)$/m.exec(text)![1]!) as object;
  expect(message).toMatchObject({ jsonrpc: '2.0', id: 7, result: { serverInfo: { name: 'ledgerline' } } });
  const called = await ask('tools/call', {
    name: tool,
    arguments: { input: told({ text: 'Rain.', delayMs: 5 }) },
    _meta: { progressToken: 1 },
  });
  // Notifications precede the answer, only in a stream.
  expect([called.status, (await called.text()).includes('notifications/progress')]).toEqual([
    200,
    type === 'text/event-stream',
  ]);
});

test('a key without the scope agents gets no tools', async () => {
  const post = (key: string) =>
    stage.call('/v1/mcp', { key, body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } });
  expect((await post('sk_live_wrong')).status).toBe(401);
  expect((await post((await stage.account({ scopes: ['voice'] })).secret)).status).toBe(403);
  expect((await stage.call('/v1/mcp', { method: 'GET' })).status).toBe(405);
  expect((await stage.call('/v1/mcp', { method: 'DELETE' })).status).toBe(405);
});

test('the cost of calls is in the ledger, and the ledger check passes', async () => {
  const { violations } = await checkInvariants(stage.db.pool);
  expect(violations).toEqual([]);
});

test('a NUL is refused at each of the doors to agents, and is no fault of the service', async () => {
  const post = (path: string, body: object) =>
    stage.ask(path, { method: 'POST', headers: { authorization: `Bearer ${stage.stranger.secret}` }, body: JSON.stringify(body) }); // prettier-ignore
  const rpc = async (path: string, method: string, params: object) => {
    const body = (await (await post(path, { jsonrpc: '2.0', id: 1, method, params })).json()) as {
      error: { code: number };
    };
    return body.error.code;
  };
  const agent = poet.name;
  const message = { role: 'ROLE_USER', messageId: newId('req'), parts: [{ text: 'x\0' }] };
  expect([
    await rpc('/v1/mcp', 'tools/call', { name: `${tool}\0`, arguments: {} }),
    await rpc('/a2a', 'ListTasks', { contextId: 'a\0' }),
    await rpc('/a2a', 'GetTask', { id: 'a\0' }),
    await rpc('/a2a', 'SendMessage', { message, metadata: { agent } }),
  ]).toEqual([-32_602, -32_602, -32_602, -32_602]);
  await withClient(connect(), async (client) => {
    await expect(client.readResource({ uri: 'ledgerline://files/a\0' })).rejects.toThrow('There is no such file');
  });
  const chat = (members: object) => post('/v1/chat/completions', { model: agent, messages: [{ role: 'user', content: 'x' }], ...members }); // prettier-ignore
  for (const members of [{ user: 'a\0' }, { messages: [{ role: 'user', content: 'a\0' }] }])
    expect((await chat(members)).status).toBe(400);
});
