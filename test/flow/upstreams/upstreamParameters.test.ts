import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { read } from '../../support/http.ts';
import { conversion, formOf, headersOf, setAudioStage, transcription, type AudioStage } from '../stages/audioStage.ts';
import { setMoneyStage, type Account, type MoneyStage } from '../stages/moneyStage.ts';
import { startScriptedVoice, type ScriptedVoice } from '../stages/scriptedVoice.ts';

interface Refusal {
  error: { code: string; param: string | null };
  detail?: { loc: string[] }[];
}

describe('an ElevenLabs upstream', () => {
  let stage: AudioStage;
  let mine: Account;
  beforeAll(async () => {
    stage = await setAudioStage({ apis: 1 });
    mine = await stage.account();
  });
  beforeEach(() => stage.voice.setScript({}));
  afterAll(() => stage.close());

  const speak = async (voiceAndQuery: string, members: object = {}) => {
    const response = await fetch(`${stage.urls()[0]}/voiceapi/v1/text-to-speech/${voiceAndQuery}`, {
      method: 'POST',
      headers: { ...headersOf(mine), 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Hello.', ...members }),
    });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const send = (path: string, form: FormData, fields: Record<string, string>) => {
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return fetch(stage.urls()[0]! + path, { method: 'POST', headers: headersOf(mine), body: form });
  };

  test.each([
    ['21m00Tcm4TlvDq8ikWAM', '21m00Tcm4TlvDq8ikWAM'],
    ['Rachel', '21m00Tcm4TlvDq8ikWAM'],
    ['EXAVITQu4vr4xnSDxMaL', 'EXAVITQu4vr4xnSDxMaL'],
    ['alloy', 'EXAVITQu4vr4xnSDxMaL'],
  ])('speaks %s with the voice %s', async (asked, voice) => {
    await speak(asked);
    expect(stage.voice.calls().map((call) => call.voice)).toEqual([voice]);
  });

  test('gets every parameter of a speech request', async () => {
    const said = {
      language_code: 'de',
      seed: 7,
      previous_text: 'Before.',
      next_text: 'After.',
      apply_text_normalization: 'off',
      voice_settings: { stability: 0.1, similarity_boost: 0.2, style: 0.3, use_speaker_boost: false, speed: 0.9 },
      use_pvc_as_ivc: true,
      surprise: { of: ['any', 'kind'] },
    };
    expect((await speak('alloy', said)).response.status).toBe(200);
    expect(stage.voice.calls()[0]!.said).toMatchObject(said);
  });

  test('gets every field of an audio form', async () => {
    const fields = { language_code: 'deu', temperature: '0.5', seed: '3', tag_audio_events: 'true', surprise: 'odd' };
    const form = formOf({ ...transcription, fields: { model_id: 'scribe_v1' } }, 1);
    await read(await send('/voiceapi/v1/speech-to-text', form, fields));
    const converted = { voice_settings: '{"style":0.2,"speed":0.9}', seed: '3', surprise: 'odd' };
    await (await send(conversion.path, formOf(conversion, 1), converted)).arrayBuffer();
    expect(stage.voice.calls().map(({ said }) => said)).toEqual([
      expect.objectContaining(fields),
      expect.objectContaining(converted),
    ]);
  });

  test('that reports no language confidence gets none in the answer', async () => {
    const form = formOf({ ...transcription, fields: { model_id: 'scribe_v1' } }, 1);
    const transcript = await read(await send('/voiceapi/v1/speech-to-text', form, {}));
    expect(transcript).toMatchObject({ language_code: 'en', language_probability: 0 });
  });

  test.each([
    ['mp3_44100_128', 'mp3_44100_128'],
    ['opus_48000_64', 'opus_48000_64'],
    ['ulaw_8000', 'ulaw_8000'],
    ['pcm_16000', 'pcm_16000'],
    ['wav_48000', 'pcm_48000'],
  ])('is requested to send %s, and its audio is forwarded unchanged', async (format, asked) => {
    const { bytes } = await speak(`alloy?output_format=${format}`);
    expect(stage.voice.calls().map((call) => call.format)).toEqual([asked]);
    // Two pieces of the script's audio, and the header of a WAV file.
    expect(bytes.length).toBe(2 * 4_800 + (format.startsWith('wav') ? 44 : 0));
  });

  test('converts in the format of the answer', async () => {
    const path = conversion.path.replace('pcm_24000', 'mp3_44100_64');
    await (await send(path, formOf(conversion, 1), {})).arrayBuffer();
    expect(stage.voice.calls().map(({ format }) => format)).toEqual(['mp3_44100_64']);
  });

  test('whose plan lacks the format is called for plain samples, and not again for that format', async () => {
    stage.voice.setScript(({ format }) =>
      format === 'mp3_44100_192' ? { status: 403, code: 'output_format_not_allowed' } : {},
    );
    for (const _ of [1, 2]) {
      const { response, bytes } = await speak('alloy?output_format=mp3_44100_192');
      expect(response.headers.get('content-type')).toBe('audio/mpeg');
      expect(bytes.readUInt16BE(0) & 0xffe0).toBe(0xffe0);
    }
    expect(stage.voice.calls().map(({ format }) => format)).toEqual(['mp3_44100_192', 'pcm_24000', 'pcm_24000']);
  });

  test.each([
    ['/v1/audio/transcriptions', { model: 'whisper-1', prompt: 'Foxes.' }, 'prompt'],
    ['/v1/audio/transcriptions', { model: 'whisper-1', surprise: 'odd' }, 'surprise'],
    ['/v1/audio/translations', { model: 'whisper-1' }, 'model'],
  ])('that does not support a parameter of %s is skipped: %j', async (path, fields, param) => {
    const { error } = await read<Refusal>(await send(path, formOf(transcription, 1), fields), 400);
    expect(error).toMatchObject({ code: 'unsupported_parameter', param });
    expect(stage.voice.calls()).toEqual([]);
  });
});

describe('an OpenAI upstream', () => {
  let stage: MoneyStage;
  let voice: ScriptedVoice;
  let mine: Account;
  beforeAll(async () => {
    voice = await startScriptedVoice();
    stage = await setMoneyStage({ voiceUrl: voice.url });
    mine = await stage.account();
  });
  beforeEach(() => voice.setScript({ seconds: 1, ending: 'end' }));
  afterAll(async () => {
    await stage.close();
    await voice.stop();
  });

  const post = (path: string, body: object) =>
    fetch(stage.urls()[0]! + path, {
      method: 'POST',
      headers: { ...headersOf(mine), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('gets instructions, speed and vendor parameters', async () => {
    const said = { instructions: 'Softly.', speed: 1.5, surprise: 'odd' };
    await (await post('/v1/audio/speech', { model: 'tts-1', voice: 'nova', input: 'Hello.', ...said })).arrayBuffer();
    expect(voice.calls[0]!.said).toMatchObject({ voice: 'nova', ...said });
  });

  test('gets the seed and settings of the voice family', async () => {
    const said = { seed: 7, voice_settings: { stability: 0.1, speed: 1.1 } };
    await (await post('/voiceapi/v1/text-to-speech/nova', { text: 'Hello.', ...said })).arrayBuffer();
    expect(voice.calls[0]!.said).toMatchObject({ seed: 7, voice_settings: { stability: 0.1 }, speed: 1.1 });
  });

  test.each([
    [{ language_code: 'de' }, 'language_code'],
    [{ previous_text: 'Before.' }, 'previous_text'],
    [{ surprise: 'odd' }, 'surprise'],
  ])('does not get unsupported parameters: %j', async (members, name) => {
    const response = await post('/voiceapi/v1/text-to-speech/nova', { text: 'Hello.', ...members });
    const { error, detail } = await read<Refusal>(response, 422);
    expect(error.code).toBe('unsupported_parameter');
    expect(detail).toMatchObject([{ loc: ['body', name] }]);
    expect(voice.calls).toEqual([]);
  });
});
