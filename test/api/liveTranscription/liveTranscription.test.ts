import { afterAll, describe, expect, test } from '@jest/globals';
import { setVoiceStage } from '../voice/voiceStage.ts';
import { until } from '../../support/until.ts';
import { refusalAt, socketAt } from '../../support/webSocket.ts';

const text = 'Hello, how are you today?';
/** What is heard in it, whatever the case and the marks. */
const plain = (heard: unknown) =>
  String(heard)
    .toLowerCase()
    .replace(/[^a-z ]/g, '');
const USD_NANOS_A_MS = 100n;

const stage = await setVoiceStage();
const words = Buffer.from(await stage.sound('pcm_16000', text));
afterAll(() => stage.close());

interface ServerFrame extends Record<string, unknown> {
  message_type: string;
  words?: { text: string; start: number; end: number; type: string; logprob: number }[] | null;
}

const silence = (ms: number, bytesAMs = 32) => Buffer.alloc(ms * bytesAMs);
/** A frame as both frameworks send it. */
const chunk = (sound: Buffer, commit = false, sample_rate = 16_000) => ({
  message_type: 'input_audio_chunk',
  audio_base_64: sound.toString('base64'),
  commit,
  sample_rate,
});

async function open(query: string, key = stage.mine.secret) {
  const path = `/voiceapi/v1/speech-to-text/realtime?model_id=scribe_v2_realtime&${query}`;
  const socket = await socketAt(stage.api.url, path, { headers: { 'xi-api-key': key } });
  const frames = socket.events as unknown as ServerFrame[];
  const next = async (type: string, count = 1) => {
    const found = () => frames.filter(({ message_type }) => message_type === type);
    await until(() => found().length >= count || socket.ws.readyState === socket.ws.CLOSED);
    if (found().length < count) throw new Error(`closed without ${type}: ${JSON.stringify(frames.at(-1))}`);
    return found()[count - 1]!;
  };
  /** Sends sound in pieces of 50 ms. */
  const say = (sound: Buffer, pieceBytes = 1_600, rate = 16_000) => {
    for (let at = 0; at < sound.length; at += pieceBytes)
      socket.send(chunk(sound.subarray(at, at + pieceBytes), false, rate));
  };
  return { ...socket, frames, next, say };
}

test('a turn that its client ends is written down once, and paid for as sound', async () => {
  const account = await stage.account({ balanceNanos: stage.creditNanos });
  const query = 'audio_format=pcm_16000&commit_strategy=manual&enable_logging=true';
  const socket = await open(query, account.secret);
  const started = await socket.next('session_started');
  expect(started).toMatchObject({ session_id: expect.any(String), config: { sample_rate: 16_000 } });
  socket.say(words);
  socket.send(chunk(Buffer.alloc(0)));
  socket.send(chunk(Buffer.alloc(0), true));
  expect(plain((await socket.next('committed_transcript')).text)).toBe(plain(text));
  // LiveKit ends a turn, then its stream: the second end has no sound.
  socket.send(chunk(Buffer.alloc(0), true));
  expect(await socket.next('committed_transcript', 2)).toEqual({ message_type: 'committed_transcript', text: '' });
  socket.ws.close();
  await socket.closed;
  await stage.paid(account, BigInt(words.length / 32) * USD_NANOS_A_MS);
  expect([...new Set(socket.frames.map(({ message_type }) => message_type))].toSorted()).toEqual([
    'committed_transcript',
    'partial_transcript',
    'session_started',
  ]);
});

