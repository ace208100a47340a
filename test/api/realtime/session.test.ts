import { afterAll, describe, expect, test } from '@jest/globals';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { limitProjectOf } from '../../support/limitedProject.ts';
import { socketAt, type SocketEvent, type TestSocket } from '../../support/webSocket.ts';

const path = '/textapi/v1/realtime?model=gpt-realtime';

const stage = await setGuardStage();
afterAll(() => stage.close());

const textOnly = { type: 'realtime', output_modalities: ['text'], audio: { input: { turn_detection: null } } };

async function begin(
  session: object | null = textOnly,
  account = stage.account(),
): Promise<TestSocket & { keyId: string }> {
  const { secret, keyId } = await account;
  const socket = await socketAt(stage.url, path, { key: secret });
  await socket.next('session.created');
  if (session) {
    socket.send({ type: 'session.update', session });
    await socket.next('session.updated');
  }
  return { ...socket, keyId };
}

/** Adds a user's message that tells the upstream what to answer. */
const say = (socket: TestSocket, script: object, more: object = {}) =>
  socket.send({
    type: 'conversation.item.create',
    item: {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: JSON.stringify({ scripted: script }) }],
    },
    ...more,
  });

const response = (event: SocketEvent) => event.response as Record<string, never> & { status: string; usage: object };

async function billed(keyId: string) {
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query(
    'select id, status, usage, cost_nanos from requests where key_id = $1 order by id',
    [keyId],
  );
  return rows as { id: string; status: number; usage: Record<string, number>; cost_nanos: string }[];
}

test('a written answer comes in the vendor’s order, with its usage, and is one paid call', async () => {
  const socket = await begin();
  say(socket, { text: 'four five six' });
  socket.send({ type: 'response.create' });
  const done = response(await socket.next('response.done'));
  expect(done).toMatchObject({ status: 'completed', usage: { output_tokens: 3, output_characters: 0 } });
  const types = socket.events.map(({ type }) => type).filter((type) => !type.endsWith('.delta'));
  expect(types).toEqual([
    'session.created',
    'session.updated',
    'conversation.item.added',
    'conversation.item.done',
    'rate_limits.updated',
    'response.created',
    'response.output_item.added',
    'conversation.item.added',
    'response.content_part.added',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'conversation.item.done',
    'response.done',
  ]);
  expect(
    socket.events
      .filter(({ type }) => type === 'response.output_text.delta')
      .map(({ delta }) => delta)
      .join(''),
  ).toBe('four five six');
  expect(new Set(socket.events.map(({ event_id }) => event_id)).size).toBe(socket.events.length);
  const [bill] = await billed(socket.keyId);
  expect(bill).toMatchObject({ status: 200, usage: { output_tokens: 3 } });
  expect(bill!.id).toBe(`${String(socket.headers['x-request-id'])}n1`);
  socket.ws.close();
});

test('a spoken answer is sound at 24 kHz with its transcript, billed by tokens and characters', async () => {
  const socket = await begin(null);
  const text = 'One two three. Four five six.';
  say(socket, { text });
  socket.send({ type: 'response.create' });
  const done = response(await socket.next('response.done'));
  expect(done).toMatchObject({
    status: 'completed',
    output: [{ content: [{ type: 'output_audio', transcript: text }] }],
    usage: { output_characters: text.length },
  });
  const deltas = socket.events.filter(({ type }) => type === 'response.output_audio.delta');
  const bytes = deltas.reduce((sum, { delta }) => sum + Buffer.from(delta as string, 'base64').length, 0);
  // Between one and six seconds.
  expect(bytes).toBeGreaterThan(48_000);
  expect(bytes).toBeLessThan(6 * 48_000);
  // The first sentence is heard before the second is said.
  const spoken = socket.events.filter(({ type }) => /audio(_transcript)?\.delta$/.test(type)).map(({ type }) => type);
  expect(spoken.lastIndexOf('response.output_audio_transcript.delta')).toBeGreaterThan(
    spoken.indexOf('response.output_audio.delta'),
  );
  const [bill] = await billed(socket.keyId);
  expect(bill!.usage).toMatchObject({ output_characters: text.length });
  expect(BigInt(bill!.cost_nanos)).toBe(BigInt(text.length) * 15_000n + BigInt(bill!.usage.output_tokens!) * 2_500n);
  socket.ws.close();
});

