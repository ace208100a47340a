import { afterAll, expect, test } from '@jest/globals';
import { onnxRuntime, whisper } from '../../../../engines/fetching/engineList.ts';
import { fetchEngine } from '../../../../engines/fetching/fetchEngine.ts';
import { kokoro, pronunciations } from '../../../../engines/fetching/voiceEngines.ts';
import { setGuardStage } from '../../../support/guardStage.ts';
import { read } from '../../../support/http.ts';

for (const engine of [whisper, onnxRuntime, pronunciations, kokoro])
  await fetchEngine(engine, { dataDir: '.data', onProgress: () => {} });
const stage = await setGuardStage({ env: { EMBEDDED_ENGINES: 'neural', EMBEDDED_VOICES: 'flite' } });
const { secret } = await stage.account({ creditUsd: '10' });
afterAll(() => stage.close());

const call = (path: string, init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {}) =>
  fetch(stage.api.url + path, { ...init, headers: { ...init.headers, 'x-api-key': secret } });

test('what the HD voices say over HTTP is understood by the service itself', async () => {
  const speech = await call('/v1/audio/speech', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'ledgerline-speech-hd',
      voice: 'marin',
      input: 'Please transfer one hundred dollars to my savings account.',
      response_format: 'wav',
    }),
  });
  expect(speech.status).toBe(200);
  const form = new FormData();
  form.set('file', new Blob([await speech.arrayBuffer()]), 'said.wav');
  form.set('model', 'whisper-1');
  const heard = await read<{ text: string }>(
    await call('/v1/audio/transcriptions', { method: 'POST', body: form }),
    200,
  );
  expect(heard.text).toMatch(/^please transfer \$100 to my savings account\.$/i);
});

test('the lists name the engine of each model', async () => {
  const voice = await read(await call('/voiceapi/v1/voices/nova'), 200);
  expect(voice).toMatchObject({
    engines: [
      { model_id: 'ledgerline-speech', engine: 'flite', ready: true },
      { model_id: 'ledgerline-speech-hd', engine: 'kokoro-82m', ready: true },
    ],
  });
});
