import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../db/ids.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { collect } from '../support/streams.ts';
import { until } from '../support/until.ts';
import { asking, askingTogether, call, setAgentCallStage, told } from './agentCallStage.ts';
import { installNodeClients } from './nodeClients.ts';

/** Of `@a2a-js/sdk`: `any`, because its package is installed by the first run of the test. */
type Sdk = ReturnType<NodeJS.Require>;

const requireClient = await installNodeClients('agents');
const sdk = { ...requireClient('@a2a-js/sdk'), ...requireClient('@a2a-js/sdk/client') };
const states = sdk.TaskState;
const stage = await setAgentCallStage();
afterEach(() => stage.upstream.reset());
afterAll(() => stage.close());

const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const;

/** The official client, from the card at an address. The card is read without the key. */
function connect(
  binding: (typeof BINDINGS)[number],
  { path = `a2a/${stage.poet}/`, key = stage.stranger.secret } = {},
): Promise<Sdk> {
  const fetchImpl: typeof fetch = (url, init) =>
    fetch(url, { ...init, headers: { ...(init?.headers as object), authorization: `Bearer ${key}` } });
  const factory = new sdk.ClientFactory({
    transports: [new sdk.JsonRpcTransportFactory({ fetchImpl }), new sdk.RestTransportFactory({ fetchImpl })],
    preferredTransports: [binding],
  });
  return factory.createFromUrl(`${stage.url}/${path}`);
}

const partOf = ($case: string, value: unknown, mediaType: string) => ({
  content: { $case, value },
  filename: '',
  mediaType,
  metadata: undefined,
});
const text = (value: string) => partOf('text', value, 'text/plain');
const data = (value: object) => partOf('data', value, 'application/json');

function messageOf(parts: object[], members: object = {}) {
  const message = {
    messageId: newId('msg'),
    contextId: '',
    taskId: '',
    role: 1,
    parts,
    extensions: [],
    referenceTaskIds: [],
    metadata: undefined,
  };
  return { tenant: '', message: { ...message, ...members }, configuration: undefined, metadata: undefined };
}

const valueOf = (part: Sdk) => part.content.value;
const answerOf = ({ artifacts }: Sdk) => artifacts.flatMap((artifact: Sdk) => artifact.parts.map(valueOf));
const post = (path: string, body: object, key = stage.stranger.secret) => stage.call(path, { key, body });

