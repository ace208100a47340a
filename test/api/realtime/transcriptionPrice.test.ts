import { afterAll, expect, test } from '@jest/globals';
import { setGuardStage } from '../../support/guardStage.ts';
import { startRealtimeUpstream } from '../../support/realtimeUpstream.ts';
import { until } from '../../support/until.ts';
import { socketAt, type TestSocket } from '../../support/webSocket.ts';

const VENDOR_KEY = 'sk-vendor-key-0123456789';

const upstream = await startRealtimeUpstream(VENDOR_KEY);
const stage = await setGuardStage({ realtime: { url: upstream.url, apiKey: VENDOR_KEY } });
afterAll(async () => {
  await stage.close();
  await upstream.stop();
});

const append = (socket: TestSocket, ms: number) =>
  socket.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(ms * 48).toString('base64') });

async function begin(model: string) {
  const { secret, keyId } = await stage.account();
  const socket = await socketAt(stage.url, `/v1/realtime?model=${model}`, { key: secret });
  const update = async (input: object, type = 'realtime') => {
    socket.send({ type: 'session.update', session: { type, audio: { input } } });
    return (await socket.next('session.updated')).session as { audio: { input: object } };
  };
  return { ...socket, keyId, update };
}

/** The bills of sound, once there are so many: model, milliseconds, cost. */
async function soundOn(keyId: string, count: number): Promise<unknown[]> {
  const bills = async () => {
    await stage.db.ledger.posted();
    const { rows } = await stage.db.pool.query(
      `select model, usage, cost_nanos from requests where key_id = $1 and usage ? 'audio_minutes' order by model`,
      [keyId],
    );
    return rows as { model: string; usage: { audio_minutes: number }; cost_nanos: string }[];
  };
  await until(async () => (await bills()).length === count);
  return (await bills()).map(({ model, usage, cost_nanos: cost }) => [
    model,
    Math.round(usage.audio_minutes * 60_000),
    Number(cost),
  ]);
}

test('the transcription that a session asks for is billed besides, at the price of its model', async () => {
  const socket = await begin('gpt-passed');
  append(socket, 100);
  const { audio } = await socket.update({ transcription: { model: 'vendor-listener', language: 'en' } });
  expect(audio.input).toMatchObject({ transcription: { model: 'passed-transcription', language: 'en' } });
  expect(upstream.received.at(-1)).toMatchObject({
    session: { audio: { input: { transcription: { model: 'vendor-transcribe', language: 'en' } } } },
  });
  append(socket, 200);
  append(socket, 300);
  await socket.update({ transcription: null });
  append(socket, 200);
  socket.send({ type: 'response.create' });
  await socket.next('response.done');
  socket.ws.close();
  expect(await soundOn(socket.keyId, 2)).toEqual([
    ['passed-realtime', 800, 80_000],
    ['passed-transcription', 500, 150_000],
  ]);
});

test.each([
  [
    'gpt-realtime',
    'realtime',
    [
      ['ledgerline-realtime-1', 300, 30_000],
      ['passed-transcription', 300, 90_000],
    ],
  ],
  ['&intent=transcription', 'transcription', [['passed-transcription', 300, 90_000]]],
])('so is another model than the own one of %s', async (model, type, sounds) => {
  const socket = await begin(model);
  await socket.update({ transcription: { model: 'vendor-listener' }, turn_detection: null }, type);
  append(socket, 300);
  socket.send({ type: 'input_audio_buffer.clear' });
  await socket.next('input_audio_buffer.cleared');
  socket.ws.close();
  expect(await soundOn(socket.keyId, sounds.length)).toEqual(sounds);
});

test.each([
  ['gpt-passed', 500],
  // A millisecond is still in the resampler of the turn when the model is asked for.
  ['gpt-realtime', 499],
])('in %s a model that is asked for within a turn is billed for all of the turn', async (model, heardMs) => {
  const socket = await begin(model);
  await socket.update({ turn_detection: null });
  append(socket, 200);
  append(socket, 200);
  await socket.update({ transcription: { model: 'vendor-listener' } });
  append(socket, 100);
  await socket.update({ transcription: null });
  socket.ws.close();
  expect(await soundOn(socket.keyId, 2)).toEqual([
    [expect.stringMatching(/realtime/), 500, 50_000],
    ['passed-transcription', heardMs, heardMs * 300],
  ]);
});

test('a client secret cannot be bound to a transcription that has no price', async () => {
  const { secret } = await stage.account();
  const session = { type: 'realtime', model: 'gpt-passed', audio: { input: { transcription: { model: 'unsold' } } } };
  const headers = { authorization: `Bearer ${secret}` };
  const refused = await stage.ask('/v1/realtime/client_secrets', { headers, body: JSON.stringify({ session }) });
  expect([refused.status, await refused.json()]).toMatchObject([
    404,
    { error: { code: 'model_not_found', param: 'session.audio.input.transcription.model' } },
  ]);
});
