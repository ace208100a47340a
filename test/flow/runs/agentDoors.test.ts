import { expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { newId } from '../../../db/ids.ts';
import { makeAccount } from '../../support/account.ts';
import { publishAgent } from '../../support/agent.ts';
import { ask } from '../../support/guardStage.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';
import { openWebhookStage } from '../stages/webhookStage.ts';

const stage = await openWebhookStage();

const told = (text: string) => JSON.stringify({ scripted: { text } });
const REASON = 'A source of its answers is gone.';
const PUBLISHER = '/v1/publisher/agents';

interface ErrorBody {
  error: { code: string | number; message: string };
}

async function account(scopes: string[]) {
  const made = await makeAccount(stage.db, { scopes, creditUsd: '100' });
  const send = (
    path: string,
    body?: object,
    method = body ? 'POST' : 'GET',
    headers: Record<string, string> = {},
    signal = new AbortController().signal,
  ) =>
    ask(stage.api.url, path, {
      method,
      signal,
      headers: { authorization: `Bearer ${made.secret}`, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const read = async <Answer>(path: string, body?: object, method?: string): Promise<Answer> => {
    const response = await send(path, body, method);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  return { ...made, send, read };
}

type Account = Awaited<ReturnType<typeof account>>;

/** A publisher with a public agent, and a caller. */
async function setParties() {
  const [publisher, caller] = [await account(['llm', 'publisher']), await account(['llm'])];
  await stage.db.pool.query(
    `insert into namespaces (name, workspace_id, provider_name) values ('test', $1, 'Test') on conflict do nothing`,
    [publisher.workspaceId],
  );
  const name = await publishAgent(stage.db, {}, publisher);
  const { data } = await publisher.read<{ data: { id: string }[] }>(PUBLISHER);
  return { publisher, caller, name, path: `${PUBLISHER}/${data[0]!.id}`, agentId: data[0]!.id };
}

/** A second approved version of the agent, which its channel names. */
async function addVersion({ publisher, agentId }: Awaited<ReturnType<typeof setParties>>): Promise<string> {
  const id = newId('aver');
  await stage.db.pool.query(
    `with version as (
       insert into agent_versions (id, workspace_id, agent_id, number, label, source_revision, configuration)
       select $1, workspace_id, agent_id, 2, '2026-02-02', 1, configuration from agent_versions where agent_id = $3)
     insert into deployments (id, workspace_id, agent_id, version_id, visibility, status, activated_at, decided_at)
     values ($4, $2, $3, $1, 'public', 'superseded', now() - interval '1 day', now())`,
    [id, publisher.workspaceId, agentId, newId('dep')],
  );
  return id;
}

async function callTool({ secret }: Account, name: string, text: string) {
  const requestInit = { headers: { authorization: `Bearer ${secret}` } };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${stage.api.url}/v1/mcp`), { requestInit }));
  try {
    return await client.callTool({ name: name.replace('/', '__'), arguments: { input: text } });
  } finally {
    await client.close();
  }
}

const message = (text: string) => ({
  message: { messageId: newId('m'), role: 'ROLE_USER', parts: [{ text }] },
});
const wait = { prefer: 'wait=30' };
const chat = (model: string, text: string) => ({ model, messages: [{ role: 'user', content: text }] });

/** Orders at every door that answer with an HTTP error. `agent` is what an order names. */
const DOORS: Record<string, (by: Account, agent: string) => Promise<Response>> = {
  runs: (by, agent) => by.send('/v1/runs', { agent, input: told('Rain.') }, 'POST', wait),
  quotes: (by, agent) => by.send('/v1/runs/quote', { agent, input: told('Rain.') }),
  schedules: (by, agent) => by.send('/v1/schedules', { every_seconds: 86_400, run: { agent, input: told('Rain.') } }),
  chats: (by, agent) => by.send('/textapi/v1/chat/completions', chat(agent, told('Rain.'))),
  streams: (by, agent) => by.send('/textapi/v1/chat/completions', { ...chat(agent, told('Rain.')), stream: true }),
  responses: (by, agent) => by.send('/textapi/v1/responses', { model: agent, input: told('Rain.') }),
  a2a: (by, agent) => by.send(`/a2a/${agent}/message:send`, message(told('Rain.'))),
  platformA2a: (by, agent) => by.send('/a2a/message:send', { ...message(told('Rain.')), metadata: { agent } }),
};

const versionsRun = async ({ agentId }: { agentId: string }) =>
  (
    await stage.db.pool.query<{ version_id: string }>(
      'select version_id from runs where agent_id = $1 order by created_at desc',
      [agentId],
    )
  ).rows.map(({ version_id: id }) => id);

test('one spelling names a channel at every door, and the channel’s version runs', async () => {
  const parties = await setParties();
  const { publisher, caller, name, path } = parties;
  const beta = await addVersion(parties);
  expect((await DOORS.runs!(caller, `${name}@beta`)).status).toBe(404);
  await publisher.read(`${path}/channels/beta`, { version_id: beta }, 'PUT');
  for (const [door, order] of Object.entries(DOORS)) {
    const before = (await versionsRun(parties)).length;
    const response = await order(caller, `${name}@beta`);
    const text = await response.text();
    expect([door, response.ok, text]).toEqual([door, true, text]);
    if (door === 'quotes') expect(JSON.parse(text)).toMatchObject({ version_id: beta, agent: name });
    if (door === 'schedules') expect(JSON.parse(text)).toMatchObject({ run: { agent: `${name}@beta` } });
    const after = await versionsRun(parties);
    expect([door, after.slice(0, after.length - before)]).toEqual([
      door,
      door === 'quotes' || door === 'schedules' ? [] : [beta],
    ]);
  }
  expect(await callTool(caller, `${name}@beta`, told('Rain.'))).toMatchObject({
    structuredContent: { text: 'Rain.', status: 'completed' },
  });
  await expect(callTool(caller, `${name}@nothing`, told('Rain.'))).rejects.toThrow('There is no tool');
  expect((await versionsRun(parties))[0]).toBe(beta);
  await DOORS.runs!(caller, `${name}@stable`);
  expect((await versionsRun(parties))[0]).not.toBe(beta);

  const both = await caller.send('/v1/runs', { agent: `${name}@beta`, version: '2026-01-01', input: 'Hi.' });
  expect(await both.json()).toMatchObject({ error: { param: 'version' } });
  const other = await caller.send('/v1/runs', { agent: name, version: 'beta', input: 'Hi.' });
  expect(await other.json()).toMatchObject({ error: { param: 'version', message: expect.stringContaining('@beta') } });
  const quote = await caller.read<{ id: string }>('/v1/runs/quote', { agent: `${name}@beta`, input: told('Rain.') });
  const quoted = { agent: `${name}@beta`, input: told('Rain.'), quote_id: quote.id };
  expect(await caller.read('/v1/runs', quoted)).toMatchObject({ version_id: beta });
});

test('a call of an agent as a model that is repeated under its idempotency key is one run', async () => {
  const { caller, name } = await setParties();
  const asked = { model: name, messages: [{ role: 'user', content: told('Once.') }] };
  for (const [path, body] of [
    ['/v1/chat/completions', asked],
    ['/v1/chat/completions', { ...asked, stream: true }],
    ['/v1/responses', { model: name, input: told('Once.') }],
  ] as const) {
    const key = newId('key');
    const send = (sent: object) => caller.send(path, sent, 'POST', { 'idempotency-key': key });
    const answers = [...(await Promise.all([send(body), send(body)])), await send(body)];
    for (const answer of answers) expect(await answer.text()).toContain('Once.');
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(2);
    expect((await send({ ...body, user: 'another' })).status).toBe(409);
  }
  const { data } = await caller.read<{ data: object[] }>('/v1/runs');
  expect(data).toHaveLength(3);
});

test('a run of two connections under one idempotency key is cancelled by the last that disconnects', async () => {
  const { caller, name } = await setParties();
  const slow = JSON.stringify({ scripted: { fault: 'endless', delayMs: 20 } });
  const connect = async (key: string) => {
    const leaving = new AbortController();
    const body = { model: name, stream: true, messages: [{ role: 'user', content: slow }] };
    const headers = { 'idempotency-key': key };
    const response = await caller.send('/v1/chat/completions', body, 'POST', headers, leaving.signal);
    const parts = response.body!.getReader();
    await parts.read();
    return { parts, leave: () => leaving.abort(), path: response.headers.get('location')! };
  };
  const key = newId('key');
  const [first, second] = [await connect(key), await connect(key)];
  expect(second.path).toBe(first.path);
  first.leave();
  for (let read = 0; read < 10; read += 1) expect((await second.parts.read()).done).toBe(false);
  expect(await caller.read(first.path)).toMatchObject({ status: 'in_progress', cancel_requested_at: null });
  second.leave();
  await until(async () => (await caller.read<{ status: string }>(first.path)).status === 'cancelled');
});

test.each([
  ['an automatic retry', (count: string) => ({ 'x-stainless-retry-count': count })],
  ['a retry under an idempotency key', (_count: string, key: string) => ({ 'idempotency-key': key })],
])(
  '%s of a call of an agent as a model gets the answer of its first try, which is one run',
  async (_retry, headersOf) => {
    const { caller, name } = await setParties();
    const asked = { model: name, messages: [{ role: 'user', content: told('Retried.') }] };
    const countRuns = async () => (await caller.read<{ data: object[] }>('/v1/runs')).data.length;
    for (const [index, [path, body]] of [
      ['/v1/chat/completions', asked] as const,
      ['/v1/chat/completions', { ...asked, stream: true }] as const,
      ['/v1/responses', { model: name, input: told('Retried.') }] as const,
      ['/v1/responses', { model: name, input: told('Retried.'), stream: true }] as const,
    ].entries()) {
      const leaving = new AbortController();
      const key = newId('key');
      const lost = caller.send(path, body, 'POST', headersOf('0', key), leaving.signal);
      await until(async () => (await countRuns()) > index);
      // A stream has less time: its first try is read to its end here, beside the retries.
      if (!('stream' in body)) leaving.abort();
      const first = lost.then((answer) => answer.text()).catch(() => 'disconnected');
      const retries = await Promise.all(
        ['1', '2'].map((count) => caller.send(path, body, 'POST', headersOf(count, key))),
      );
      const texts = await Promise.all(retries.map((retry) => retry.text()));
      expect(texts[0]).toContain('Retried.');
      expect(texts[1]).toBe(texts[0]);
      expect([texts[0], 'disconnected']).toContain(await first);
      expect(new Set(retries.map(({ headers }) => headers.get('location'))).size).toBe(1);
      expect(retries.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(['true', 'true']);
    }
    const { data } = await caller.read<{ data: { status: string }[] }>('/v1/runs');
    expect(data.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
  },
);

test('an agent that is taken down refuses at every door with its publisher’s text, and comes back', async () => {
  const { publisher, caller, name, path } = await setParties();
  await publisher.read(`${path}/take-down`, { message: REASON });
  for (const [door, order] of Object.entries(DOORS)) {
    const response = await order(caller, name);
    const { error } = (await response.json()) as ErrorBody;
    expect([door, response.status, error.message.includes(REASON)]).toEqual([door, 409, true]);
    if (!door.includes('2a')) expect([door, error.code]).toEqual([door, 'agent_taken_down']);
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message(told('Rain.')) };
  const rpc = await caller.read<ErrorBody>(`/a2a/${name}`, call);
  expect(rpc.error).toMatchObject({ code: expect.any(Number), message: expect.stringContaining(REASON) });
  expect(await callTool(caller, name, told('Rain.'))).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: expect.stringContaining(`agent_taken_down: The agent '${name}'`) }],
  });
  const seen = await caller.read(`/v1/agents/${name}`);
  expect(seen).toMatchObject({ status: 'taken_down', taken_down: { message: REASON } });
  const listed = await caller.read<{ data: { id: string }[] }>('/v1/agents?limit=100');
  expect(listed.data.map(({ id }) => id)).not.toContain(name);
  await publisher.read(`${path}/restore`, {});
  expect((await DOORS.runs!(caller, name)).status).toBe(200);
});

test('a deprecated agent says so on each order, and after its date names its successor', async () => {
  const { publisher, caller, name, path, agentId } = await setParties();
  const successor = await publishAgent(stage.db, {}, publisher);
  const sunset = new Date('2099-01-31T00:00:00Z');
  const order = { sunset_at: sunset.toISOString(), successor, message: 'It moves.' };
  const refusedOf = async (body: object) => {
    const response = await publisher.send(`${path}/deprecate`, { ...order, ...body });
    return [response.status, ((await response.json()) as { error: { param: string } }).error.param];
  };
  expect(await refusedOf({ successor: 'test/nobody' })).toEqual([422, 'successor']);
  expect(await refusedOf({ successor: name })).toEqual([422, 'successor']);
  expect(await refusedOf({ sunset_at: new Date().toISOString() })).toEqual([422, 'sunset_at']);
  expect(await publisher.read(`${path}/deprecate`, order)).toMatchObject({ deprecation: { successor } });
  for (const [door, place] of Object.entries(DOORS)) {
    const { headers } = await place(caller, name);
    expect([door, headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([
      door,
      expect.stringMatching(/^@\d{10}$/),
      sunset.toUTCString(),
      `</v1/agents/${successor}>; rel="successor-version"`,
    ]);
  }
  expect(await caller.read(`/v1/agents/${name}`)).toMatchObject({ status: 'available', deprecation: { successor } });
  await stage.db.pool.query('update agents set sunset_at = now() where id = $1', [agentId]);
  for (const [door, place] of Object.entries(DOORS)) {
    const response = await place(caller, name);
    const { error } = (await response.json()) as ErrorBody;
    expect([door, response.status, error.message.includes(`Use '${successor}' instead.`)]).toEqual([door, 409, true]);
  }
  expect(await caller.read(`/v1/agents/${name}`)).toMatchObject({ status: 'retired' });
});

test('of 20 orders that come with a take-down each is a run that completes or a refusal', async () => {
  const { publisher, caller, name, path, agentId } = await setParties();
  const orders = Array.from({ length: 20 }, (_, at) =>
    at === 7
      ? publisher.send(`${path}/take-down`, { message: REASON })
      : caller.send('/v1/runs', { agent: name, input: told('Rain.') }, 'POST', wait),
  );
  const answers = await Promise.all((await Promise.all(orders)).map(async (one) => [one.status, await one.json()]));
  const [down] = answers.splice(7, 1);
  expect(down).toMatchObject([200, { taken_down: { message: REASON } }]);
  const ran = answers.filter(([status]) => status === 200);
  const refused = answers.filter(([status]) => status === 409);
  expect(ran.length + refused.length).toBe(19);
  for (const [, run] of ran) expect(run).toMatchObject({ status: 'completed' });
  for (const [, error] of refused) expect(error).toMatchObject({ error: { code: 'agent_taken_down' } });
  const { rows } = await stage.db.pool.query('select status from runs where agent_id = $1', [agentId]);
  expect(rows).toEqual(ran.map(() => ({ status: 'completed' })));
  await expectSoundLedger(stage.db);
});
