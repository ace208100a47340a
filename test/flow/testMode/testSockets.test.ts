import { afterAll, describe, expect, test } from '@jest/globals';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { soundOf, speechSockets, toldIn } from '../../api/speechInput/speechInputStage.ts';
import { until } from '../../support/until.ts';
import { refusalAt, socketAt } from '../../support/webSocket.ts';
import {
  answered,
  end,
  hearOnce,
  nextResponse,
  say,
  setTestSocketStage,
  speak,
  talkOnce,
  textIn,
  update,
} from './testSocketStage.ts';

// A path whose upstream leads the session, and a path that combines the service's own models.
const PASSED = '/v1/realtime?model=gpt-passed';
const OWN = '/v1/realtime?model=gpt-realtime';
const { open, talk } = speechSockets(() => stage.url);

const stage = await setTestSocketStage();
afterAll(() => stage.close());

describe.each([
  ['an upstream leads', PASSED],
  ['the service leads', OWN],
])('a realtime session that %s, with a test key', (_, path) => {
  test('has the same answer, sound and usage each time, for test money', async () => {
    const [one, other] = await Promise.all([talkOnce(stage, path), talkOnce(stage, path)]);
    expect(one.said).toEqual(other.said);
    expect(one.said.text).toContain('You asked: “How much is a call?”');
    expect(one.said.sound.length).toBeGreaterThan(64_000);
    const [bill] = await stage.billsOf(one.socket);
    expect(bill).toMatchObject({ status: 200, upstream: 'test' });
    expect(Number(bill!.cost_nanos)).toBe(Math.round(one.cost! * 1e9));
    expect(bill!.usage).toMatchObject({ output_characters: one.said.text!.length });
    expect(bill!.usage.output_tokens).toBe(one.said.usage.output_tokens);
    const parts = one.socket.events.filter(({ type }) => type.startsWith('response.content_part.'));
    expect(parts).toMatchObject([{ part: { type: 'audio' } }, { part: { type: 'audio' } }]);
  });

  test('calls a tool, and answers with its result', async () => {
    const socket = await stage.begin(path);
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    await update(socket, {
      output_modalities: ['text'],
      tools: [{ type: 'function', name: 'weather', description: 'Of a city', parameters }],
    });
    say(socket, 'The weather?');
    const [call] = (await answered(socket)).output;
    expect(call).toMatchObject({ type: 'function_call', name: 'weather', status: 'completed' });
    expect(JSON.parse(call!.arguments!)).toEqual({ city: expect.any(String) });
    const { call_id } = call as unknown as { call_id: string };
    const item = { type: 'function_call_output', call_id, output: 'Rain' };
    socket.send({ type: 'conversation.item.create', item });
    expect(textIn(await answered(socket))).toContain('The tool said: Rain');
    await end(socket);
    expect(await stage.billsOf(socket)).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  test('is cancelled and cut short as in earnest', async () => {
    const socket = await stage.begin(path);
    await update(socket, { output_modalities: ['text'] });
    say(socket, 'Hello');
    expect(await answered(socket, { max_output_tokens: 3 })).toMatchObject({
      status: 'incomplete',
      status_details: { reason: 'max_output_tokens' },
      usage: { output_tokens: 3 },
    });
    say(socket, JSON.stringify({ scripted: { text: 'one two three four five six', delayMs: 100 } }));
    socket.send({ type: 'response.create' });
    await until(() => socket.events.at(-1)?.type === 'response.output_text.delta');
    socket.send({ type: 'response.cancel' });
    const response = await nextResponse(socket);
    expect(response).toMatchObject({ status: 'cancelled', status_details: { reason: 'client_cancelled' } });
    expect(response.usage.output_tokens).toBeLessThan(6);
    await end(socket);
    expect(await stage.billsOf(socket)).toHaveLength(2);
  });

  test.each([
    ['error_chunk', { status: 'failed', status_details: { error: { code: 'provider_failed' } } }, { cost_nanos: '0' }],
    ['upstream_500; first', { status: 'completed' }, { status: 200, upstream: 'test_second' }],
  ])('has %s as it is asked to', async (fault, response, bill) => {
    const socket = await stage.begin(path, { fault });
    say(socket, 'Hello');
    expect(await answered(socket, { output_modalities: ['text'] })).toMatchObject(response);
    await end(socket);
    expect(await stage.billsOf(socket)).toMatchObject([bill]);
  });

  test('of a client secret costs the test money of its key', async () => {
    const by = await stage.tester();
    const model = path.replace(/^.*=/, '');
    const session = { type: 'realtime', model, instructions: 'Bound.', output_modalities: ['text'] };
    const made = await by.post('/v1/realtime/client_secrets', { session });
    const { value } = (await made.json()) as { value: string };
    const socket = await socketAt(stage.url, '/v1/realtime', { key: value });
    expect((await socket.next('session.created')).session).toMatchObject({ instructions: 'Bound.' });
    say(socket, 'Hello');
    expect(await answered(socket)).toMatchObject({ status: 'completed' });
    await end(socket);
    const [bill] = await stage.billsOf(by);
    expect(BigInt(bill!.cost_nanos)).toBeGreaterThan(0n);
  });
});

describe('a session that an upstream leads, with a test key', () => {
  test('finds the turns in what is spoken, writes them down, and answers', async () => {
    const socket = await stage.begin(PASSED);
    await update(socket, { audio: { input: { transcription: { model: 'whisper-1' } } } });
    speak(socket);
    expect(await socket.next('input_audio_buffer.speech_started')).toMatchObject({ audio_start_ms: 0 });
    expect(await socket.next('input_audio_buffer.speech_stopped')).toMatchObject({ audio_end_ms: 1_500 });
    expect(await socket.next('conversation.item.input_audio_transcription.completed')).toMatchObject({
      transcript: 'This is a test transcript.',
      usage: { type: 'duration', seconds: 1.5 },
    });
    const response = await nextResponse(socket);
    expect(textIn(response)).toContain('You asked: “This is a test transcript.”');
    expect(response.usage.input_token_details).toMatchObject({ audio_tokens: 15 });
    await end(socket);
    const bills = await stage.billsOf(socket);
    const heard = bills.flatMap(({ usage }) => usage.audio_minutes ?? []);
    // By the session's model, and by the transcription model.
    expect(heard.map((minutes) => Math.round(minutes * 60_000))).toEqual([2_000, 2_000]);
    expect(bills.find(({ usage }) => usage.output_tokens)!.usage.input_tokens).toBe(response.usage.input_tokens);
  });

  test('is interrupted by speech, and takes a turn by hand', async () => {
    const socket = await stage.begin(PASSED);
    say(socket, JSON.stringify({ scripted: { text: 'one two three four five six', delayMs: 100 } }));
    socket.send({ type: 'response.create' });
    await socket.next('response.output_audio.delta');
    speak(socket);
    expect(await nextResponse(socket)).toMatchObject({
      status: 'cancelled',
      status_details: { reason: 'turn_detected' },
    });
    expect(await nextResponse(socket)).toMatchObject({ status: 'completed' });
    await update(socket, { audio: { input: { turn_detection: null } } });
    socket.send({ type: 'input_audio_buffer.clear' });
    socket.send({ type: 'input_audio_buffer.commit' });
    expect((await socket.next('error')).error).toMatchObject({ code: 'input_audio_buffer_commit_empty' });
    speak(socket, 0.2);
    socket.send({ type: 'input_audio_buffer.commit' });
    await until(() => socket.events.at(-1)?.type === 'conversation.item.done');
    await end(socket);
  });

  test('keeps its items: retrieved, truncated, deleted, and answers apart from them', async () => {
    const socket = await stage.begin(PASSED);
    say(socket, 'Hello');
    const { output } = await answered(socket);
    const item_id = output[0]!.id;
    socket.send({ type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms: 10 });
    socket.send({ type: 'conversation.item.retrieve', item_id });
    const { item } = (await socket.next('conversation.item.retrieved')) as unknown as { item: object };
    expect(item).toMatchObject({ id: item_id, content: [{ type: 'output_audio' }] });
    expect(JSON.stringify(item)).not.toContain('transcript"');
    socket.send({ type: 'conversation.item.delete', item_id });
    socket.send({ type: 'conversation.item.delete', item_id, event_id: 'mine' });
    expect((await socket.next('error')).error).toMatchObject({ code: 'item_not_found', event_id: 'mine' });
    const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Apart' }] }];
    const apart = { conversation: 'none', input, metadata: { mine: '1' }, output_modalities: ['text'] };
    const response = await answered(socket, apart);
    expect(textIn(response)).toContain('You asked: “Apart”');
    expect(response).toMatchObject({ conversation_id: null, metadata: { mine: '1' } });
    await end(socket);
    expect(await stage.billsOf(socket)).toHaveLength(2);
  });

  test('is refused before the upgrade as it is asked to, at no cost', async () => {
    const by = await stage.tester();
    const refusals = [
      ['upstream_500', 502, 'provider_failed'],
      ['upstream_429', 503, 'overloaded'],
      ['upstream_reset', 502, 'provider_failed'],
      ['upstream_refusal', 400, 'test_refusal'],
    ] as const;
    for (const [fault, status, code] of refusals) {
      const options = { key: by.secret, headers: { 'x-test-fault': fault } };
      expect(await refusalAt(stage.url, PASSED, options)).toMatchObject({ status, body: { error: { code } } });
    }
    expect(await stage.billsOf(by)).toEqual([]);
    await end(await stage.begin(PASSED, { fault: 'upstream_timeout; first', by }));
  });

  test('refuses a script that cannot be read, and goes on', async () => {
    const socket = await stage.begin(PASSED);
    say(socket, '{"scripted": ');
    socket.send({ type: 'response.create' });
    expect((await socket.next('error')).error).toMatchObject({ type: 'invalid_request_error' });
    say(socket, 'Hello');
    expect(await answered(socket, { output_modalities: ['text'] })).toMatchObject({ status: 'completed' });
    await end(socket);
  });

  test('ends as one whose upstream breaks off, and its response is free', async () => {
    const socket = await stage.begin(PASSED, { fault: 'cut_stream' });
    say(socket, 'Hello');
    expect(await answered(socket)).toMatchObject({ status: 'failed' });
    expect((await socket.closed).code).toBe(1011);
    expect(await stage.billsOf(socket)).toMatchObject([{ cost_nanos: '0' }]);
  });

  test.each(['malformed_chunk', 'slow_first_byte=50', 'slow_chunks=5'])('answers in spite of %s', async (fault) => {
    const socket = await stage.begin(PASSED, { fault });
    say(socket, 'Hello');
    expect(await answered(socket, { output_modalities: ['text'] })).toMatchObject({ status: 'completed' });
    await end(socket);
    expect(await stage.billsOf(socket)).toMatchObject([{ status: 200 }]);
  });

  test('asks for a failure by name, and never with a live key', async () => {
    const refused = async (key: string, fault: string) =>
      (await refusalAt(stage.url, PASSED, { key, headers: { 'x-test-fault': fault } })).body.error;
    expect(await refused((await stage.tester()).secret, 'explode')).toMatchObject({ param: 'x-test-fault' });
    const live = await stage.account();
    expect(await refused(live.secret, 'upstream_500')).toMatchObject({ code: 'test_mode_only' });
  });
});

describe('a socket of transcription, with a test key', () => {
  test('writes the same each time, for test money', async () => {
    const [one, other] = await Promise.all([hearOnce(stage), hearOnce(stage)]);
    expect(one.heard.usage).toEqual(other.heard.usage);
    for (const { heard, bills } of [one, other]) {
      expect(heard).toMatchObject({ transcript: 'This is a test transcript.', usage: { type: 'duration' } });
      expect(bills.map(({ usage }) => Math.round(usage.audio_minutes! * 60_000))).toEqual([1_000]);
    }
    expect(one.bills[0]!.cost_nanos).toBe(other.bills[0]!.cost_nanos);
    expect(BigInt(one.bills[0]!.cost_nanos)).toBeGreaterThan(0n);
  });

  test('fails as it is asked to', async () => {
    const { heard } = await hearOnce(stage, 'upstream_500', 'failed');
    expect(heard).toMatchObject({ error: { code: 'provider_failed' } });
  });
});

describe('a socket of speech, with a test key', () => {
  const text = 'Test money pays for each character.';
  const frames = [{ text: ' ' }, { text: `${text} ` }, { text: '' }];

  test('speaks the same each time, for test money, with the key in its first frame too', async () => {
    const [one, other] = [await stage.tester(), await stage.tester()];
    const spoken = await talk(frames, { key: one.secret });
    const [first, ...rest] = frames;
    const again = await talk([{ ...first, xi_api_key: other.secret }, ...rest], {});
    expect([spoken.code, toldIn(spoken.frames).trim()]).toEqual([1000, text]);
    expect(soundOf(spoken.frames).equals(soundOf(again.frames))).toBe(true);
    expect(soundOf(spoken.frames).length).toBeGreaterThan(16_000);
    for (const by of [one, other]) {
      const bills = await stage.billsOf(by);
      expect(bills).toMatchObject([
        { status: 200, usage: { input_characters: spoken.frames.at(-1)!.character_count } },
      ]);
      expect(BigInt(bills[0]!.cost_nanos)).toBeGreaterThan(0n);
    }
  });

  test('has several speeches, for test money', async () => {
    const by = await stage.tester();
    const contexts = ['one', 'two'].flatMap((context_id) => [
      { text: ' ', context_id },
      { text: `${text} `, context_id, flush: true },
    ]);
    const socket = await open(contexts, { key: by.secret, route: 'multi-stream-input' });
    for (const contextId of ['one', 'two'])
      await socket.seen((frame) => !!frame.audio && frame.contextId === contextId);
    socket.send({ close_socket: true });
    expect((await socket.closed).code).toBe(1000);
    expect(await stage.billsOf(by)).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  test('fails as it is asked to, at no cost', async () => {
    const by = await stage.tester();
    const failed = await talk(frames, { key: by.secret, headers: { 'x-test-fault': 'upstream_500' } });
    expect(failed.frames.at(-1)).toMatchObject({ error: 'provider_failed' });
    expect(await stage.billsOf(by)).toMatchObject([{ cost_nanos: '0' }]);
  });
});

test('live money stays as it was', async () => {
  await stage.db.ledger.posted();
  const { violations, sums } = await checkInvariants(stage.db.pool);
  expect(violations).toEqual([]);
  expect(sums.balancesNanos.revenue ?? 0n).toBe(0n);
  expect(sums.balancesNanos.test_revenue).toBeGreaterThan(0n);
});
