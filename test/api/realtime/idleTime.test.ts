import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { retime } from '../../support/clock.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { socketAt, type TestSocket } from '../../support/webSocket.ts';

const path = '/textapi/v1/realtime?model=gpt-realtime';

const stage = await setGuardStage();
afterEach(() => void jest.restoreAllMocks());
afterAll(() => stage.close());

const sound = (ms: number) => Buffer.alloc(ms * 48).toString('base64');

async function begin(session: object) {
  const { secret } = await stage.account();
  const socket = await socketAt(stage.url, path, { key: secret });
  await socket.next('session.created');
  socket.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'], ...session } });
  await socket.next('session.updated');
  return socket;
}

async function speak(text: string): Promise<Buffer> {
  const { secret } = await stage.account();
  const body = JSON.stringify({ model: 'tts-1', voice: 'alloy', response_format: 'pcm', input: text });
  return Buffer.from(
    await (await stage.ask('/v1/audio/speech', { headers: { 'x-api-key': secret }, body })).arrayBuffer(),
  );
}

const detection = (members: object) => ({ audio: { input: { turn_detection: { type: 'server_vad', ...members } } } });
const itemOf = (scripted: object) => {
  const content = [{ type: 'input_text', text: JSON.stringify({ scripted }) }];
  return { type: 'conversation.item.create', item: { type: 'message', role: 'user', content } };
};
const typesAfter = ({ events }: TestSocket, type: string) => {
  const types = events.map((event) => event.type);
  return types.slice(types.indexOf(type));
};

test('after the idle time that follows a response the silence becomes an item, and the model speaks first', async () => {
  retime({ fromMs: 5_000, toMs: 50 });
  const socket = await begin(detection({ idle_timeout_ms: 5_000 }));
  for (let at = 0; at < 6; at++) socket.send({ type: 'input_audio_buffer.append', audio: sound(1_000) });
  socket.send({ type: 'response.create' });
  await socket.next('response.done');
  const triggered = await socket.next('input_audio_buffer.timeout_triggered');
  await socket.next('response.done');
  expect((triggered.audio_end_ms as number) - (triggered.audio_start_ms as number)).toBe(5_000);
  expect(typesAfter(socket, 'input_audio_buffer.timeout_triggered').slice(0, 6)).toEqual([
    'input_audio_buffer.timeout_triggered',
    'input_audio_buffer.committed',
    'conversation.item.added',
    'conversation.item.done',
    'rate_limits.updated',
    'response.created',
  ]);
  expect(socket.events.find(({ type }) => type === 'input_audio_buffer.committed')).toMatchObject({
    item_id: triggered.item_id,
  });
  socket.ws.close();
});

test('a user who speaks while a response ends is not silent', async () => {
  retime({ fromMs: 5_000, toMs: 20 });
  const voice = await speak('I would like to know how the weather will be tomorrow.');
  const socket = await begin(detection({ idle_timeout_ms: 5_000, interrupt_response: false }));
  socket.send(itemOf({ text: 'word '.repeat(10_000), delayMs: 50 }));
  socket.send({ type: 'response.create' });
  await socket.next('response.created');
  socket.send({ type: 'input_audio_buffer.append', audio: voice.toString('base64') });
  await socket.next('input_audio_buffer.speech_started');
  socket.send({ type: 'response.cancel' });
  await socket.next('response.done');
  // Longer than the idle time.
  await sleep(100);
  socket.send({ type: 'input_audio_buffer.append', audio: sound(2_000) });
  await socket.next('input_audio_buffer.speech_stopped');
  const types = typesAfter(socket, 'input_audio_buffer.speech_started');
  expect(types.slice(0, types.indexOf('input_audio_buffer.speech_stopped'))).not.toContain(
    'input_audio_buffer.timeout_triggered',
  );
  socket.ws.close();
});

test('without an idle time nothing speaks first', async () => {
  retime({ fromMs: 5_000, toMs: 20 });
  const socket = await begin(detection({ idle_timeout_ms: 5_000 }));
  socket.send(itemOf({ text: 'word '.repeat(20), delayMs: 50 }));
  socket.send({ type: 'response.create' });
  socket.send({ type: 'session.update', session: { type: 'realtime', ...detection({}) } });
  await socket.next('session.updated');
  await socket.next('response.done');
  socket.send({ type: 'response.create', response: { conversation: 'none', input: [] } });
  await socket.next('response.done');
  expect(socket.events.some(({ type }) => type === 'input_audio_buffer.timeout_triggered')).toBe(false);
  socket.ws.close();
});
