import { afterAll, expect, test } from '@jest/globals';
import { setGuardStage } from '../../support/guardStage.ts';

import { until } from '../../support/until.ts';
import { socketAt, type TestSocket } from '../../support/webSocket.ts';

const path = '/textapi/v1/realtime?model=gpt-realtime';

const stage = await setGuardStage();
const key = (await stage.account()).secret;
const body = { model: 'tts-1', voice: 'alloy', response_format: 'pcm', input: 'Hello, how are you today?' };
const spoken = await stage.ask('/v1/audio/speech', { headers: { 'x-api-key': key }, body: JSON.stringify(body) });
/** Someone says a few words, as samples at 24 kHz. */
const words = Buffer.from(await spoken.arrayBuffer());
afterAll(() => stage.close());

const silence = (ms: number) => Buffer.alloc(ms * 48);

function hear(socket: TestSocket, ...sounds: Buffer[]): void {
  const all = Buffer.concat(sounds);
  for (let at = 0; at < all.length; at += 4_800)
    socket.send({ type: 'input_audio_buffer.append', audio: all.subarray(at, at + 4_800).toString('base64') });
}

async function open(session: object, at = path): Promise<TestSocket> {
  const socket = await socketAt(stage.url, at, { key });
  await socket.next('session.created');
  socket.send({ type: 'session.update', session });
  await socket.next('session.updated');
  return socket;
}

const transcription = { model: 'whisper-1' };

test('the session has the names that were asked for', async () => {
  const audio = { input: { transcription: { model: 'gpt-4o-transcribe' } }, output: { voice: 'Rachel' } };
  const socket = await open({ type: 'realtime', audio });
  const [created, updated] = socket.events
    .filter(({ type }) => /^session\.(created|updated)$/.test(type))
    .map(({ session }) => session);
  expect(created).toMatchObject({ model: 'gpt-realtime' });
  expect(updated).toMatchObject({ model: 'gpt-realtime', audio });
  socket.ws.close();
});

test('a voice that a response names is checked also where the answer is text', async () => {
  const socket = await open({ type: 'realtime', output_modalities: ['text'] });
  for (const output_modalities of [undefined, ['text'], ['audio']]) {
    socket.send({ type: 'response.create', response: { output_modalities, audio: { output: { voice: 'nobody' } } } });
    const { error } = await socket.next('error');
    expect(error).toMatchObject({ code: 'invalid_value', param: 'response.audio.output.voice' });
    socket.forget();
  }
  socket.ws.close();
});

test('a response says its own speed', async () => {
  const socket = await open({ type: 'realtime', audio: { input: { turn_detection: null } } });
  const text = JSON.stringify({ scripted: { text: 'One two three.' } });
  const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }];
  const lengths: number[] = [];
  for (const speed of [0.5, 1.5]) {
    socket.send({ type: 'response.create', response: { input, audio: { output: { speed } } } });
    await socket.next('response.done');
    const sound = socket.events.filter(({ type }) => type === 'response.output_audio.delta');
    lengths.push(sound.reduce((sum, { delta }) => sum + (delta as string).length, 0));
    socket.forget();
  }
  expect(lengths[0]! / lengths[1]!).toBeGreaterThan(2);
  socket.ws.close();
});

test('a turn is found in the sound, written down, and answered aloud', async () => {
  const socket = await open({ type: 'realtime', audio: { input: { transcription } } });
  hear(socket, silence(400), words, silence(900));
  const started = await socket.next('input_audio_buffer.speech_started');
  const stopped = await socket.next('input_audio_buffer.speech_stopped');
  expect(stopped.item_id).toBe(started.item_id);
  expect(stopped.audio_end_ms as number).toBeGreaterThan(started.audio_start_ms as number);
  expect(await socket.next('input_audio_buffer.committed')).toMatchObject({ item_id: started.item_id });
  const { transcript } = await socket.next('conversation.item.input_audio_transcription.completed');
  expect(transcript).toMatch(/you today/i);
  const deltas = socket.events.filter(({ type }) => type === 'conversation.item.input_audio_transcription.delta');
  expect(deltas.map(({ delta }) => delta).join('')).toBe(transcript);
  const done = (await socket.next('response.done')).response as { status: string };
  expect(done.status).toBe('completed');
  expect(socket.events.some(({ type }) => type === 'response.output_audio.delta')).toBe(true);
  socket.ws.close();
});

