import { afterAll, describe, expect, test } from '@jest/globals';
import { VOICE_FORMATS } from '../../../calls/audio/formats.ts';
import { fox, read, setVoiceStage } from './voiceStage.ts';

const stage = await setVoiceStage();
afterAll(() => stage.close());

interface Alignment {
  characters: string[];
  character_start_times_seconds: number[];
  character_end_times_seconds: number[];
}
interface Timed {
  audio_base64: string;
  alignment: Alignment | null;
  normalized_alignment: Alignment | null;
}
interface Refusal {
  error: { code: string; param: string | null };
  detail: { loc: string[]; msg: string; type: string }[] | { status: string; message: string };
}

describe('speech', () => {
  test('has headers with its cost and its history item', async () => {
    const response = await stage.speak('21m00Tcm4TlvDq8ikWAM', { model_id: 'eleven_turbo_v2' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(response.headers.get('character-cost')).toBe(String(fox.length));
    expect(response.headers.get('x-cost-usd')).toBe('0.000675');
    expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
    const sound = Buffer.from(await response.arrayBuffer());
    const id = response.headers.get('history-item-id')!;
    expect(await read(await stage.call(`/voiceapi/v1/history/${id}`))).toMatchObject({
      history_item_id: id,
      text: fox,
      voice_id: '21m00Tcm4TlvDq8ikWAM',
      voice_name: 'Rachel',
      model_id: 'eleven_turbo_v2',
      source: 'TTS',
      character_count_change_to: fox.length,
      content_type: 'audio/mpeg',
    });
    const kept = await stage.call(`/voiceapi/v1/history/${id}/audio`);
    expect(kept.headers.get('content-type')).toBe('audio/mpeg');
    expect(Buffer.from(await kept.arrayBuffer()).equals(sound)).toBe(true);
  });

  test.each([...VOICE_FORMATS])('is encoded as %s', async (name, { mediaType }) => {
    const response = await stage.speak(`alloy/stream?output_format=${name}`, { text: 'One.' });
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  });

  test('with timestamps has the start of each character, whole and as lines', async () => {
    const text = 'One sentence. And another one.';
    const whole = await read<Timed>(await stage.speak('alloy/with-timestamps', { text }));
    expect(whole.alignment!.characters.join('')).toBe(text);
    expect(whole.alignment!.character_start_times_seconds).toHaveLength(text.length);
    expect(whole.normalized_alignment).toEqual(whole.alignment);
    const written = 'Dr. Smith paid $100.50.';
    const spelled = await read<Timed>(await stage.speak('alloy/with-timestamps', { text: written }));
    expect(spelled.alignment!.characters.join('')).toBe(written);
    const { characters, character_start_times_seconds: starts } = spelled.normalized_alignment!;
    expect(characters.join('')).toBe('doctor Smith paid one hundred dollars and fifty cents.');
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    expect(Math.max(...starts)).toBeLessThanOrEqual(Math.max(...spelled.alignment!.character_end_times_seconds));
    expect(whole.normalized_alignment).toEqual(whole.alignment);
    const response = await stage.speak('alloy/stream/with-timestamps', { text });
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Timed);
    expect(lines.flatMap(({ alignment }) => alignment?.characters ?? []).join('')).toBe(text);
    const joined = Buffer.concat(lines.map(({ audio_base64: sound }) => Buffer.from(sound, 'base64')));
    expect(joined.equals(Buffer.from(whole.audio_base64, 'base64'))).toBe(true);
  });

  test('is not in the history when its caller disables that', async () => {
    const response = await stage.speak('alloy?enable_logging=false');
    await response.arrayBuffer();
    expect(response.headers.has('history-item-id')).toBe(false);
  });

  test.each([
    ['alloy', {}, 'output_format=mp3_1_1', 422, 'validation_error', 'output_format'],
    ['alloy', { text: '' }, '', 422, 'validation_error', 'text'],
    ['alloy', { text: 'a'.repeat(40_001) }, '', 422, 'text_too_long', 'text'],
    ['alloy', { voice_settings: { stability: 2 } }, '', 422, 'validation_error', 'voice_settings.stability'],
    [
      'alloy',
      { pronunciation_dictionary_locators: [{}] },
      '',
      422,
      'unsupported_parameter',
      'pronunciation_dictionary_locators',
    ],
    ['alloy', { previous_request_ids: ['req_1'] }, '', 422, 'unsupported_parameter', 'previous_request_ids'],
    ['alloy', { audio_effects: { pan: 1 } }, '', 422, 'unsupported_parameter', 'audio_effects'],
    ['nobody', {}, '', 404, 'voice_not_found', null],
    ['alloy', { model_id: 'tts-9' }, '', 404, 'model_not_found', 'model_id'],
  ])('refuses an invalid request, %#', async (voice, members, query, status, code, param) => {
    const { error, detail } = await read<Refusal>(await stage.speak(`${voice}?${query}`, members), status);
    expect(error).toMatchObject({ code, param });
    if (status === 422) expect(detail).toMatchObject([{ loc: expect.arrayContaining(param!.split('.')) }]);
    else expect(detail).toEqual({ status: code, message: expect.any(String) });
  });

  test("requires the scope voice, and reports a reached limit in the vendor's format", async () => {
    const { secret } = await stage.account({ scopes: ['llm'] });
    expect((await read<Refusal>(await stage.speak('alloy', {}, secret), 403)).detail).toMatchObject({
      status: 'scope_not_allowed',
    });
    const limited = await stage.account({ rpmLimit: 1 });
    await (await stage.speak('alloy', {}, limited.secret)).arrayBuffer();
    const refused = await stage.speak('alloy', {}, limited.secret);
    expect(refused.headers.has('x-ratelimit-reset')).toBe(false);
    expect((await read<Refusal>(refused, 429)).detail).toMatchObject({ status: 'rate_limit_exceeded' });
  });
});

test.each([
  ['DELETE', '', undefined],
  ['POST', '/settings/edit', '{"speed":1.1}'],
])('a premade voice can be neither removed nor changed, %s %s', async (method, action, body) => {
  const answer = await stage.call(`/voiceapi/v1/voices/alloy${action}`, { method, ...(body && { body }) });
  expect((await read<Refusal>(answer, 422)).detail).toMatchObject([{ loc: ['path', 'voice_id'] }]);
});

describe('a cloned voice', () => {
  const add = async (fields: Record<string, string> = {}, key?: string) =>
    stage.send('/voiceapi/v1/voices/add', { name: 'Mine', ...fields, files: await stage.sound() }, key);

  test('is created from samples, speaks with the model for cloned voices, and can be changed and removed', async () => {
    const { voice_id: id } = await read<{ voice_id: string }>(await add({ labels: '{"accent":"odd"}' }));
    expect(await read(await stage.call(`/voiceapi/v1/voices/${id}`))).toMatchObject({
      voice_id: id,
      name: 'Mine',
      category: 'cloned',
      labels: { accent: 'odd' },
      samples: [{ file_name: 'speech.bin' }],
    });
    const spoken = await stage.speak(id, { model_id: 'eleven_multilingual_v2' });
    expect(spoken.headers.get('x-cost-usd')).toBe('0.00135');
    await spoken.arrayBuffer();
    await read(await stage.send(`/voiceapi/v1/voices/${id}/edit`, { name: 'Renamed' }));
    // A setting that is not sent stays.
    for (const settings of [{ speed: 1.2 }, { stability: 0.9, speed: null }, {}])
      await read(stage.call(`/voiceapi/v1/voices/${id}/settings/edit`, { body: JSON.stringify(settings) }));
    const settings = await read(stage.call(`/voiceapi/v1/voices/${id}/settings`));
    expect(settings).toMatchObject({ speed: 1.2, stability: 0.9, style: 0 });
    const { voices } = await read<{ voices: { name: string }[] }>(
      await stage.call('/voiceapi/v2/voices?category=cloned'),
    );
    expect(voices.map(({ name }) => name)).toEqual(['Renamed']);
    await read(await stage.call(`/voiceapi/v1/voices/${id}`, { method: 'DELETE' }));
    expect((await stage.speak(id)).status).toBe(404);
    const left = await stage.db.pool.query("select from files where purpose = 'voice_sample' and deleted_at is null");
    expect(left.rowCount).toBe(0);
  });

  test.each([
    ['null', 200],
    ['"{\\"a\\":\\"b\\"}"', 200],
    ['', 422],
    ['{a', 422],
    ['[1]', 422],
    ['{"a":1}', 422],
    ['{"a":"\\u0000"}', 422],
    ['{"\\u0000":"a"}', 422],
    ['{"a":"\\ud800"}', 422],
    ['{"__proto__":"a"}', 422],
  ])('accepts labels as a JSON object: %s', async (labels, status) => {
    const body = await read<Refusal>(await add({ labels }), status);
    if (status === 422) expect(body.error).toMatchObject({ code: 'invalid_labels', param: 'labels' });
  });

  test.each([
    ['a\0.mp3', 'a\ufffd.mp3'],
    ['\u{1f600}'.repeat(201), '\u{1f600}'.repeat(200)],
  ])('stores the names of its samples, with invalid ones replaced: %j', async (filename, name) => {
    const form = new FormData();
    form.set('name', 'Mine');
    form.append('files', new Blob([await stage.sound()]), filename);
    const headers = { 'xi-api-key': stage.mine.secret };
    const added = await fetch(`${stage.api.url}/voiceapi/v1/voices/add`, { method: 'POST', body: form, headers });
    const { voice_id: id } = await read<{ voice_id: string }>(added);
    const voice = await read<{ samples: { file_name: string }[] }>(await stage.call(`/voiceapi/v1/voices/${id}`));
    expect(voice.samples.map(({ file_name: kept }) => kept)).toEqual([name]);
  });

  test('is refused for files without audio', async () => {
    const files = new TextEncoder().encode('not a sound at all');
    const response = await stage.send('/voiceapi/v1/voices/add', { name: 'Mine', files });
    expect((await read<Refusal>(response, 400)).error).toMatchObject({ code: 'invalid_audio', param: 'files' });
  });
});

describe('another workspace', () => {
  test('can neither see nor use nor remove a voice or a history item', async () => {
    const { voice_id: voice } = await read<{ voice_id: string }>(
      await stage.send('/voiceapi/v1/voices/add', { name: 'Canary', files: await stage.sound() }),
    );
    const spoken = await stage.speak('alloy');
    await spoken.arrayBuffer();
    const item = spoken.headers.get('history-item-id')!;
    const key = stage.other.secret;
    const asked: [string, { method?: string; body?: string }?][] = [
      [`/voiceapi/v1/voices/${voice}`],
      [`/voiceapi/v1/voices/${voice}`, { method: 'DELETE' }],
      [`/voiceapi/v1/voices/${voice}/settings`],
      [`/voiceapi/v1/voices/${voice}/settings/edit`, { body: '{"speed":1}' }],
      [`/voiceapi/v1/text-to-speech/${voice}`, { body: '{"text":"a"}' }],
      [`/voiceapi/v1/history/${item}`],
      [`/voiceapi/v1/history/${item}/audio`],
      [`/voiceapi/v1/history/${item}`, { method: 'DELETE' }],
    ];
    for (const [path, more] of asked)
      expect([path, (await stage.call(path, { key, ...more })).status]).toEqual([path, 404]);
    expect((await stage.send(`/voiceapi/v1/voices/${voice}/edit`, { name: 'x' }, key)).status).toBe(404);
    const lists = await Promise.all(
      ['/voiceapi/v1/voices', '/voiceapi/v2/voices?page_size=100', '/voiceapi/v1/history', '/v1/files'].map(
        async (path) => (await stage.call(path, { key })).text(),
      ),
    );
    expect(lists.filter((text) => text.includes(voice) || text.includes(item) || text.includes('Canary'))).toEqual([]);
    expect((await stage.call(`/voiceapi/v1/history/${item}`)).status).toBe(200);
  });
});

describe('the history', () => {
  test('is paged, without removed items', async () => {
    const key = (await stage.account()).secret;
    for (const text of ['One.', 'Two.', 'Three.']) await (await stage.speak('alloy', { text }, key)).arrayBuffer();
    type Page = {
      history: { history_item_id: string; text: string }[];
      has_more: boolean;
      last_history_item_id: string;
    };
    const first = await read<Page>(await stage.call('/voiceapi/v1/history?page_size=2', { key }));
    expect(first.history.map(({ text }) => text)).toEqual(['Three.', 'Two.']);
    expect(first.has_more).toBe(true);
    const after = `start_after_history_item_id=${first.last_history_item_id}`;
    const second = await read<Page>(await stage.call(`/voiceapi/v1/history?${after}`, { key }));
    expect(second).toMatchObject({ history: [{ text: 'One.' }], has_more: false });
    const path = `/voiceapi/v1/history/${first.last_history_item_id}`;
    await read(await stage.call(path, { key, method: 'DELETE' }));
    expect((await stage.call(`${path}/audio`, { key })).status).toBe(404);
  });
});

describe('conversion', () => {
  test('answers in another voice, billed by the decoded seconds', async () => {
    const account = await stage.account({ balanceNanos: stage.creditNanos });
    const audio = await stage.sound('wav_16000');
    const seconds = (audio.length - 44) / 32_000;
    const response = await stage.send(
      '/voiceapi/v1/speech-to-speech/echo?output_format=pcm_16000',
      { audio, voice_settings: '{"stability":0.4}' },
      account.secret,
    );
    expect(response.status).toBe(200);
    const sound = await response.arrayBuffer();
    expect(Math.abs(sound.byteLength / 32_000 - seconds)).toBeLessThan(seconds * 0.02);
    await stage.paid(account, BigInt(Math.round(seconds * 1000)) * 2_000n);
    const streamed = await stage.send('/voiceapi/v1/voice-changer/echo/stream', { audio }, account.secret);
    expect(streamed.headers.get('content-type')).toBe('audio/mpeg');
    expect((await streamed.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
  });

  test('without audio, or with settings that are not JSON or too deep, is refused', async () => {
    const audio = await stage.sound('wav_16000', 'One.');
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    for (const [fields, param] of [
      [{ model_id: 'eleven_multilingual_sts_v2' }, 'audio'],
      [{ audio, voice_settings: '{' }, 'voice_settings'],
      [{ audio, voice_settings: deep }, 'voice_settings'],
    ] as const) {
      const response = await stage.send('/voiceapi/v1/speech-to-speech/echo', fields);
      expect((await read<Refusal>(response, 422)).error.param).toBe(param);
    }
  });
});

test('a transcription accepts false for features that it does not have', async () => {
  const no = { model_id: 'scribe_v1', diarize: 'false', no_verbatim: 'False', use_speaker_library: 'false' };
  const damaged = { ...no, file: new Uint8Array(8) };
  // The fields are accepted: the error is about the audio.
  const refused = await read<Refusal>(await stage.send('/voiceapi/v1/speech-to-text', damaged), 400);
  expect(refused.error.code).toBe('invalid_audio');
});

// Vercel's client sends `diarize` twice, which is written as a list.
const REFUSED = ['diarize', 'num_speakers', 'no_verbatim', 'numbers_format', 'secondary_language_codes'];
test.each([...REFUSED, 'cloud_storage_url', ['diarize']])('a transcription refuses %p', async (sent) => {
  const [name, value] = typeof sent === 'string' ? [sent, '2'] : [sent[0]!, ['true', 'false']];
  const fields = { model_id: 'scribe_v1', [name]: value, file: await stage.sound('wav_16000', 'One.') };
  const { error, detail } = await read<Refusal>(await stage.send('/voiceapi/v1/speech-to-text', fields), 422);
  expect(error).toMatchObject({ code: 'unsupported_parameter', param: name });
  expect(detail).toMatchObject([{ loc: ['body', name] }]);
});