test('turns are found in the sound, with the times of their words in the session', async () => {
  const query = 'commit_strategy=vad&vad_silence_threshold_secs=0.5&include_timestamps=true&language_code=eng';
  const socket = await open(query);
  socket.say(Buffer.concat([silence(400), words, silence(1_000), words, silence(1_000)]));
  const [first, second] = [
    await socket.next('committed_transcript_with_timestamps'),
    await socket.next('committed_transcript_with_timestamps', 2),
  ];
  for (const turn of [first, second]) {
    expect([plain(turn.text), turn.language_code]).toEqual([plain(text), 'en']);
    expect(plain(turn.words!.map((word) => word.text).join(''))).toBe(plain(text));
    for (const { start, end, type } of turn.words!) {
      expect(end).toBeGreaterThanOrEqual(start);
      expect(['word', 'spacing']).toContain(type);
    }
  }
  const wordsMs = words.length / 32;
  expect(first.words![0]!.start).toBeGreaterThan(0.2);
  expect(first.words!.at(-1)!.end).toBeLessThan((400 + wordsMs + 300) / 1_000);
  expect(second.words![0]!.start).toBeGreaterThan((wordsMs + 1_000) / 1_000);
  expect(socket.frames.filter(({ message_type }) => message_type === 'committed_transcript')).toHaveLength(2);
  socket.ws.close();
});

test('the sound of telephones is understood, and the language told without times', async () => {
  const socket = await open('audio_format=ulaw_8000&include_language_detection=true');
  const telephone = Buffer.from(await stage.sound('ulaw_8000', text));
  socket.say(telephone, 160, 8_000);
  socket.send(chunk(Buffer.alloc(0), true, 8_000));
  const turn = await socket.next('committed_transcript_with_timestamps');
  expect(turn).toMatchObject({ language_code: 'en', words: null });
  expect(plain(turn.text)).toContain('how are you');
  socket.ws.close();
});

test('a bad frame is told by name, and the session goes on', async () => {
  const socket = await open('');
  socket.send('no JSON');
  socket.send({ message_type: 'input_audio_chunk', audio_base_64: 'AA==', commit: false });
  socket.send({ message_type: 'input_audio_chunk', audio_base_64: '!!', commit: false });
  socket.send(chunk(silence(50), false, 8_000));
  await socket.next('input_error', 4);
  expect(socket.frames.slice(1).map(({ code, param }) => [code, param])).toEqual([
    ['invalid_json', null],
    ['validation_error', 'audio_base_64'],
    ['validation_error', 'audio_base_64'],
    ['validation_error', 'sample_rate'],
  ]);
  socket.send(chunk(Buffer.alloc(0), true));
  await socket.next('committed_transcript');
  socket.ws.close();
});

test('an empty balance ends the session with quota_exceeded', async () => {
  const account = await stage.account({ balanceNanos: 1_000_000n });
  const socket = await open('', account.secret);
  socket.say(silence(12_000), 320_000);
  await socket.next('quota_exceeded');
  expect(await socket.closed).toEqual({
    code: 1008,
    reason: expect.stringMatching(/^You exceeded your current quota: .*/),
  });
});

describe('refused before the socket opens', () => {
  test.each([
    ['model_id=scribe_v2_realtime&keyterms=Ledgerline', 422, 'validation_error'],
    ['model_id=scribe_v2_realtime&commit_strategy=vad&commit_strategy=manual', 422, 'validation_error'],
    ['model_id=scribe_v2_realtime&audio_format=mp3', 422, 'validation_error'],
    ['model_id=scribe_v2_realtime&language_code=de', 422, 'unsupported_parameter'],
    ['model_id=scribe_v2_realtime&no_verbatim=true', 422, 'validation_error'],
    ['audio_format=pcm_16000', 422, 'validation_error'],
    ['model_id=unknown', 404, 'model_not_found'],
  ])('%s', async (query, status, code) => {
    const path = `/voiceapi/v1/speech-to-text/realtime?${query}`;
    const refusal = await refusalAt(stage.api.url, path, { headers: { 'xi-api-key': stage.mine.secret } });
    expect([refusal.status, refusal.body.error.code]).toEqual([status, code]);
    if (status === 422) expect(refusal.body).toMatchObject({ detail: [{ loc: ['query', expect.any(String)] }] });
  });

  test('without a key', async () => {
    const path = '/voiceapi/v1/speech-to-text/realtime?model_id=scribe_v2_realtime';
    expect((await refusalAt(stage.api.url, path)).status).toBe(401);
  });
});
