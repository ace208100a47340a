import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { createKey } from '../../../db/keys/keyStore.ts';
import { setPublisherStage, type AgentBody } from '../../api/publisher/publisherStage.ts';
import { call as toolCall, told } from '../../clients/agentCallStage.ts';
import { read } from '../../support/http.ts';
import { sharedSandbox } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';
import { startSite } from '../../tools/webStage.ts';

interface Call {
  headers: Record<string, string>;
  body: { id: string; run_id: string; tool: string; arguments: object; mode: string; agent: string; version: string };
}

interface Run {
  id: string;
  status: string;
  output: { text?: string }[];
  usage: { meters: { id: string; quantity: number; total_usd: number }[] };
}

interface Event {
  type: string;
  data: Record<string, unknown>;
}

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

let answer: (response: ServerResponse, call: Call) => void;
let received: Call[];
let bodies: string[];

const env = { WEBHOOK_LOOPBACK: 'on' };
const stage = await setPublisherStage({
  sandbox: await sharedSandbox(),
  env,
  webhookSending: { allowPrivate: 'loopback' },
});
const site = await startSite((request, response) => {
  void (async () => {
    const body = await text(request);
    const got = { headers: request.headers as Record<string, string>, body: JSON.parse(body) as Call['body'] };
    received.push(got);
    bodies.push(body);
    answer(response, got);
  })();
});
const { workspaceId } = stage.publisher;
const scopes = ['llm', 'publisher', 'agents'];
const caller = (await createKey(stage.db.everywhere, { workspaceId, name: 'caller', scopes })).secret;
afterAll(async () => {
  await site.stop();
  await stage.close();
});
beforeEach(() => {
  [received, bodies] = [[], []];
  answer = (response) => response.setHeader('content-type', 'application/json').end('{"state":"shipped"}');
});

const toolAt = (path: string, changes: object = {}) => ({
  name: 'find_order',
  description: 'Finds an order by its number.',
  input_schema: {
    type: 'object',
    properties: { order: { type: 'string' } },
    required: ['order'],
    additionalProperties: false,
  },
  url: `http://127.0.0.1:${site.port}${path}`,
  timeout_seconds: 20,
  ...changes,
});

const agentPath = ({ id }: { id: string }) => `/v1/publisher/agents/${id}`;

const secretOf = async (agent: { id: string }): Promise<string> =>
  (await read<{ secret: string }>(stage.call(`${agentPath(agent)}/http_tools/secret`, { method: 'POST' }), 200)).secret;

/** A private agent with the tools and a secret. */
async function deployed(tools: object[], changes: object = {}) {
  const agent = await stage.makeAgent({ tools: [], http_tools: tools, ...changes });
  const secret = await secretOf(agent);
  await read(stage.call(`${agentPath(agent)}/deploy-private`, { method: 'POST' }), 200);
  return { agent: agent.name, id: agent.id, secret };
}

const using = (name: string, args: object) =>
  told({ turns: [{ toolCalls: [toolCall(name, args)] }, { text: 'Your order is on its way.' }] });

const startRun = (agent: string, input: string) =>
  read<Run>(stage.call('/v1/runs', { key: caller, body: { agent, visibility: 'private', input } }), 202);

const readRun = (id: string) => read<Run>(stage.call(`/v1/runs/${id}`, { key: caller }), 200);

async function ended(id: string): Promise<Run> {
  const isOver = (status: string) => ['completed', 'failed', 'cancelled', 'limit_reached'].includes(status);
  await until(async () => isOver((await readRun(id)).status), { timeoutMs: 60_000 });
  return readRun(id);
}

const eventsOf = async (id: string): Promise<Event[]> => {
  const headers = { accept: 'application/json' };
  return (await read<{ data: Event[] }>(stage.call(`/v1/runs/${id}/events?limit=100`, { key: caller, headers }), 200))
    .data;
};

