import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { retime } from '../../support/clock.ts';
import { until } from '../../support/until.ts';
import { socketAt, type TestSocket } from '../../support/webSocket.ts';
import { conversion, sendSound, setAudioStage, transcription } from '../stages/audioStage.ts';
import type { Account } from '../stages/moneyStage.ts';

const creditNanos = 1_000_000_000n;
let mine: Account;

const stage = await setAudioStage({ apis: 1 });
afterAll(() => stage.close());
beforeEach(async () => {
  mine = await stage.account({ balanceNanos: creditNanos });
});

const post = (path: string, body: object) =>
  fetch(stage.urls()[0]! + path, {
    method: 'POST',
    headers: { 'xi-api-key': mine.secret, authorization: `Bearer ${mine.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const routes: [string, string, () => Promise<Response>][] = [
  ['OpenAI’s speech', 'text', () => post('/v1/audio/speech', { model: 'tts-1', voice: 'alloy', input: 'Bad words.' })],
  ['OpenAI’s transcription', 'text', () => sendSound(stage.urls()[0]!, mine, transcription, 1)],
  ['ElevenLabs’ speech', 'voice', () => post('/voiceapi/v1/text-to-speech/alloy', { text: 'Bad words.' })],
  ['ElevenLabs’ conversion', 'voice', () => sendSound(stage.urls()[0]!, mine, conversion, 1)],
];

describe.each(routes)('%s', (_, family, call) => {
  test("that the upstream's moderation refuses is the request's fault, tried once and not billed", async () => {
    stage.voice.setScript({ status: 403, code: 'content_against_policy' });
    const response = await call();
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([400, 'false']);
    const body = (await response.json()) as { error: { code: string }; detail?: { status: string; message: string } };
    expect(body.error.code).toBe('content_policy_violation');
    if (family === 'voice') expect(body.detail?.status).toBe('content_against_policy');
    expect(stage.voice.calls()).toHaveLength(1);
    expect(await stage.balance(mine)).toBe(creditNanos);
    await stage.quiet(mine.accountId);
  });

  test("answers 503 without details when the platform's own quota is exhausted, and alarms the operator", async () => {
    stage.voice.setScript({ status: 401, code: 'quota_exceeded' });
    const response = await call();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    const text = await response.text();
    expect(text).toContain('"overloaded"');
    expect(text).not.toMatch(/quota/i);
    const isAlarm = (line: string) => line.includes('"upstream_account"') && line.includes('"level":50');
    await until(() => stage.running[0]!.lines.some(isAlarm));
    expect(await stage.balance(mine)).toBe(creditNanos);
    await stage.quiet(mine.accountId);
  });
});

const streamed = { ...transcription, fields: { ...transcription.fields, stream: 'true' } };
const spoken = { model: 'tts-1', voice: 'alloy', input: 'Late words.', stream_format: 'sse' };

test.each([
  ['transcription', 'transcript.text', () => sendSound(stage.urls()[0]!, mine, streamed, 1)],
  ['speech', 'speech.audio', () => post('/v1/audio/speech', spoken)],
])('a streamed %s is kept alive while it is silent, also before an error', async (_, event, call) => {
  retime({ fromMs: 10_000, toMs: 50 });
  const heard = async (status: number) => {
    let answer = () => {};
    stage.voice.setScript({ status, after: new Promise<void>((resolve) => (answer = resolve)) });
    const response = await call();
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    answer();
    return response.text();
  };
  const [words, failure] = [await heard(200), await heard(500)];
  jest.restoreAllMocks();
  expect(words).toMatch(/^(: keep-alive\n\n)+data: \{"type":"/);
  expect(words.match(/(?<=^data: \{"type":")[a-z.]*/gm)!.slice(-2)).toEqual([`${event}.delta`, `${event}.done`]);
  expect(failure).toMatch(/^(: keep-alive\n\n)+data: \{"error":\{[^]*"provider_failed"[^]*\n\n$/);
});

test('speech in JSON lines is kept alive by empty lines, which clients of ElevenLabs skip', async () => {
  retime({ fromMs: 10_000, toMs: 50 });
  const path = '/voiceapi/v1/text-to-speech/alloy/stream/with-timestamps?output_format=pcm_24000';
  const begin = async (status: number) => {
    let answer = () => {};
    stage.voice.setScript({ status, after: new Promise<void>((resolve) => (answer = resolve)) });
    const response = await post(path, { text: 'Late words.' });
    expect([response.status, response.headers.get('x-accel-buffering')]).toEqual([200, 'no']);
    answer();
    return response;
  };
  const spoken = await (await begin(200)).text();
  const failed = await begin(500);
  await expect(failed.text()).rejects.toThrow();
  jest.restoreAllMocks();
  expect(spoken).toMatch(/^\n+\{/);
  for (const line of spoken.trim().split(/\n+/))
    expect(JSON.parse(line)).toMatchObject({ audio_base64: expect.any(String) });
});

test('a turn of a session that could not be written down fails one response, and not those that follow', async () => {
  stage.voice.setScript({ status: 500 });
  const socket = await socketAt(stage.urls()[0]!, '/v1/realtime?model=gpt-realtime', { key: mine.secret });
  const input = { turn_detection: null, transcription: { model: 'whisper-1' } };
  socket.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'], audio: { input } } });
  socket.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(48_000).toString('base64') });
  socket.send({ type: 'input_audio_buffer.commit' });
  socket.send({ type: 'response.create', event_id: 'unheard' });
  await socket.next('conversation.item.input_audio_transcription.failed');
  expect((await socket.next('error')).error).toMatchObject({ type: 'api_error', event_id: 'unheard' });
  const content = [{ type: 'input_text', text: 'Then I write it.' }];
  socket.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
  socket.send({ type: 'response.create' });
  expect((await socket.next('response.done')).response).toMatchObject({ status: 'completed' });
  socket.ws.close();
  await stage.quiet(mine.accountId);
});

describe('speech that is written down while it is spoken', () => {
  const second = Buffer.alloc(32_000, 1);
  const chunk = (commit: boolean) => ({
    message_type: 'input_audio_chunk',
    audio_base_64: second.toString('base64'),
    commit,
  });
  const open = (account: Account) =>
    socketAt(stage.urls()[0]!, '/voiceapi/v1/speech-to-text/realtime?model_id=scribe_v2_realtime', {
      key: account.secret,
    });
  const typesIn = (socket: TestSocket) => socket.events.map(({ message_type }) => message_type);

  test('is billed by its turns: one that could not be written down costs nothing', async () => {
    stage.voice.setScript({ status: 500 });
    const socket = await open(mine);
    // More than one window of ten seconds.
    for (let at = 0; at < 12; at += 1) socket.send(chunk(at === 11));
    await until(() => typesIn(socket).includes('transcriber_error'));
    stage.voice.setScript({});
    for (let at = 0; at < 3; at += 1) socket.send(chunk(at === 2));
    await until(() => typesIn(socket).includes('committed_transcript'));
    socket.ws.close();
    await stage.quiet(mine.accountId);
    expect(await stage.balance(mine)).toBe(creditNanos - 3n * transcription.secondNanos);
  });

  test('is billed so in a session of OpenAI’s protocol too, which ends with what is paid for', async () => {
    stage.voice.setScript({ status: 500 });
    const account = await stage.account({ balanceNanos: 3n * transcription.secondNanos });
    const socket = await socketAt(stage.urls()[0]!, '/v1/realtime?intent=transcription', { key: account.secret });
    const audio = { input: { turn_detection: null, transcription: { model: 'whisper-1' } } };
    socket.send({ type: 'session.update', session: { type: 'transcription', audio } });
    const append = () =>
      socket.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(48_000, 1).toString('base64') });
    append();
    socket.send({ type: 'input_audio_buffer.commit' });
    await socket.next('conversation.item.input_audio_transcription.failed');
    stage.voice.setScript({});
    for (let at = 0; at < 5; at += 1) append();
    expect((await socket.closed).code).toBe(1008);
    const types = socket.events.map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['conversation.item.input_audio_transcription.completed', 'error']);
    expect(stage.voice.calls()[0]!.seconds).toBe(3);
    await stage.quiet(account.accountId);
    expect(await stage.balance(account)).toBe(0n);
  });

  test('is written down as far as the money paid for it', async () => {
    stage.voice.setScript({});
    const account = await stage.account({ balanceNanos: 2n * transcription.secondNanos });
    const socket = await open(account);
    for (let at = 0; at < 4; at += 1) socket.send(chunk(false));
    expect((await socket.closed).code).toBe(1008);
    expect(typesIn(socket).slice(-2)).toEqual(['committed_transcript', 'quota_exceeded']);
    expect(stage.voice.calls()[0]!.seconds).toBe(2);
    await stage.quiet(account.accountId);
    expect(await stage.balance(account)).toBe(0n);
  });
});