describe.each(BINDINGS)('the official client over %s', (binding) => {
  test('runs an agent, billed as a run and once for each message', async () => {
    const client = await connect(binding);
    const message = messageOf([text(told({ text: 'Rain falls.' }))]);
    const task = await client.sendMessage(message);
    expect([task.status.state, answerOf(task)]).toEqual([states.TASK_STATE_COMPLETED, ['Rain falls.']]);
    const run = await stage.lastRun();
    expect(task).toMatchObject({
      id: run.id,
      contextId: run.session_id,
      metadata: { agent: stage.poet, settled: true },
    });
    expect(task.metadata.cost_usd).toBe(Number(run.total_nanos) / 1e9);
    expect(task.history[0]).toMatchObject({ messageId: message.message.messageId });
    expect((await client.sendMessage(message)).id).toBe(task.id);
    expect(await client.getTask({ tenant: '', id: task.id })).toMatchObject({ id: task.id });
    const { tasks, totalSize } = await client.listTasks({
      tenant: '',
      contextId: task.contextId,
      status: 0,
      pageToken: '',
      statusTimestampAfter: undefined,
    });
    expect([tasks.map(({ id }: Sdk) => id), totalSize]).toEqual([[task.id], 1]);
  });

  test('streams an answer in pieces that add up to it', async () => {
    const client = await connect(binding);
    const whole = 'word '.repeat(200).trim();
    const items = await collect<Sdk>(client.sendMessageStream(messageOf([text(told({ text: whole, delayMs: 2 }))])));
    expect(items[0].payload.$case).toBe('task');
    const artifacts = new Map<string, string>();
    for (const { payload } of items) {
      if (payload.$case !== 'artifactUpdate') continue;
      const { artifact, append } = payload.value;
      artifacts.set(
        artifact.artifactId,
        (append ? artifacts.get(artifact.artifactId)! : '') + valueOf(artifact.parts[0]),
      );
    }
    expect([...artifacts.values()]).toEqual([whole]);
    expect(items.filter(({ payload }) => payload.$case === 'artifactUpdate').length).toBeGreaterThan(1);
    expect(items.map(({ payload }) => payload.value.metadata?.cost_usd)).toContainEqual(expect.any(Number));
    expect(items.at(-1).payload.value.status.state).toBe(states.TASK_STATE_COMPLETED);
  });

  test('answers a question, and the task goes on', async () => {
    const client = await connect(binding);
    const asked = await client.sendMessage(messageOf([text(told(asking))]));
    expect(asked.status.state).toBe(states.TASK_STATE_INPUT_REQUIRED);
    expect(valueOf(asked.status.message.parts[0])).toBe('Which city?');
    const { id: taskId, contextId } = asked;
    const odd = client.sendMessage(messageOf([text('Ro\u0000me')], { taskId, contextId }));
    await expect(odd).rejects.toThrow('NUL');
    const reply = messageOf([text('Rome')], { taskId, contextId });
    const [first, ...rest] = await collect<Sdk>(client.sendMessageStream(reply));
    expect(first.payload.value.status.state).toBe(states.TASK_STATE_WORKING);
    expect(rest.at(-1).payload.value.status.state).toBe(states.TASK_STATE_COMPLETED);
    expect(answerOf(await client.sendMessage(reply))).toEqual(['Rome, then.']);
    const late = client.sendMessage(messageOf([text('Paris')], { taskId }));
    await expect(late).rejects.toThrow('does not wait for a message');
  });

  test('shows a form and an approval as data, and takes both', async () => {
    const client = await connect(binding, { path: `a2a/${stage.planner}/` });
    const { id: taskId, status } = await client.sendMessage(messageOf([text(told(askingTogether))]));
    const [question, shown] = status.message.parts.map(valueOf);
    expect(question).toMatch(/^Where to\?[^]*- city: City[^]*write_file/);
    expect(shown).toMatchObject({ required_actions: [{ type: 'form', schema: {} }, { type: 'tool_approval' }] });
    const reply = (part: object) => client.sendMessage(messageOf([part], { taskId }));
    await expect(reply(data({ type: 'form', data: {} }))).rejects.toThrow('city');
    expect((await reply(data({ city: 'Ulm' }))).status.state).toBe(states.TASK_STATE_INPUT_REQUIRED);
    expect(answerOf(await reply(text('Yes.')))).toContain('Booked.');
  });

  test('follows a task again, and cancels it', async () => {
    const client = await connect(binding);
    const slow = messageOf([text(told({ text: 'word '.repeat(2_000), delayMs: 50 }))]);
    let taskId: string | undefined;
    // Disconnects after the first piece: the task continues.
    for await (const { payload } of client.sendMessageStream(slow)) {
      if (payload.$case === 'task') taskId = payload.value.id;
      if (payload.$case === 'artifactUpdate') break;
    }
    const again = client.resubscribeTask({ tenant: '', id: taskId });
    const { value: current } = await again.next();
    expect(current.payload.value).toMatchObject({ id: taskId, status: { state: states.TASK_STATE_WORKING } });
    expect(answerOf(current.payload.value)[0]).toMatch(/^word /);
    await client.cancelTask({ tenant: '', id: taskId, metadata: undefined });
    const rest = await collect<Sdk>(again);
    expect(rest.at(-1).payload.value.status.state).toBe(states.TASK_STATE_CANCELED);
    await expect(client.cancelTask({ tenant: '', id: taskId, metadata: undefined })).resolves.toMatchObject({
      id: taskId,
    });
  });

  test('gets the protocol’s errors', async () => {
    const client = await connect(binding);
    const { id } = await client.sendMessage(messageOf([text(told({ text: 'Rain.' }))]));
    const other = await connect(binding, { key: stage.publisher.secret });
    await expect(other.getTask({ tenant: '', id })).rejects.toMatchObject({ name: 'TaskNotFoundError' });
    await expect(client.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toMatchObject({
      name: 'TaskNotCancelableError',
    });
    await expect(collect(client.resubscribeTask({ tenant: '', id }))).rejects.toThrow('has ended');
    const push = { tenant: '', id: 'p', taskId: id, url: 'http://127.0.0.1:1/', token: '', authentication: undefined };
    const transport = client.transport;
    await expect(transport.createTaskPushNotificationConfig(push, { serviceParameters: {} })).rejects.toMatchObject({
      name: 'PushNotificationNotSupportedError',
    });
    const dear = { ...messageOf([text('x')]), metadata: { max_cost_usd: 1000 } };
    await expect(client.sendMessage(dear)).rejects.toThrow('metadata.max_cost_usd');
  });
});

test('a typed agent takes and returns data, files are parts', async () => {
  const client = await connect('JSONRPC', { path: `a2a/${stage.forecaster}/` });
  stage.upstream.script({ toolCalls: [call('return_data', { rain: 0.4 })] });
  const task = await client.sendMessage(messageOf([data({ city: 'Rome' })]));
  expect(answerOf(task)).toEqual([{ rain: 0.4 }]);
  await expect(client.sendMessage(messageOf([data({ town: 'Rome' })]))).rejects.toThrow(
    /message\.parts\.0\.data\.city/,
  );
  stage.upstream.script({
    turns: [
      { toolCalls: [call('read_file', { path: 'note.md' })] },
      { toolCalls: [call('write_file', { path: 'poem.md', content: '# Rain' })] },
      { text: 'Written.' },
    ],
  });
  const poet = await connect('JSONRPC');
  const raw = {
    content: { $case: 'raw', value: Buffer.from('Be brief.') },
    filename: 'note.md',
    mediaType: 'text/markdown',
    metadata: undefined,
  };
  const written = await poet.sendMessage(messageOf([text('Write.'), raw]));
  const [file] = written.artifacts.find(({ name }: Sdk) => name === 'poem.md').parts;
  expect([file.filename, file.mediaType, valueOf(file).toString()]).toEqual(['poem.md', 'text/markdown', '# Rain']);
  const foreign = {
    content: { $case: 'url', value: 'http://127.0.0.1:1/x' },
    filename: '',
    mediaType: '',
    metadata: undefined,
  };
  await expect(poet.sendMessage(messageOf([text('x'), foreign]))).rejects.toThrow('no other address is fetched');
});

describe('cards', () => {
  test('are read without a key: the platform’s has the agents as skills', async () => {
    const read = async (path: string) => {
      const response = await fetch(stage.url + path);
      return { status: response.status, card: (await response.json()) as Sdk };
    };
    const { card } = await read('/.well-known/agent-card.json');
    expect(card.skills.map(({ id }: Sdk) => id)).toContain(stage.poet);
    const own = await read(`/a2a/${stage.poet}/.well-known/agent-card.json`);
    expect(own.card.supportedInterfaces).toEqual(
      BINDINGS.map((protocolBinding) => ({
        url: `${stage.url}/a2a/${stage.poet}`,
        protocolBinding,
        protocolVersion: '1.0',
      })),
    );
    expect((await read(`/v1/agents/${stage.poet}/card`)).card).toEqual(own.card);
    expect((await read('/a2a/nobody/none/.well-known/agent-card.json')).status).toBe(404);
  });

  test.each(BINDINGS)('the platform’s own address runs the agent that a message names (%s)', async (binding) => {
    const client = await connect(binding, { path: '' });
    const message = messageOf([text(told({ text: 'Rain.' }))]);
    const task = await client.sendMessage({ ...message, metadata: { agent: stage.poet } });
    expect(answerOf(task)).toEqual(['Rain.']);
    await expect(client.sendMessage(messageOf([text('x')]))).rejects.toThrow('metadata.agent');
  });
});

test('refuses in the forms of the bindings', async () => {
  const base = `/a2a/${stage.poet}`;
  const rpc = async (body: object) => ((await (await post(base, body)).json()) as Sdk).error.code;
  expect(await rpc({ jsonrpc: '2.0', id: 1, method: 'message/send', params: {} })).toBe(-32601);
  expect(await rpc({ id: 1, method: 'GetTask' })).toBe(-32600);
  expect(await rpc({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: {} })).toBe(-32602);
  const old = await stage.call(`${base}/tasks`, { key: stage.stranger.secret, headers: { 'a2a-version': '0.3' } });
  expect([old.status, await old.json()]).toMatchObject([
    400,
    { error: { details: [{ reason: 'VERSION_NOT_SUPPORTED' }] } },
  ]);
  expect((await stage.call(`${base}/tasks`, { key: 'sk_live_wrong' })).status).toBe(401);
  expect((await stage.call('/a2a/nobody/none/tasks', { key: stage.stranger.secret })).status).toBe(404);
  const raw = Buffer.from('d0cf11e0a1b11ae1', 'hex').toString('base64');
  const message = { messageId: 'm2', parts: [{ text: 'x' }, { raw, filename: 'a.xls' }] };
  const binary = await post(`${base}/message:send`, { message });
  expect([binary.status, await binary.json()]).toMatchObject([
    415,
    {
      error: {
        message: expect.stringMatching(/^'a\.xls' is .* convert it to XLSX/),
        details: [{ reason: 'CONTENT_TYPE_NOT_SUPPORTED', metadata: { param: 'message.parts.1.raw' } }],
      },
    },
  ]);
  expect(await rpc({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } })).toBe(-32005);
  const poor = await stage.account({ scopes: ['llm'], creditUsd: '0' });
  const broke = await post(
    `${base}/message:send`,
    { message: { messageId: 'm1', parts: [{ text: 'x' }] } },
    poor.secret,
  );
  expect([broke.status, await broke.json()]).toMatchObject([
    402,
    { error: { details: [{ metadata: { code: 'insufficient_balance' } }] } },
  ]);
});

test('tasks keep the ledger sound, and none is left open', async () => {
  await until(async () => (await stage.db.pool.query('select 1 from runs where settled_at is null')).rowCount === 0);
  await expectSoundLedger(stage.db);
});
