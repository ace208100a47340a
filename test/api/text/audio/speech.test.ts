import { afterAll, describe, expect, test } from '@jest/globals';
import { balanceOf } from '../../../support/account.ts';
import { until } from '../../../support/until.ts';
import { setGuardStage, type ErrorBody } from '../../../support/guardStage.ts';

const stage = await setGuardStage();
const account = await stage.account({ creditUsd: '10' });
afterAll(() => stage.close());

const text = 'The quick brown fox jumped over the lazy dog.';
const speak = (members: object = {}, path = '/v1/audio/speech') =>
  stage.ask(path, {
    headers: { authorization: `Bearer ${account.secret}` },
    body: JSON.stringify({ model: 'tts-1', voice: 'alloy', input: text, ...members }),
  });

describe('speech', () => {
  test('is an MP3 file by default, billed by its characters', async () => {
    const before = await balanceOf(stage.db, account.workspaceId);
    const response = await speak();
    const sound = Buffer.from(await response.arrayBuffer());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(response.headers.get('character-cost')).toBe(String(text.length));
    expect(sound.readUInt16BE(0) & 0xffe0).toBe(0xffe0);
    expect(sound.length).toBeGreaterThan(20_000);
    const costNanos = BigInt(text.length) * 15_000n;
    await until(async () => before - (await balanceOf(stage.db, account.workspaceId)) === costNanos);
    expect(response.headers.get('x-cost-usd')).toBe('0.000675');
  });

  test.each([
    ['opus', 'audio/ogg', 'OggS'],
    ['flac', 'audio/flac', 'fLaC'],
    ['wav', 'audio/wav', 'RIFF'],
    ['aac', 'audio/aac', '\xff\xf1'],
    ['pcm', 'audio/pcm', ''],
  ])('is encoded as %s', async (format, type, beginning) => {
    const response = await speak({ response_format: format }, '/textapi/v1/audio/speech');
    expect(response.headers.get('content-type')).toBe(type);
    const sound = Buffer.from(await response.arrayBuffer());
    expect(sound.toString('latin1', 0, beginning.length)).toBe(beginning);
    expect(sound.length).toBeGreaterThan(5_000);
  });

  test('by a model whose engine has not been fetched is 503 and costs nothing; the lists say so', async () => {
    const before = await balanceOf(stage.db, account.workspaceId);
    const response = await speak({ model: 'ledgerline-speech-hd' });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).not.toBeNull();
    expect(((await response.json()) as ErrorBody).error.code).toBe('model_unavailable');
    expect(await balanceOf(stage.db, account.workspaceId)).toBe(before);
    const headers = { authorization: `Bearer ${account.secret}` };
    const model = await fetch(`${stage.api.url}/v1/models/ledgerline-speech-hd`, { headers });
    expect(await model.json()).toMatchObject({ engine: 'kokoro-82m', engine_ready: false });
    const voice = await fetch(`${stage.api.url}/voiceapi/v1/voices/nova`, { headers });
    expect(await voice.json()).toMatchObject({
      engines: [
        { model_id: 'ledgerline-speech', engine: 'flite', ready: true },
        { model_id: 'ledgerline-speech-hd', engine: 'kokoro-82m', ready: false },
      ],
    });
  });

  test('as events has base64 audio and a final event', async () => {
    const response = await speak({ stream_format: 'sse' });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = (await response.text())
      .trimEnd()
      .split('\n\n')
      .map((frame) => JSON.parse(frame.slice('data: '.length)) as { type: string });
    // A token is 50 ms of sound.
    const wav = Buffer.from(await (await speak({ response_format: 'wav' })).arrayBuffer());
    const soundTokens = Math.ceil((wav.length - 44) / 48 / 50);
    expect(events.at(-1)).toEqual({
      type: 'speech.audio.done',
      usage: {
        input_tokens: 10,
        output_tokens: soundTokens,
        total_tokens: 10 + soundTokens,
        input_characters: text.length,
      },
    });
    expect(new Set(events.slice(0, -1).map(({ type }) => type))).toEqual(new Set(['speech.audio.delta']));
  });

  test.each([
    [{ response_format: 5 }, 400, 'invalid_value', 'response_format'],
    [{ response_format: ['mp3'] }, 400, 'invalid_value', 'response_format'],
    [{ response_format: 'ogg' }, 400, 'invalid_value', 'response_format'],
    [{ voice: { id: 'alloy', style: 'calm' } }, 400, 'unsupported_parameter', 'voice.style'],
    [{ voice: 'nobody' }, 400, 'invalid_value', 'voice'],
    [{ voice: 'no\0body' }, 400, 'invalid_value', 'voice'],
    [{ input: '' }, 400, 'empty_string', 'input'],
    [{ input: 'a'.repeat(4097) }, 400, 'string_above_max_length', 'input'],
    [{ speed: 5 }, 400, 'decimal_above_max_value', 'speed'],
    [{ model: 'tts-9' }, 404, 'model_not_found', 'model'],
    [{ model: 'whisper-1' }, 404, 'model_not_found', 'model'],
  ])('refuses an input that the schema refuses, %#', async (members, status, code, param) => {
    const response = await speak(members);
    expect(response.status).toBe(status);
    expect(((await response.json()) as ErrorBody).error).toMatchObject({ code, param });
  });

  test('answers 404 for an unknown model and names the closest one', async () => {
    const { error } = (await (await speak({ model: 'tts-9' })).json()) as ErrorBody;
    expect(error.message).toContain("'ledgerline-speech'");
  });
});