test('speech during an answer stops it', async () => {
  const socket = await open({ type: 'realtime', audio: { input: { turn_detection: { type: 'server_vad' } } } });
  const text = JSON.stringify({ scripted: { text: 'One two three. '.repeat(200), delayMs: 20 } });
  socket.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });
  socket.send({ type: 'response.create' });
  await socket.next('response.output_audio.delta');
  hear(socket, silence(300), words);
  const done = (await socket.next('response.done')).response;
  expect(done).toMatchObject({ status: 'cancelled', status_details: { reason: 'turn_detected' } });
  socket.ws.close();
});

test('an answer is truncated while it is made: what follows is not part of the conversation', async () => {
  const socket = await open({ type: 'realtime', audio: { input: { turn_detection: null } } });
  const text = JSON.stringify({ scripted: { text: 'One two three. '.repeat(200), delayMs: 20 } });
  socket.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });
  socket.send({ type: 'response.create' });
  const { item_id } = await socket.next('response.output_audio.delta');
  await until(() => socket.events.filter(({ type }) => type === 'response.output_audio_transcript.delta').length > 2);
  const place = { item_id, content_index: 0 };
  socket.send({ type: 'conversation.item.truncate', ...place, audio_end_ms: 900 });
  expect(await socket.next('conversation.item.truncated')).toMatchObject({ ...place, audio_end_ms: 900 });
  socket.send({ type: 'response.cancel' });
  await socket.next('response.done');
  socket.send({ type: 'conversation.item.retrieve', item_id });
  const { content } = (await socket.next('conversation.item.retrieved')).item as { content: { transcript: string }[] };
  expect(content[0]!.transcript).toMatch(/^One( two)?( three\.)?( One)? $/);
  expect(socket.events.filter(({ type }) => type === 'error')).toEqual([]);
  socket.send({ type: 'conversation.item.truncate', item_id, content_index: 1, audio_end_ms: 1 });
  expect((await socket.next('error')).error).toMatchObject({ param: 'content_index' });
  socket.ws.close();
});

test.each([
  ['日本語です。', 'failed'],
  ['😀 🎉', 'completed'],
])('an answer that the voice cannot speak, %j, is %s, and no character of it is billed', async (said, status) => {
  const { secret, keyId } = await stage.account();
  const socket = await socketAt(stage.url, path, { key: secret });
  await socket.next('session.created');
  const text = JSON.stringify({ scripted: { text: said } });
  socket.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });
  socket.send({ type: 'response.create' });
  const response = (await socket.next('response.done')).response as { status: string; status_details: unknown };
  expect(response.status).toBe(status);
  if (status === 'failed') expect(response.status_details).toMatchObject({ error: { code: 'unsupported_language' } });
  else
    expect(response).toMatchObject({ output: [{ content: [{ transcript: said }] }], usage: { output_characters: 0 } });
  expect(socket.events.filter(({ type }) => type === 'response.output_audio.delta')).toEqual([]);
  socket.ws.close();
  const requests = async () =>
    (await stage.db.pool.query('select usage from requests where key_id = $1', [keyId])).rows as { usage: object }[];
  await until(async () => (await requests()).length > 0);
  for (const { usage } of await requests()) expect(usage).not.toHaveProperty('output_characters');
});

test('a transcription session writes down what is committed by hand, and answers nothing', async () => {
  const session = { type: 'transcription', audio: { input: { turn_detection: null } } };
  const socket = await open(session, '/v1/realtime?intent=transcription');
  hear(socket, words);
  socket.send({ type: 'input_audio_buffer.commit' });
  const completed = await socket.next('conversation.item.input_audio_transcription.completed');
  expect(completed.transcript).toMatch(/you today/i);
  socket.send({ type: 'response.create' });
  await socket.next('error');
  socket.send({ type: 'session.update' });
  expect((await socket.next('error')).error).toMatchObject({ code: 'missing_required_parameter', param: 'session' });
  socket.ws.close();
});

