import { afterAll, afterEach, expect, test } from '@jest/globals';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { balanceOf } from '../../support/account.ts';
import { setGuardStage, type GuardStage } from '../../support/guardStage.ts';
import { startRealtimeUpstream } from '../../support/realtimeUpstream.ts';
import { until } from '../../support/until.ts';
import { openWebSocket, refusalAt, socketAt, type TestSocket } from '../../support/webSocket.ts';

const path = '/textapi/v1/realtime?model=gpt-passed';
const VENDOR_KEY = 'sk-vendor-key-0123456789';
const CREDIT_NANOS = 1_000_000_000n;
const TOKEN_NANOS = 24_000n;
const CHARACTER_NANOS = 15_000n;

const upstream = await startRealtimeUpstream(VENDOR_KEY);
const stage = await setGuardStage({ realtime: { url: upstream.url, apiKey: VENDOR_KEY } });
afterEach(() => upstream.reset());
afterAll(async () => {
  await stage.close();
  await upstream.stop();
});

interface Bill {
  id: string;
  status: number;
  upstream: string | null;
  usage: Record<string, number>;
  cost_nanos: string;
}

async function begin(options: Parameters<GuardStage['account']>[0] = { balanceNanos: CREDIT_NANOS }) {
  const account = await stage.account(options);
  const socket = await socketAt(stage.url, path, { key: account.secret });
  const created = await socket.next('session.created');
  return { ...socket, ...account, session: created.session as Record<string, unknown> };
}

async function billsOf(keyId: string): Promise<Bill[]> {
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query(
    'select id, status, usage, cost_nanos, upstream from requests where key_id = $1 order by id',
    [keyId],
  );
  return rows as Bill[];
}

const sound = (ms: number) => Buffer.alloc(ms * 48).toString('base64');
const append = (socket: TestSocket, ms: number) => socket.send({ type: 'input_audio_buffer.append', audio: sound(ms) });

test('events pass in both directions, and a response is one paid call with its cost', async () => {
  const socket = await begin();
  expect(socket.session).toMatchObject({ model: 'gpt-passed', audio: { output: { voice: 'marin' } } });
  expect(socket.session.id).toMatch(/^sess_(?!upstream)/);
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Count.' }] };
  socket.send({ type: 'conversation.item.create', item });
  socket.send({ type: 'response.create', response: { metadata: { mine: '1' } } });
  const { response } = await socket.next('response.done');
  const nanos = 30n * TOKEN_NANOS + 14n * CHARACTER_NANOS;
  expect(response).toMatchObject({
    status: 'completed',
    metadata: { mine: '1' },
    usage: { output_tokens: 30, output_characters: 14, cost: Number(nanos) / 1e9 },
  });
  expect(socket.events.map(({ type }) => type)).toEqual([
    'session.created',
    'conversation.item.added',
    'conversation.item.done',
    'rate_limits.updated',
    'response.created',
    ...Array.from({ length: 3 }, () => [
      'response.output_audio_transcript.delta',
      'response.output_audio.delta',
    ]).flat(),
    'response.done',
  ]);
  const [bill] = await billsOf(socket.keyId);
  expect(bill).toMatchObject({
    id: `${String(socket.headers['x-request-id'])}n1`,
    status: 200,
    upstream: 'vendor',
    usage: { output_tokens: 30, output_characters: 14 },
    cost_nanos: String(nanos),
  });
  expect(await balanceOf(stage.db, socket.workspaceId)).toBe(CREDIT_NANOS - nanos);
  socket.ws.close();
});

test('the upstream’s key, address, limits and secret never reach the client', async () => {
  const socket = await begin();
  socket.send({ type: 'conversation.item.delete', item_id: 'item_none', event_id: 'mine' });
  const { error } = await socket.next('error');
  expect(error).toMatchObject({ code: 'item_not_found', event_id: 'mine', type: 'invalid_request_error' });
  socket.send({ type: 'response.create' });
  await socket.next('response.done');
  const all = JSON.stringify(socket.events);
  expect(all).not.toMatch(/sk-vendor|vendor\.example|ek_upstream|vendor-realtime|"tokens"/);
  expect(upstream.asked.at(-1)!.headers).toMatchObject({ authorization: `Bearer ${VENDOR_KEY}` });
  expect(JSON.stringify(upstream.asked.at(-1))).not.toContain(socket.secret);
  socket.ws.close();
});

