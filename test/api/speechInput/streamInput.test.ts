import { afterAll, describe, expect, test } from '@jest/globals';
import { VOICE_FORMATS } from '../../../calls/audio/formats.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import { readSound } from '../../support/sound.ts';
import { balanceOf } from '../../support/account.ts';
import { refusalAt } from '../../support/webSocket.ts';
import { fox, read } from '../voice/voiceStage.ts';
import { setSpeechInputStage, soundOf, toldIn } from './speechInputStage.ts';

const begin = { text: ' ' };
const end = { text: '' };

const stage = await setSpeechInputStage();
afterAll(() => stage.close());

const mine = (query = 'output_format=pcm_16000') => ({ key: stage.mine.secret, query });

test('text in parts is spoken whole: sound, character times, bill, and an end by the server', async () => {
  const account = await stage.account({ balanceNanos: stage.creditNanos });
  const text = `${fox} ${fox} `;
  const words = text.split(/(?<= )/).map((word) => ({ text: word }));
  const { frames, code } = await stage.talk([begin, ...words, end], { key: account.secret });
  expect(code).toBe(1000);
  expect(toldIn(frames)).toBe(text);
  const last = frames.at(-1)!;
  expect(last).toEqual({ audio: null, isFinal: true, character_count: text.length, cost_usd: expect.any(Number) });
  await stage.paid(account, nanosOfUsd(String(last.cost_usd)));
  expect(soundOf(frames).length / 32_000).toBeGreaterThan(4);
  for (const { alignment, normalizedAlignment, isFinal } of frames.slice(0, -1)) {
    expect(isFinal).toBeNull();
    expect(normalizedAlignment).toEqual(alignment);
    if (!alignment) continue;
    const { chars, charStartTimesMs, charDurationsMs } = alignment;
    expect([charStartTimesMs.length, charDurationsMs.length]).toEqual([chars.length, chars.length]);
    expect(charStartTimesMs).toEqual(charStartTimesMs.toSorted((one, other) => one - other));
  }
});

test('numbers are spelled out in the normalised alignment', async () => {
  const { frames } = await stage.talk([begin, { text: 'It costs $20. ' }, end], mine());
  const normalized = frames.flatMap(({ normalizedAlignment }) => normalizedAlignment?.chars ?? []).join('');
  expect([toldIn(frames), normalized]).toEqual(['It costs $20. ', 'It costs twenty dollars. ']);
});

test('with sync_alignment each frame has the characters of its own sound, timed from the start of the speech', async () => {
  const { frames } = await stage.talk(
    [begin, { text: `${fox} `, flush: true }, { text: `${fox} ` }, end],
    mine('output_format=pcm_16000&sync_alignment=true'),
  );
  expect(frames.filter(({ alignment }) => alignment).length).toBeGreaterThan(6);
  expect(toldIn(frames)).toBe(`${fox} ${fox} `);
  let [endMs, lastMs] = [0, 0];
  for (const { alignment, audio } of frames) {
    const beginMs = endMs;
    endMs += Buffer.from(audio ?? '', 'base64').length / 32;
    for (const startMs of alignment?.charStartTimesMs ?? []) {
      expect(startMs).toBeGreaterThanOrEqual(lastMs);
      expect(startMs).toBeGreaterThanOrEqual(beginMs - 25);
      expect(startMs).toBeLessThanOrEqual(endMs + 25);
      lastMs = startMs;
    }
  }
});

test('sentences without spaces behind them, as agents send them, are told with one each, which costs nothing', async () => {
  const sentences = ['One sentence.', 'Another.', 'The last one'].map((text) => ({ text }));
  const { frames } = await stage.talk([begin, ...sentences, end], mine('output_format=pcm_16000&auto_mode=true'));
  expect(toldIn(frames)).toBe('One sentence. Another. The last one ');
  expect(frames.flatMap(({ normalizedAlignment }) => normalizedAlignment?.chars ?? []).join('')).toBe(toldIn(frames));
  expect(frames.at(-1)).toMatchObject({ isFinal: true, character_count: 33 });
});

test('a flush brings out everything and says so, and the speech goes on', async () => {
  const socket = await stage.open([begin, { text: 'Short. ', flush: true }], mine());
  await socket.seen(({ flushed }) => flushed === true);
  const before = soundOf(socket.frames).length;
  expect(toldIn(socket.frames)).toBe('Short. ');
  expect(before).toBeGreaterThan(8_000);
  socket.send({ text: 'And more. ' });
  socket.send(end);
  expect(await socket.closed).toMatchObject({ code: 1000 });
  expect(toldIn(socket.frames)).toBe('Short. And more. ');
  expect(socket.frames.map(({ flushed }) => flushed).filter(Boolean)).toEqual([true]);
});

test('with auto_mode a sentence is spoken before the next one is sent, without a flush', async () => {
  const socket = await stage.open([begin, { text: 'One sentence. ' }], mine('auto_mode=true'));
  await socket.seen(({ audio }) => Boolean(audio));
  socket.send(end);
  expect((await socket.closed).code).toBe(1000);
});