describe('a run', () => {
  test('calls the publisher’s code signed, shows its progress, and bills one call of a tool', async () => {
    answer = (response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.write('event: progress\ndata: {"message":"Looking it up","percentage":40}\n\n');
      response.end('event: result\ndata: {"result":{"state":"shipped"}}\n\n');
    };
    const { agent, secret } = await deployed([toolAt('/orders')]);
    const { id } = await startRun(agent, using('find_order', { order: 'A-1' }));
    const run = await ended(id);
    expect(run).toMatchObject({ status: 'completed', output: [{ text: 'Your order is on its way.' }] });
    expect(run.usage.meters.find((meter) => meter.id === 'tool_calls')).toMatchObject({ quantity: 1 });
    expect(received).toHaveLength(1);
    const [{ headers, body }] = received as [Call];
    expect(new Webhook(secret).verify(bodies[0]!, headers)).toBeTruthy();
    const known = { run_id: id, tool: 'find_order', arguments: { order: 'A-1' }, agent, mode: 'live' };
    expect(body).toMatchObject({ ...known, id: headers['idempotency-key'] });
    const events = await eventsOf(id);
    const step = events.find(({ type, data }) => type === 'run.step.completed' && data.name === 'find_order')!;
    expect(step.data).toMatchObject({ step_id: body.id, is_error: false, result_preview: '{"state":"shipped"}' });
    const [progress] = events.filter(({ type }) => type === 'run.tool.progress');
    expect(progress!.data).toEqual({
      step_id: body.id,
      attempt: 1,
      tool: 'find_order',
      message: 'Looking it up',
      percentage: 40,
    });
  });

  test('reads a refusal of the code as the tool’s error, and goes on', async () => {
    answer = (response) => response.writeHead(404).end('No such order.');
    const { agent } = await deployed([toolAt('/orders')]);
    const { id } = await startRun(agent, using('find_order', { order: 'B-2' }));
    expect((await ended(id)).status).toBe('completed');
    const failed = (await eventsOf(id)).find(({ type }) => type === 'run.step.failed')!;
    expect(failed.data).toMatchObject({
      reason: 'tool_error',
      message: 'The tool find_order answered 404: No such order.',
    });
  });

  test('that is cancelled ends the request', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (response) => void once(response, 'close').then(() => resolve());
    });
    const { agent } = await deployed([toolAt('/orders', { timeout_seconds: 600 })]);
    const { id } = await startRun(agent, using('find_order', { order: 'C-3' }));
    await until(() => received.length === 1);
    await read(stage.call(`/v1/runs/${id}/cancel`, { key: caller, body: { mode: 'immediate' } }), 202);
    expect((await ended(id)).status).toBe('cancelled');
    await closed;
  });
});

describe('the secret', () => {
  test('is shown once, and an earlier one signs for a day after a rotation', async () => {
    const { agent, id, secret } = await deployed([toolAt('/orders')]);
    expect(secret).toMatch(SECRET);
    const next = await secretOf({ id });
    const shown = await read<object>(stage.call(`${agentPath({ id })}/http_tools/secret`), 200);
    expect(JSON.stringify(shown)).not.toContain('whsec_');
    expect(shown).toMatchObject({ created_at: expect.any(String), previous_secret_expires_at: expect.any(String) });
    await ended((await startRun(agent, using('find_order', { order: 'A-1' }))).id);
    for (const one of [secret, next]) expect(new Webhook(one).verify(bodies[0]!, received[0]!.headers)).toBeTruthy();
    const { rows } = await stage.db.pool.query(
      `select action, detail::text from audit_entries where subject_id = $1 order by created_at`,
      [id],
    );
    expect(rows.map(({ action }) => action)).toEqual(['create_tool_secret', 'rotate_tool_secret']);
    const stored = await stage.db.pool.query('select secrets::text as text from agent_tool_secrets');
    expect(JSON.stringify([rows, stored.rows])).not.toContain(secret.slice(6));
  });

  test('is needed before the agent is deployed', async () => {
    const agent = await stage.makeAgent({ http_tools: [toolAt('/orders')] });
    const refused = await stage.call(`${agentPath(agent)}/deploy-private`, { method: 'POST' });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { error: { code: 'incomplete_configuration', param: 'configuration.http_tools' } },
    ]);
  });
});