test('sound is billed by its minutes, wherever it is sent, and a turn that the upstream detects is answered', async () => {
  const socket = await begin();
  for (let at = 0; at < 10; at++) append(socket, 100);
  await socket.next('input_audio_buffer.speech_started');
  await socket.next('response.done');
  const item = { type: 'message', role: 'user', content: [{ type: 'input_audio', audio: sound(500) }] };
  socket.send({ type: 'conversation.item.create', item });
  await socket.next('conversation.item.done');
  append(socket, 100);
  socket.send({ type: 'response.cancel' });
  await socket.next('error');
  socket.ws.close();
  await until(async () => (await billsOf(socket.keyId)).length === 3);
  const bills = await billsOf(socket.keyId);
  const minutes = bills.reduce((sum, { usage }) => sum + (usage.audio_minutes ?? 0), 0);
  expect(Math.round(minutes * 60_000)).toBe(1_600);
  // Money was held for a response that never began: its call is recorded, and bills nothing.
  expect(bills.filter(({ cost_nanos }) => cost_nanos === '0')).toMatchObject([{ status: 499 }]);
});

test.each([
  [{ audio: { input: { turn_detection: { type: 'semantic_vad' } } } }, 'session.audio.input.turn_detection.type'],
  [{ audio: { input: { format: { type: 'audio/pcmu' } } } }, 'session.audio.input.format'],
  [{ tools: [{ type: 'mcp', server_label: 'x' }] }, 'session.tools[0].type'],
  [{ prompt: { id: 'pmpt_1' } }, 'session.prompt'],
  [{ model: 'gpt-realtime' }, 'session.model'],
  [{ audio: { input: { transcription: { model: 'unsold' } } } }, 'session.audio.input.transcription.model'],
])('a session of %j is refused by name, and not sent', async (members, param) => {
  const socket = await begin();
  socket.send({ type: 'session.update', session: { type: 'realtime', ...members } });
  expect((await socket.next('error')).error).toMatchObject({ param });
  socket.send({
    type: 'session.update',
    session: { type: 'realtime', model: 'gpt-passed', instructions: 'Be brief.' },
  });
  const { session } = await socket.next('session.updated');
  expect(session).toMatchObject({ model: 'gpt-passed', instructions: 'Be brief.' });
  expect(upstream.received).toMatchObject([{ type: 'session.update', session: { instructions: 'Be brief.' } }]);
  expect(JSON.stringify(upstream.received)).not.toContain('passed');
  socket.ws.close();
});

test('a client that leaves pays for what the upstream reports of its cancelled response', async () => {
  upstream.script.hangsAfter = 2;
  const socket = await begin();
  socket.send({ type: 'response.create' });
  await until(() => socket.events.filter(({ type }) => type === 'response.output_audio.delta').length === 2);
  socket.ws.terminate();
  await until(async () => (await billsOf(socket.keyId)).length === 1);
  expect(await billsOf(socket.keyId)).toMatchObject([
    { status: 499, usage: { output_tokens: 20, output_characters: 10 } },
  ]);
  expect(upstream.received.at(-1)).toMatchObject({ type: 'response.cancel' });
  await until(() => upstream.sockets.every(({ readyState, CLOSED }) => readyState === CLOSED));
});

test('without a report it pays for what has passed', async () => {
  Object.assign(upstream.script, { hangsAfter: 2, isSilent: true });
  const socket = await begin();
  socket.send({ type: 'response.create' });
  await until(() => socket.events.filter(({ type }) => type === 'response.output_audio.delta').length === 2);
  socket.ws.terminate();
  await until(async () => (await billsOf(socket.keyId)).length === 1);
  // 10 characters in tokens of 4, and 400 ms in tokens of 50.
  expect((await billsOf(socket.keyId))[0]!.usage).toEqual({ output_tokens: 11, output_characters: 10 });
});

test('a response that fails at the upstream bills nothing, and the session goes on', async () => {
  upstream.script.status = 'failed';
  const socket = await begin();
  socket.send({ type: 'response.create' });
  const { response } = await socket.next('response.done');
  expect(response).toMatchObject({
    status: 'failed',
    status_details: { error: { code: 'provider_failed' } },
    usage: null,
  });
  upstream.reset();
  socket.send({ type: 'response.create' });
  expect((await socket.next('response.done')).response).toMatchObject({ status: 'completed' });
  expect((await billsOf(socket.keyId)).map(({ cost_nanos }) => BigInt(cost_nanos) > 0n)).toEqual([false, true]);
  expect(JSON.stringify(socket.events)).not.toContain('10.0.0.1');
  socket.ws.close();
});

test.each([
  [1011, 1011, 'provider_failed'],
  [1012, 1013, 'overloaded'],
])(
  'an upstream that closes with %i ends the session with %i and an error; its response is free',
  async (code, own, error) => {
    upstream.script.hangsAfter = 1;
    const socket = await begin();
    socket.send({ type: 'response.create' });
    await socket.next('response.output_audio.delta');
    upstream.sockets.at(-1)!.close(code);
    expect((await socket.closed).code).toBe(own);
    expect(socket.events.slice(-2)).toMatchObject([
      { type: 'response.done', response: { status: 'failed' } },
      { type: 'error', error: { code: error } },
    ]);
    expect(await balanceOf(stage.db, socket.workspaceId)).toBe(CREDIT_NANOS);
  },
);