test('in each format it is one stream, a flush in its midst included', async () => {
  const chunks = [{ text: 'One. ', flush: true }, { text: 'Two. ' }];
  const talk = async (format: string) => {
    const { frames } = await stage.talk([begin, ...chunks, end], mine(`output_format=${format}&enable_logging=false`));
    expect({ format, last: frames.at(-1) }).toMatchObject({ format, last: { isFinal: true, character_count: 10 } });
    const sound = soundOf(frames);
    expect(sound.length).toBeGreaterThan(3_000);
    const [codec, rate] = format.split('_');
    if (codec === 'mp3' || codec === 'opus') {
      const facts = readSound(sound);
      expect(facts).toMatchObject({ codec, sampleRate: Number(rate) });
      expect(facts.seconds).toBeGreaterThan(0.6);
    } else expect(sound.toString('latin1').split('RIFF')).toHaveLength(codec === 'wav' ? 2 : 1);
  };
  for (const format of VOICE_FORMATS.keys()) await talk(format);
});

describe('text that the voice cannot speak', () => {
  const spokenFor = async (frames: object[]) => {
    const account = await stage.account({ balanceNanos: stage.creditNanos });
    const socket = await stage.talk([begin, ...frames], { key: account.secret });
    return { ...socket, last: socket.frames.at(-1)!, account };
  };

  test.each([
    ['日本語です。', 'unsupported_language'],
    ['Hello 日本語. ', 'unsupported_language'],
    ['😀 🎉', 'invalid_value'],
  ])('%j ends the socket with %s and costs nothing', async (text, code) => {
    const { last, code: closed, frames, account } = await spokenFor([{ text }, end]);
    expect([last.error, closed]).toEqual([code, 1008]);
    expect(soundOf(frames)).toHaveLength(0);
    expect(await balanceOf(stage.db, account.workspaceId)).toBe(stage.creditNanos);
  });

  test('a picture between sentences is passed over, and not billed', async () => {
    const { last, account } = await spokenFor([{ text: 'One. ', flush: true }, { text: '😀 ', flush: true }, end]);
    expect(last).toMatchObject({ isFinal: true, character_count: 5 });
    await stage.paid(account, nanosOfUsd(String(last.cost_usd)));
  });
});

describe('the history', () => {
  const newest = async () =>
    (await read<{ history: Record<string, unknown>[] }>(await stage.call('/voiceapi/v1/history?page_size=1')))
      .history[0]!;

  test('keeps the whole speech as one item, with its sound', async () => {
    const { frames } = await stage.talk([begin, { text: 'Kept. ', flush: true }, { text: 'Both.' }, end], mine());
    const item = await newest();
    expect(item).toMatchObject({ text: 'Kept. Both.', source: 'TTS', content_type: 'audio/pcm' });
    const kept = await stage.call(`/voiceapi/v1/history/${String(item.history_item_id)}/audio`);
    expect(Buffer.from(await kept.arrayBuffer()).equals(soundOf(frames))).toBe(true);
  });

  test('keeps nothing without logging', async () => {
    const before = await newest();
    await stage.talk([begin, { text: 'Not kept.' }, end], mine('enable_logging=false'));
    expect(await newest()).toEqual(before);
  });
});

describe('a key is taken', () => {
  test.each(['x_api_key', 'xi_api_key', 'xi-api-key', 'authorization'])('from %s of the first frame', async (name) => {
    const { secret } = await stage.account({ balanceNanos: stage.creditNanos });
    const key = name === 'authorization' ? `Bearer ${secret}` : secret;
    const { frames, code } = await stage.talk([{ ...begin, [name]: key }, { text: 'Hi.' }, end], {});
    expect([code, frames.at(-1)?.character_count]).toEqual([1000, 3]);
  });

  test('from the subprotocol of a page, which gets it back', async () => {
    const { secret } = await stage.account({ balanceNanos: stage.creditNanos });
    const protocol = `textapi-insecure-api-key.${secret}`;
    const socket = await stage.open([begin, { text: 'Hi.' }, end], { protocols: [protocol] });
    expect(socket.ws.protocol).toBe(protocol);
    expect((await socket.closed).code).toBe(1000);
  });
});

describe('refused before the socket opens', () => {
  const refused = async (key: string) => {
    const { status, body } = await refusalAt(stage.api.url, stage.pathOf('', 'stream-input'), { key });
    return [status, body.error.code];
  };

  test('a wrong key, one of another product, and an empty balance', async () => {
    const [textOnly, broke] = [await stage.account({ scopes: ['llm'] }), await stage.account({ creditUsd: '0' })];
    expect(await refused('sk_live_unknown')).toEqual([401, 'invalid_api_key']);
    expect(await refused(textOnly.secret)).toEqual([403, 'scope_not_allowed']);
    expect(await refused(broke.secret)).toEqual([402, 'insufficient_balance']);
  });
});