test('a truncated answer keeps only what was heard of it', async () => {
  const socket = await begin(null);
  say(socket, { text: 'One two three. Four five six.' });
  socket.send({ type: 'response.create' });
  const { id } = (response(await socket.next('response.done')).output as unknown as { id: string }[])[0]!;
  socket.send({ type: 'conversation.item.truncate', item_id: id, content_index: 0, audio_end_ms: 60_000 });
  expect((await socket.next('error')).error).toMatchObject({ param: 'audio_end_ms' });
  socket.send({ type: 'conversation.item.truncate', item_id: id, content_index: 0, audio_end_ms: 700 });
  await socket.next('conversation.item.truncated');
  socket.send({ type: 'conversation.item.retrieve', item_id: id });
  const { item } = (await socket.next('conversation.item.retrieved')) as unknown as {
    item: { content: { transcript: string }[] };
  };
  expect('One two three.'.startsWith(item.content[0]!.transcript.trim())).toBe(true);
  socket.ws.close();
});

describe('a refused event is an error with the client’s id, and changes nothing', () => {
  test.each([
    [{ audio: { input: { turn_detection: { type: 'semantic_vad' } } } }, 'session.audio.input.turn_detection.type'],
    [{ audio: { input: { format: { type: 'audio/pcmu' } } } }, 'session.audio.input.format'],
    [{ audio: { output: { format: { type: 'audio/pcma' } } } }, 'session.audio.output.format'],
    [{ audio: { input: { noise_reduction: { type: 'near_field' } } } }, 'session.audio.input.noise_reduction'],
    [{ prompt: { id: 'pmpt_1' } }, 'session.prompt'],
    [{ colour: 'red' }, 'session.colour'],
  ])('unsupported_parameter for %j', async (members, param) => {
    const socket = await begin(null);
    socket.send({
      type: 'session.update',
      event_id: 'mine',
      session: { type: 'realtime', instructions: 'x', ...members },
    });
    expect((await socket.next('error')).error).toMatchObject({
      code: 'unsupported_parameter',
      param,
      event_id: 'mine',
    });
    socket.send({ type: 'session.update', session: { type: 'realtime' } });
    expect((await socket.next('session.updated')).session).toMatchObject({ instructions: '' });
    socket.ws.close();
  });

  test.each<[object | string, object]>([
    ['not json', { code: 'invalid_json' }],
    [{}, { code: 'missing_required_parameter', param: 'type' }],
    [{ type: 'response.make' }, { code: 'invalid_value', param: 'type' }],
    [{ type: 'output_audio_buffer.clear' }, { param: 'type', message: expect.stringMatching(/^Uns.* event is/) }],
    [{ type: 'input_audio_buffer.commit' }, { code: 'input_audio_buffer_commit_empty' }],
    [
      { type: 'conversation.item.delete', item_id: 'item_none' },
      { code: 'item_not_found', param: 'item_id' },
    ],
    [{ type: 'response.cancel' }, { code: 'response_cancel_not_active' }],
    [{ type: 'session.update', session: { type: 'transcription' } }, { param: 'session.type' }],
    [{ type: 'session.update', session: { type: 'realtime', model: 'ledgerline-text-1' } }, { param: 'session.model' }],
  ])('%j', async (event, error) => {
    const socket = await begin();
    socket.send(event);
    expect((await socket.next('error')).error).toMatchObject(error);
    say(socket, { text: 'on' });
    socket.send({ type: 'response.create' });
    expect(response(await socket.next('response.done')).status).toBe('completed');
    socket.ws.close();
  });
});

test('a tool is called by the model, and its output is part of the next answer', async () => {
  const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } }];
  const socket = await begin({ ...textOnly, tools });
  say(socket, { toolCalls: [{ name: 'weather', arguments: '{"city":"Oslo"}' }] });
  socket.send({ type: 'response.create' });
  const called = await socket.next('response.function_call_arguments.done');
  expect(called).toMatchObject({ name: 'weather', arguments: '{"city":"Oslo"}' });
  const done = response(await socket.next('response.done'));
  expect(done.output).toMatchObject([{ type: 'function_call', call_id: called.call_id }]);
  socket.send({
    type: 'conversation.item.create',
    item: { type: 'function_call_output', call_id: called.call_id, output: 'Heavy rain.' },
  });
  say(socket, { text: 'It rains.' });
  socket.send({ type: 'response.create' });
  await socket.next('response.done');
  const asked = stage.upstream.lastMessages();
  expect(asked).toMatchObject([{}, { role: 'assistant' }, { role: 'tool', content: 'Heavy rain.' }, {}]);
  expect(socket.events.filter(({ type }) => type === 'error')).toEqual([]);
  socket.ws.close();
});