test('money that ends in a response ends it at the upstream, and the session', async () => {
  const balanceNanos = 3_000_000n;
  Object.assign(upstream.script, { text: 'word '.repeat(60), hangsAfter: 50 });
  const socket = await begin({ balanceNanos });
  socket.send({ type: 'response.create' });
  expect((await socket.closed).code).toBe(1008);
  expect(socket.events.at(-1)).toMatchObject({ error: { code: 'insufficient_balance' } });
  expect(upstream.received.at(-1)).toMatchObject({ type: 'response.cancel' });
  await stage.db.ledger.posted();
  // Less than its next piece costs is left: four tokens of sound.
  expect(await balanceOf(stage.db, socket.workspaceId)).toBeLessThanOrEqual(4n * TOKEN_NANOS);
});

test('without the money for a response it is not asked for', async () => {
  const socket = await begin({ balanceNanos: 1_000n });
  socket.send({ type: 'response.create' });
  expect((await socket.closed).code).toBe(1008);
  expect(upstream.received).toEqual([]);
});

test('a revoked key ends the session within a second, in mid-response', async () => {
  upstream.script.hangsAfter = 1;
  const socket = await begin();
  socket.send({ type: 'response.create' });
  await socket.next('response.output_audio.delta');
  await revokeKey(stage.db, socket.keyId);
  expect((await socket.closed).code).toBe(1008);
  await until(async () => (await billsOf(socket.keyId)).length === 1);
  expect((await billsOf(socket.keyId))[0]!.usage).toEqual({ output_tokens: 10, output_characters: 5 });
});

test('a session of a client secret stays as it is bound', async () => {
  const { secret } = await stage.account();
  const body = JSON.stringify({
    session: { type: 'realtime', model: 'gpt-passed', instructions: 'Bound.', audio: { output: { voice: 'cedar' } } },
    max_session_seconds: 10,
  });
  const made = await stage.ask('/v1/realtime/client_secrets', { headers: { authorization: `Bearer ${secret}` }, body });
  const { value } = (await made.json()) as { value: string };
  const socket = await socketAt(stage.url, '/v1/realtime', { key: value });
  const { session } = await socket.next('session.created');
  expect(session).toMatchObject({ instructions: 'Bound.', audio: { output: { voice: 'cedar' } } });
  socket.send({
    type: 'session.update',
    session: { type: 'realtime', instructions: 'Free.', output_modalities: ['text'] },
  });
  expect((await socket.next('session.updated')).session).toMatchObject({
    instructions: 'Bound.',
    output_modalities: ['text'],
    audio: { output: { voice: 'cedar' } },
  });
  const free = { instructions: 'Free.', audio: { output: { voice: 'marin' } }, metadata: { mine: '1' } };
  socket.send({ type: 'response.create', response: free });
  await socket.next('response.done');
  expect(upstream.received.at(-1)).toEqual({ type: 'response.create', response: { metadata: { mine: '1' } } });
  socket.ws.close();
});

test('an upstream that refuses its key, or is away, is an error before the upgrade', async () => {
  const other = await setGuardStage({ realtime: { url: upstream.url, apiKey: 'sk-wrong' } });
  const away = await setGuardStage({ realtime: { url: 'ws://127.0.0.1:1/v1', apiKey: 'none' } });
  const refusalOf = async (of: GuardStage) => refusalAt(of.url, path, { key: (await of.account()).secret });
  expect(await refusalOf(other)).toMatchObject({ status: 503, body: { error: { code: 'overloaded' } } });
  expect(await refusalOf(away)).toMatchObject({ status: 502, body: { error: { code: 'provider_failed' } } });
  await Promise.all([other.close(), away.close()]);
});

test('a client that reads nothing slows its upstream down', async () => {
  Object.assign(upstream.script, { text: 'word '.repeat(1_200), wordMs: 400 });
  const opened = await openWebSocket(stage.url, path, { key: (await stage.account({ creditUsd: '100' })).secret });
  const socket = opened as TestSocket;
  await socket.next('session.created');
  socket.ws.pause();
  socket.send({ type: 'response.create' });
  // The double has sent 30 MB; what the service has not read stays in the double's own buffer.
  await until(() => upstream.sockets.at(-1)!.bufferedAmount > 10_000_000);
  socket.ws.resume();
  expect((await socket.next('response.done')).response).toMatchObject({ status: 'completed' });
  socket.ws.close();
});