describe('closed with 1008 and the reason', () => {
  const ending = async (frames: object[], query?: string, key: string | undefined = stage.mine.secret) => {
    const { frames: received, code, reason } = await stage.talk(frames, { key, query });
    expect([code, received.at(-1)!.code]).toEqual([1008, 1008]);
    // The beginning of the sentence, for clients that show only the reason.
    expect(received.at(-1)!.message).toContain(reason.replace('…', ''));
    expect(reason).toContain(' ');
    return [received.at(-1)!.error, received.at(-1)!.param];
  };

  test.each([
    ['an unknown format', 'output_format=mp3_1_1', ['validation_error', 'output_format']],
    ['SSML', 'enable_ssml_parsing=true', ['unsupported_parameter', 'enable_ssml_parsing']],
    ['a timeout that is too long', 'inactivity_timeout=181', ['validation_error', 'inactivity_timeout']],
    ['a parameter twice', 'seed=1&seed=2', ['validation_error', 'seed']],
    ['an unknown parameter', 'tempo=fast', ['validation_error', 'tempo']],
    ['a language that no engine speaks', 'language_code=xx', ['unsupported_parameter', 'language_code']],
    ['no text normalisation', 'apply_text_normalization=off', ['unsupported_parameter', 'apply_text_normalization']],
  ])('%s', async (_, query, wanted) => expect(await ending([begin], query)).toEqual(wanted));

  test.each<[string, object[], unknown[]]>([
    ['a frame without text', [{ flush: true }], ['validation_error', 'text']],
    [
      'a schedule of too short chunks',
      [{ text: ' ', generation_config: { chunk_length_schedule: [10] } }],
      ['validation_error', 'generation_config.chunk_length_schedule.0'],
    ],
    [
      'an unsupported member',
      [{ text: ' ', pronunciation_dictionary_locators: [{}] }],
      ['unsupported_parameter', 'pronunciation_dictionary_locators'],
    ],
    [
      'settings that change',
      [
        { text: 'a', voice_settings: { speed: 1 } },
        { text: 'b', voice_settings: { speed: 2 } },
      ],
      ['validation_error', 'voice_settings'],
    ],
  ])('%s', async (_, frames, wanted) => expect(await ending(frames)).toEqual(wanted));

  test('a frame that is no JSON', async () => {
    const socket = await stage.open([], mine());
    socket.send('{');
    expect(await socket.closed).toEqual({ code: 1008, reason: expect.stringMatching(/JSON.*\.$/) });
  });

  test('a first frame without a key, with a wrong one, and one of an empty account', async () => {
    const broke = await stage.account({ creditUsd: '0' });
    expect(await ending([begin], undefined, '')).toEqual(['invalid_api_key', null]);
    expect(await ending([{ ...begin, x_api_key: 'sk_live_unknown' }], undefined, '')).toEqual([
      'invalid_api_key',
      null,
    ]);
    expect(await ending([{ ...begin, x_api_key: broke.secret }], undefined, '')).toEqual([
      'insufficient_balance',
      null,
    ]);
  });

  test('a first frame with a key that is too large, and an unknown voice', async () => {
    const key = stage.mine.secret;
    expect(
      await ending([{ text: 'x'.repeat(40_000), 'xi-api-key': key, authorization: 'y'.repeat(40_000) }], undefined, ''),
    ).toEqual(['frame_too_large', null]);
    const socket = await stage.open([begin], { ...mine(), voice: 'nobody' });
    expect(await socket.closed).toEqual({ code: 1008, reason: 'A voice with the voice_id nobody was not found.' });
  });
});

test('a frame that is too large closes the socket with 1009', async () => {
  const socket = await stage.open([begin], mine());
  socket.send({ text: 'x'.repeat(1_100_000) });
  expect(await socket.closed).toMatchObject({ code: 1009 });
});

test('without frames it ends with 1000: what waits for its chunk is not spoken, nor billed', async () => {
  const { frames, code } = await stage.talk([begin, { text: 'Waits ' }], mine('inactivity_timeout=1'));
  expect(code).toBe(1000);
  expect(frames).toEqual([{ audio: null, isFinal: true, character_count: 0, cost_usd: 0 }]);
});

test('a speech whose money ends is heard to the end of what was paid for', async () => {
  const text = `${fox} `;
  const first = { ...begin, generation_config: { chunk_length_schedule: [50] } };
  const words = [first, { text: text.repeat(2) }, { text: text.repeat(2) }, end];
  const query = 'output_format=mp3_44100_64';
  const whole = await stage.talk(words, mine(query));
  const characterNanos = nanosOfUsd(String(whole.frames.at(-1)!.cost_usd)) / BigInt(4 * text.length);
  const account = await stage.account({ balanceNanos: characterNanos * BigInt(3 * text.length) });
  const { frames, code } = await stage.talk(words, { key: account.secret, query });
  expect([code, frames.at(-1)!.error]).toEqual([1008, 'insufficient_balance']);
  const told = toldIn(frames);
  expect(told.length).toBeGreaterThan(text.length);
  const paid = await stage.talk([first, { text: told }, end], mine(query));
  expect(soundOf(frames)).toHaveLength(soundOf(paid.frames).length);
});