test('a response out of band runs beside the conversation and leaves no trace in it', async () => {
  const socket = await begin();
  const input = [
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: JSON.stringify({ scripted: { text: 'aside' } }) }],
    },
  ];
  socket.send({ type: 'response.create', response: { conversation: 'none', input, metadata: { topic: 'a' } } });
  const done = response(await socket.next('response.done'));
  expect(done).toMatchObject({ conversation_id: null, metadata: { topic: 'a' } });
  expect(socket.events.some(({ type }) => type.startsWith('conversation.item'))).toBe(false);
  socket.ws.close();
});

test('a cancelled answer ends at once and is billed for what was written', async () => {
  const socket = await begin();
  say(socket, { text: 'word '.repeat(2_000), delayMs: 10 });
  socket.send({ type: 'response.create' });
  await socket.next('response.output_text.delta');
  socket.send({ type: 'response.create', event_id: 'second' });
  expect((await socket.next('error')).error).toMatchObject({
    code: 'conversation_already_has_active_response',
    event_id: 'second',
  });
  socket.send({ type: 'response.cancel' });
  const done = response(await socket.next('response.done'));
  expect(done).toMatchObject({ status: 'cancelled', status_details: { reason: 'client_cancelled' } });
  const [bill] = await billed(socket.keyId);
  expect(bill!.usage.output_tokens).toBeGreaterThan(0);
  expect(bill!.usage.output_tokens).toBeLessThan(2_000);
  socket.ws.close();
});

describe('money', () => {
  test('a client that leaves pays for what was written, and nothing stays held', async () => {
    const socket = await begin();
    say(socket, { text: 'word '.repeat(2_000), delayMs: 10 });
    socket.send({ type: 'response.create' });
    for (let at = 0; at < 5; at++) await socket.next('response.output_text.delta');
    socket.ws.terminate();
    let bills = await billed(socket.keyId);
    while (bills.length === 0) bills = await billed(socket.keyId);
    expect(bills[0]).toMatchObject({ status: 499 });
    expect(bills[0]!.usage.output_tokens).toBeGreaterThanOrEqual(5);
  });

  test('input is settled for each ten seconds, and what is left when the client leaves', async () => {
    const socket = await begin();
    const second = Buffer.alloc(48_000).toString('base64');
    for (let at = 0; at < 12; at++) socket.send({ type: 'input_audio_buffer.append', audio: second });
    socket.send({ type: 'input_audio_buffer.clear' });
    await socket.next('input_audio_buffer.cleared');
    socket.ws.close();
    await socket.closed;
    let bills = await billed(socket.keyId);
    while (bills.length < 2) bills = await billed(socket.keyId);
    expect(bills.map(({ usage }) => Math.round(usage.audio_minutes! * 60_000))).toEqual([10_000, 2_000]);
    expect(bills.map(({ cost_nanos }) => BigInt(cost_nanos))).toEqual([1_000_000n, 200_000n]);
    // A client that closes its socket has sent all of its sound: nothing was cut short.
    expect(bills.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('where the money ends the socket says so and closes with 1008', async () => {
    const socket = await begin(textOnly, stage.account({ balanceNanos: 2_000n }));
    const second = Buffer.alloc(48_000).toString('base64');
    socket.send({ type: 'input_audio_buffer.append', audio: second });
    expect((await socket.next('error')).error).toMatchObject({ type: 'billing_error', code: 'insufficient_balance' });
    expect((await socket.closed).code).toBe(1008);
  });

  test.each([
    ['key', () => stage.account({ spendLimitNanos: 200_000n, spendLimitPeriod: 'daily' })],
    ['project', async () => limitProjectOf(stage.db, await stage.account(), 200_000n)],
  ] as const)('a %s at its ceiling ends an answer with its name', async (name, account) => {
    const socket = await begin(textOnly, account());
    say(socket, { text: 'word '.repeat(2_000) });
    socket.send({ type: 'response.create' });
    expect(response(await socket.next('response.done')).status).toBe('incomplete');
    expect((await socket.next('error')).error).toMatchObject({ code: `${name}_spend_limit_reached` });
    expect((await socket.closed).code).toBe(1008);
  });

  test('a key that is revoked during an answer ends it, and what was written is billed', async () => {
    const socket = await begin();
    say(socket, { text: 'word '.repeat(2_000), delayMs: 10 });
    socket.send({ type: 'response.create' });
    await socket.next('response.output_text.delta');
    await revokeKey(stage.db, socket.keyId);
    expect((await socket.next('error')).error).toMatchObject({ code: 'invalid_api_key' });
    expect((await socket.closed).code).toBe(1008);
    let bills = await billed(socket.keyId);
    while (bills.length === 0) bills = await billed(socket.keyId);
    expect(bills[0]!.usage.output_tokens).toBeGreaterThan(0);
  });
});