test('what a model says before it calls a function is spoken before the call', async () => {
  const tools = [{ type: 'function', name: 'look', parameters: { type: 'object' } }];
  const socket = await open({ type: 'realtime', tools });
  const text = JSON.stringify({ scripted: { text: 'One two three.', toolCalls: [{ name: 'look', arguments: '{}' }] } });
  socket.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });
  socket.send({ type: 'response.create' });
  const { output } = (await socket.next('response.done')).response as { output: object[] };
  expect(output).toMatchObject([
    { type: 'message', content: [{ transcript: 'One two three.' }] },
    { type: 'function_call' },
  ]);
  const added = socket.events.filter(({ type }) => type === 'response.output_item.added');
  expect(added).toMatchObject([
    { output_index: 0, item: { type: 'message' } },
    { output_index: 1, item: { name: 'look' } },
  ]);
  socket.ws.close();
});

test('money that ends while the model is far ahead of its voice ends the writing, and the session', async () => {
  const account = await stage.account({ balanceNanos: 8_000_000n });
  const socket = await socketAt(stage.url, path, { key: account.secret });
  const text = JSON.stringify({ scripted: { text: 'The sun is up now. '.repeat(1_100) } });
  socket.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });
  socket.send({ type: 'response.create' });
  expect((await socket.next('response.done')).response).toMatchObject({ status: 'incomplete' });
  expect(await socket.closed).toMatchObject({ code: 1008, reason: expect.stringMatching(/^You exceeded/) });
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query('select usage from requests where key_id = $1', [account.keyId]);
  const said = socket.events.filter(({ type }) => type === 'response.output_audio_transcript.delta');
  expect(rows).toEqual([
    { usage: { output_tokens: expect.any(Number), output_characters: said.map(({ delta }) => delta).join('').length } },
  ]);
  expect(rows[0].usage.output_tokens).toBeLessThan(4_000);
});

test.each([
  ['header', () => ({ key, headers: { 'openai-beta': 'realtime=v1' } })],
  ['subprotocol', () => ({ protocols: ['realtime', `openai-insecure-api-key.${key}`, 'openai-beta.realtime-v1'] })],
])('a client of the earlier protocol, by its %s, sees its names, and a flat session', async (_by, options) => {
  const socket = await socketAt(stage.url, path, options());
  const created = (await socket.next('session.created')).session;
  expect(created).toMatchObject({ modalities: ['audio', 'text'], voice: 'alloy', input_audio_format: 'pcm16' });
  socket.send({ type: 'session.update', session: { modalities: ['text'], turn_detection: null, temperature: 0.8 } });
  expect((await socket.next('session.updated')).session).toMatchObject({ modalities: ['text'], turn_detection: null });
  socket.send({ type: 'session.update', session: { input_audio_format: 'g711_ulaw' } });
  expect((await socket.next('error')).error).toMatchObject({
    code: 'unsupported_parameter',
    param: 'session.input_audio_format',
    message: "Unsupported value: 'g711_ulaw' is not supported for 'session.input_audio_format'. Send 'pcm16'.",
  });
  const text = JSON.stringify({ scripted: { text: 'four' } });
  socket.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });
  await socket.next('conversation.item.created');
  socket.send({ type: 'response.create' });
  await socket.next('response.text.done');
  const { output } = (await socket.next('response.done')).response as { output: object[] };
  expect(output).toMatchObject([{ content: [{ type: 'text', text: 'four' }] }]);
  const input = [
    { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  ];
  socket.send({ type: 'response.create', response: { conversation: 'none', input, temperature: 0.6 } });
  expect((await socket.next('response.done')).response).toMatchObject({ status: 'completed' });
  expect(stage.upstream.calls().slice(-2)).toMatchObject([
    { body: { temperature: 0.8 } },
    { body: { temperature: 0.6 } },
  ]);
  socket.ws.close();
});