describe('a test of a tool', () => {
  const testOf = (agent: { id: string }, body: object) => stage.call(`${agentPath(agent)}/http_tools/test`, { body });

  test('sends a signed call with the given arguments, and shows what was sent and received', async () => {
    const agent = await stage.makeAgent({ http_tools: [toolAt('/orders')] });
    const secret = await secretOf(agent);
    const shown = await read<{ id: string; request: { headers: Record<string, string>; body: string } }>(
      testOf(agent, { name: 'find_order', arguments: { order: 'A-1' } }),
      200,
    );
    expect(shown).toMatchObject({
      object: 'agent.http_tool_test',
      tool: 'find_order',
      request: { method: 'POST', url: `http://127.0.0.1:${site.port}/orders` },
      response: { status: 200, content_type: 'application/json', body: '{"state":"shipped"}', is_truncated: false },
      result: { text: '{"state":"shipped"}', is_error: false },
      progress: [],
    });
    expect(new Webhook(secret).verify(shown.request.body, shown.request.headers)).toBeTruthy();
    expect(received[0]!.body).toMatchObject({ id: shown.id, run_id: null, mode: 'test', version: 'draft' });
  });

  test('shows a failure without a retry', async () => {
    answer = (response) => response.writeHead(503).end('Busy.');
    const agent = await stage.makeAgent({ http_tools: [toolAt('/orders')] });
    await secretOf(agent);
    expect(await read(testOf(agent, { name: 'find_order', arguments: { order: 'A-1' } }), 200)).toMatchObject({
      response: { status: 503, body: 'Busy.' },
      result: { is_error: true },
    });
    expect(received).toHaveLength(1);
  });

  test.each([
    [{ name: 'other', arguments: {} }, 'name'],
    [{ name: 'find_order', arguments: { order: 7 } }, 'arguments.order'],
    [{ name: 'find_order', arguments: { order: 'A-1', more: 1 } }, 'arguments'],
  ])('of %j is refused', async (body, param) => {
    const agent = await stage.makeAgent({ http_tools: [toolAt('/orders')] });
    await secretOf(agent);
    const refused = await testOf(agent, body);
    expect([refused.status, await refused.json()]).toMatchObject([422, { error: { param } }]);
    expect(received).toEqual([]);
  });

  test('is refused when a workspace makes too many in a minute', async () => {
    const agent = await stage.makeAgent({ http_tools: [toolAt('/orders')] });
    await secretOf(agent);
    const { workspaceId } = stage.publisher;
    await stage.db.pool.query(
      `insert into http_tool_tests (id, workspace_id, agent_id, agent, tool, arguments)
       select 'htt_' || n, $1, $2, 'a/b', '{}', '{}' from generate_series(1, 20) n`,
      [workspaceId, agent.id],
    );
    const refused = await testOf(agent, { name: 'find_order', arguments: { order: 'A-1' } });
    expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: 'too_many_tool_tests' } }]);
    expect(refused.headers.get('retry-after')).toBe('30');
    await stage.db.pool.query('delete from http_tool_tests');
  });
});

test('a draft with tools is evaluated as it is tested', async () => {
  const { id } = await deployed([toolAt('/orders')]);
  const checks = [{ type: 'tool_called', tool: 'find_order' }];
  const cases = [{ name: 'Order', input: using('find_order', { order: 'A-1001' }), checks }];
  await read(stage.call(`${agentPath({ id })}/evaluation-set`, { method: 'PUT', body: { cases } }), 200);
  const started = stage.call(`${agentPath({ id })}/evaluation-runs`, {
    key: caller,
    body: {},
    headers: { prefer: 'wait=60' },
  });
  expect(await read(started, 200)).toMatchObject({ status: 'passed' });
});

describe('a public agent', () => {
  test('names the hosts that get data, to its callers and to its reviewers', async () => {
    const agent: AgentBody & { name: string } = await stage.makeAgent({ http_tools: [toolAt('/orders')] });
    await secretOf(agent);
    const { id } = await read<{ id: string }>(stage.submit(agent.id), 200);
    const host = `127.0.0.1:${site.port}`;
    const { review_feedback: feedback } = await stage.checked(id);
    const { message } = feedback.find(({ code }) => code === 'http_tool')!;
    expect(message).toContain(host);
    await read(stage.decide(id, 'approve'), 200);
    const shown = await read<object>(stage.call(`/v1/agents/${agent.name}`, { key: stage.stranger.secret }), 200);
    expect(shown).toMatchObject({
      http_tools: [{ name: 'find_order', description: 'Finds an order by its number.', host }],
      data_policy: { hosts: [host] },
    });
    expect(JSON.stringify(shown)).not.toContain('/orders');
  });
});
