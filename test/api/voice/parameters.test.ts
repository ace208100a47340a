import { afterAll, describe, expect, test } from '@jest/globals';
import { balanceOf } from '../../support/account.ts';
import { fox, read, setVoiceStage } from './voiceStage.ts';

const stage = await setVoiceStage();
const sound = await stage.sound('wav_16000', 'One.');
afterAll(() => stage.close());

interface Refusal {
  error: { code: string; param: string | null; message: string };
  detail?: { loc: string[]; msg: string }[];
}

const speakAsText = (members: object, key = stage.mine.secret) =>
  stage.ask('/v1/audio/speech', {
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'tts-1', voice: 'alloy', input: 'One.', ...members }),
  });

async function expectRefused(answer: Promise<Response>, loc: string[]): Promise<void> {
  const { error, detail } = await read<Refusal>(answer, 422);
  expect(error.code).toBe('unsupported_parameter');
  expect(detail).toMatchObject([{ loc }]);
}

describe('the embedded voices', () => {
  test.each<[object, string[], string?]>([
    [{ language_code: 'de' }, ['body', 'language_code']],
    [{ apply_text_normalization: 'off' }, ['body', 'apply_text_normalization']],
    [{ use_pvc_as_ivc: true }, ['body', 'use_pvc_as_ivc']],
    [{ apply_language_text_normalization: true }, ['body', 'apply_language_text_normalization']],
    [{ surprise: 1 }, ['body', 'surprise']],
    [{ voice_settings: { surprise: 1 } }, ['body', 'voice_settings', 'surprise']],
    [{}, ['query', 'optimize_streaming_latency'], '?optimize_streaming_latency=4'],
  ])('refuse unsupported parameters by name: %j', async (members, loc, query = '') => {
    await expectRefused(stage.speak(`alloy${query}`, members), loc);
  });

  test('say of a language that it is the model which does not take it', async () => {
    const sent = { model_id: 'scribe_v1', file: sound, language_code: 'de' };
    const heard = await read<Refusal>(stage.send('/voiceapi/v1/speech-to-text', sent), 422);
    const { detail } = await read<Refusal>(stage.speak('alloy', { language_code: 'de' }), 422);
    const msg = 'This model does not take this language. Leave it out, or use another model.';
    expect([heard.detail, detail]).toMatchObject([[{ msg }], [{ msg }]]);
  });

  test.each<object>([
    { model_id: 'eleven_flash_v2_5', seed: 3, language_code: 'en-GB', apply_text_normalization: 'on' },
    { voice_settings: { stability: 0.1, similarity_boost: 0.2, style: 0.3, use_speaker_boost: false, speed: 1.2 } },
    {
      previous_text: 'Sent by agents with each sentence.',
      next_text: 'After.',
      apply_language_text_normalization: false,
    },
    { previous_text: '', next_text: null, use_pvc_as_ivc: false, previous_request_ids: [], surprise: null },
  ])('accept supported parameters, and values that change nothing: %j', async (members) => {
    const response = await stage.speak('alloy?optimize_streaming_latency=3&enable_logging=false', members);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  });

  test('give the same audio for the same seed, and slower speech for a lower speed', async () => {
    const bytesOf = async (members: object) => {
      const response = await stage.speak('alloy?output_format=pcm_16000&enable_logging=false', members);
      return Buffer.from(await response.arrayBuffer());
    };
    const [one, same, slow] = [
      await bytesOf({ seed: 7 }),
      await bytesOf({ seed: 7 }),
      await bytesOf({ voice_settings: { speed: 0.5 } }),
    ];
    expect(one.equals(same)).toBe(true);
    expect(slow.length).toBeGreaterThan(one.length * 1.5);
  });

  test.each(['instructions', 'surprise'])('refuse %s on the text family’s route', async (name) => {
    const { error } = await read<Refusal>(speakAsText({ [name]: 'Softly.' }), 400);
    expect(error).toMatchObject({ code: 'unsupported_parameter', param: name });
    const silent = await speakAsText({ [name]: null });
    expect(silent.status).toBe(200);
    await silent.arrayBuffer();
  });

  test("speak at a cloned voice's own speed on both families' routes", async () => {
    const { voice_id: id } = await read<{ voice_id: string }>(
      await stage.send('/voiceapi/v1/voices/add', { name: 'Slow', files: sound }),
    );
    const settings = `/voiceapi/v1/voices/${id}/settings/edit`;
    await read(await stage.call(settings, { body: '{"speed":0.5,"stability":0.4}' }));
    for (const answer of [speakAsText({ voice: id }), stage.speak(id, { text: 'One.' })]) {
      const response = await answer;
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
    const { detail } = await read<Refusal>(await stage.call(settings, { body: '{"surprise":1}' }), 422);
    expect(detail).toMatchObject([{ loc: ['body', 'surprise'] }]);
  });
});

describe('text that the embedded voices cannot speak is refused before anything is billed', () => {
  const unspeakable = [
    ['日本語です。', 'unsupported_language'],
    ['Hello, 日本語 friends.', 'unsupported_language'],
    ['Five is ٥.', 'unsupported_language'],
    ['😀 🎉', 'invalid_value'],
    [' \n\t ', 'invalid_value'],
    ['...', 'invalid_value'],
  ] as const;

  test.each(unspeakable)('%j is %s', async (text, code) => {
    const account = await stage.account({ balanceNanos: stage.creditNanos });
    const forms = ['', '/stream', '/with-timestamps', '/stream/with-timestamps'];
    for (const form of forms) {
      const { error, detail } = await read<Refusal>(stage.speak(`alloy${form}`, { text }, account.secret), 422);
      expect(error).toMatchObject({ code, param: 'text' });
      expect(detail).toMatchObject([{ loc: ['body', 'text'] }]);
    }
    for (const members of [{}, { stream_format: 'sse' }]) {
      const { error } = await read<Refusal>(speakAsText({ input: text, ...members }, account.secret), 400);
      expect(error).toMatchObject({ code, param: 'input' });
    }
    expect(await balanceOf(stage.db, account.workspaceId)).toBe(stage.creditNanos);
  });

  test('signs and pictures between words are no reason', async () => {
    for (const text of ['Hello 😀!', 'Привет, мир', 'naïve café — 5 €', 'O’Neill ʻOkina']) {
      const response = await stage.speak('alloy?enable_logging=false', { text });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
  });
});

describe('the embedded recogniser', () => {
  test.each<[Record<string, string>, string]>([
    [{ language_code: 'fra' }, 'language_code'],
    [{ file_format: 'pcm_s16le_16' }, 'file_format'],
    [{ temperature: '0.7' }, 'temperature'],
    [{ surprise: '1' }, 'surprise'],
  ])('refuses unsupported parameters by name in the voice family: %j', async (fields, name) => {
    const form = { model_id: 'scribe_v1', file: sound, ...fields };
    await expectRefused(stage.send('/voiceapi/v1/speech-to-text', form), ['body', name]);
  });

  test.each([
    ['false', 200],
    ['maybe', 422],
    ['', 422],
  ])('takes enable_logging as a boolean: %j', async (value, status) => {
    const path = `/voiceapi/v1/speech-to-text?enable_logging=${value}`;
    const response = await stage.send(path, { model_id: 'scribe_v1', file: sound });
    expect(response.status).toBe(status);
    const { detail = [] } = (await response.json()) as Refusal;
    expect(detail.map(({ loc }) => loc)).toEqual(status === 200 ? [] : [['query', 'enable_logging']]);
  });

  test.each(['-1', '2147483648', '1.5'])('takes a seed in ElevenLabs’ range, not %s', async (seed) => {
    const answer = stage.send('/voiceapi/v1/speech-to-text', { model_id: 'scribe_v1', file: sound, seed });
    expect((await read<Refusal>(answer, 422)).detail).toMatchObject([{ loc: ['body', 'seed'] }]);
  });

  test.each<[Record<string, string>, string]>([
    [{ language: 'de' }, 'language'],
    [{ prompt: 'Foxes.' }, 'prompt'],
    [{ temperature: '0.7' }, 'temperature'],
    [{ diarize: 'true' }, 'diarize'],
    [{ num_speakers: '2' }, 'num_speakers'],
    [{ 'keywords[]': 'fox' }, 'keywords[]'],
    [{ chunking_strategy: 'server_vad' }, 'chunking_strategy'],
    [{ surprise: '1' }, 'surprise'],
  ])('refuses unsupported parameters by name in the text family: %j', async (fields, param) => {
    const form = { model: 'whisper-1', file: sound, ...fields };
    const { error } = await read<Refusal>(await stage.send('/v1/audio/transcriptions', form), 400);
    expect(error).toMatchObject({ code: 'unsupported_parameter', param });
  });

  test('says of a language in the text family that it is the model which does not take it', async () => {
    const form = { model: 'whisper-1', file: sound, language: 'de' };
    const { error } = await read<Refusal>(await stage.send('/v1/audio/transcriptions', form), 400);
    const message = "this model does not take this 'language'. Leave it out, or use another model.";
    expect(error.message).toBe(`Unsupported parameter: ${message}`);
  });

  test.each<[string, Record<string, string>]>([
    [
      '/voiceapi/v1/speech-to-text',
      { model_id: 'scribe_v1', language_code: 'eng', tag_audio_events: 'true', seed: '1' },
    ],
    ['/voiceapi/v1/speech-to-text', { model_id: 'scribe_v1', timestamps_granularity: 'word', temperature: '0' }],
    ['/v1/audio/transcriptions', { model: 'whisper-1', language: 'en', prompt: '', temperature: '0' }],
    ['/v1/audio/transcriptions', { model: 'whisper-1', chunking_strategy: 'auto', response_format: 'srt' }],
  ])('accepts supported parameters: %s %j', async (path, fields) => {
    // The parameters are accepted: the error is about the audio.
    const file = new Uint8Array(8);
    const { error } = await read<Refusal>(await stage.send(path, { ...fields, file }), 400);
    expect(error.code).toBe('invalid_audio');
  });
});

test('the embedded conversion keeps the tempo, and refuses another tempo and unknown parameters', async () => {
  const path = '/voiceapi/v1/speech-to-speech/echo';
  const speed = { audio: sound, voice_settings: '{"speed":1.2}' };
  await expectRefused(stage.send(path, speed), ['body', 'voice_settings', 'speed']);
  await expectRefused(stage.send(path, { audio: sound, surprise: '1' }), ['body', 'surprise']);
  const { detail } = await read<Refusal>(stage.send(path, { audio: sound, seed: '4294967296' }), 422);
  expect(detail).toMatchObject([{ loc: ['body', 'seed'] }]);
  const { error } = await read<Refusal>(await stage.send(path, { audio: new Uint8Array(8) }), 400);
  expect(error).toMatchObject({ code: 'invalid_audio', param: 'audio' });
  const sent = { audio: sound, seed: '3', voice_settings: '{"stability":0.1,"style":0.2}', file_format: 'other' };
  const response = await stage.send(path, { ...sent, remove_background_noise: 'true' });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
});

test.each(['text-to-speech', 'speech-to-speech'])('refuses a query parameter that %s does not know', async (route) => {
  const path = `/voiceapi/v1/${route}/alloy?surprise=1`;
  const { error, detail } = await read<Refusal>(stage.call(path, { body: '{"text":"One."}' }), 422);
  expect(error.code).toBe('validation_error');
  expect(detail).toMatchObject([{ loc: ['query', 'surprise'] }]);
});

test('a new voice refuses fields that have no effect', async () => {
  const form = { name: 'Mine', files: sound, surprise: '1' };
  await expectRefused(stage.send('/voiceapi/v1/voices/add', form), ['body', 'surprise']);
});

test('refuses invalid parameters before it reads the balance', async () => {
  const { secret } = await stage.account({ balanceNanos: 0n });
  await expectRefused(stage.speak('alloy', { text: fox, surprise: 1 }, secret), ['body', 'surprise']);
});
