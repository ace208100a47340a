import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { retime } from '../../support/clock.ts';
import { startStepped, stepClock } from '../../support/ownClock.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';
import { refusalAt, socketAt } from '../../support/webSocket.ts';

const path = '/textapi/v1/realtime?model=gpt-realtime';
const HOUR_MS = 3_600_000;

const stage = await setGuardStage();
afterEach(() => void jest.restoreAllMocks());
afterAll(() => stage.close());

const sound = (ms: number) => Buffer.alloc(ms * 48).toString('base64');

async function begin(session: object = {}, account = stage.account()) {
  const { secret } = await account;
  const socket = await socketAt(stage.url, path, { key: secret });
  const created = (await socket.next('session.created')).session as { expires_at: number };
  socket.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'], ...session } });
  await socket.next('session.updated');
  return { ...socket, secret, created };
}

async function speak(text: string): Promise<Buffer> {
  const { secret } = await stage.account();
  const body = JSON.stringify({ model: 'tts-1', voice: 'alloy', response_format: 'pcm', input: text });
  return Buffer.from(
    await (await stage.ask('/v1/audio/speech', { headers: { 'x-api-key': secret }, body })).arrayBuffer(),
  );
}

/** How much sound a key was billed for. */
async function inputMs(keyId: string): Promise<number> {
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query(`select usage from requests where key_id = $1`, [keyId]);
  return Math.round(rows.reduce((sum, { usage }) => sum + (usage.audio_minutes ?? 0), 0) * 60_000);
}

test('an answer that its upstream does not end at the limit is cut there, and incomplete', async () => {
  const socket = await begin({ max_output_tokens: 5 });
  const text = JSON.stringify({ scripted: { fault: 'endless' } });
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
  socket.send({ type: 'conversation.item.create', item });
  socket.send({ type: 'response.create' });
  expect((await socket.next('response.done')).response).toMatchObject({
    status: 'incomplete',
    status_details: { type: 'incomplete', reason: 'max_output_tokens' },
    output: [{ status: 'incomplete' }],
    usage: { output_tokens: 5 },
  });
  socket.ws.close();
});

test('a session ends after an hour with session_expired and 1000', async () => {
  const { secret } = await stage.account();
  retime({ fromMs: HOUR_MS, toMs: 300 });
  const openedS = Math.floor(Date.now() / 1_000);
  const socket = await socketAt(stage.url, path, { key: secret });
  const created = (await socket.next('session.created')).session as { expires_at: number };
  expect(created.expires_at - openedS).toBeGreaterThanOrEqual(3_600);
  expect(created.expires_at).toBeLessThanOrEqual(Date.now() / 1_000 + 3_600);
  expect((await socket.closed).code).toBe(1000);
  expect(socket.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'session_expired' } });
});

test('a step of the wall clock ends no session', async () => {
  const api = await stage.startAnother(startStepped([0, 2 * HOUR_MS]));
  const { secret } = await stage.account();
  const socket = await socketAt(api.url, path, { key: secret });
  await socket.next('session.created');
  await stepClock(api);
  socket.send({ type: 'response.create', response: { output_modalities: ['text'] } });
  expect((await socket.next('response.done')).response).toMatchObject({ status: 'completed' });
  socket.ws.terminate();
});

test('a key that has made its requests of the minute is refused with 429 before the upgrade', async () => {
  const { secret } = await stage.account({ rpmLimit: 1 });
  const first = await socketAt(stage.url, path, { key: secret });
  const { status, body, headers } = await refusalAt(stage.url, path, { key: secret });
  expect([status, body.error.code]).toEqual([429, 'rate_limit_exceeded']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  first.ws.terminate();
});

test('a socket of stream-input without a key waits ten seconds for one in its first frame', async () => {
  retime({ fromMs: 10_000, toMs: 100 });
  const socket = await socketAt(stage.url, '/voiceapi/v1/text-to-speech/alloy/stream-input');
  expect(await socket.closed).toMatchObject({ code: 1008 });
  expect(socket.events).toMatchObject([{ error: 'invalid_api_key', code: 1008 }]);
});

test('sound inside an item is transcribed, billed as input, and part of what is answered', async () => {
  const words = await speak('How are you today?');
  const account = await stage.account();
  const transcription = { model: 'whisper-1' };
  const socket = await begin({ audio: { input: { transcription, turn_detection: null } } }, Promise.resolve(account));
  const content = [
    { type: 'input_text', text: 'Listen.' },
    { type: 'input_audio', audio: words.toString('base64') },
  ];
  socket.send({ type: 'conversation.item.create', item: { id: 'mine', type: 'message', role: 'user', content } });
  socket.send({ type: 'response.create' });
  const completed = await socket.next('conversation.item.input_audio_transcription.completed');
  expect(completed).toMatchObject({
    item_id: 'mine',
    content_index: 1,
    transcript: expect.stringMatching(/you today/i),
  });
  await socket.next('response.done');
  expect(JSON.stringify(stage.upstream.calls().at(-1))).toMatch(/you today/i);
  expect(JSON.stringify(socket.events)).not.toContain(words.subarray(0, 300).toString('base64'));
  socket.ws.close();
  await until(async () => (await inputMs(account.keyId)) === Math.round(words.length / 48));
});

test('a response that is cancelled while it waits for what was said ends at once, is told, and costs nothing', async () => {
  const account = await stage.account();
  const socket = await begin({ audio: { input: { turn_detection: null } } }, Promise.resolve(account));
  const calls = stage.upstream.calls().length;
  socket.send({ type: 'input_audio_buffer.append', audio: sound(9_000) });
  socket.send({ type: 'input_audio_buffer.commit' });
  socket.send({ type: 'response.create' });
  socket.send({ type: 'response.cancel' });
  const { response: created } = await socket.next('response.created');
  const { response: done } = await socket.next('response.done');
  const { id } = created as { id: string };
  expect(done).toMatchObject({ id, status: 'cancelled', output: [], usage: { output_tokens: 0, cost: 0 } });
  expect(stage.upstream.calls()).toHaveLength(calls);
  socket.ws.close();
});

test('sound in the input of a response is transcribed for it, and billed beside the conversation', async () => {
  const words = await speak('How are you today?');
  const account = await stage.account();
  const input = { transcription: { model: 'whisper-1' }, turn_detection: null };
  const socket = await begin({ audio: { input } }, Promise.resolve(account));
  const content = [{ type: 'input_audio', audio: words.toString('base64') }];
  const response = { conversation: 'none', input: [{ type: 'message', role: 'user', content }] };
  socket.send({ type: 'response.create', response });
  // Beside it, more than a window of the conversation's own sound.
  socket.send({ type: 'input_audio_buffer.append', audio: sound(12_000) });
  expect((await socket.next('response.done')).response).toMatchObject({ status: 'completed' });
  expect(JSON.stringify(stage.upstream.calls().at(-1))).toMatch(/you today/i);
  socket.send({ type: 'response.create', response: { conversation: 'none' } });
  await socket.next('response.done');
  expect(JSON.stringify(stage.upstream.calls().at(-1))).not.toMatch(/you today/i);
  expect(socket.events.filter(({ type }) => /^conversation|error/.test(type))).toEqual([]);
  socket.ws.close();
  await until(async () => (await inputMs(account.keyId)) === Math.round(words.length / 48) + 12_000);
});

test('a response whose sound cannot be paid ends the session with its refusal', async () => {
  const socket = await begin({}, stage.account({ spendLimitNanos: 1n }));
  const content = [{ type: 'input_audio', audio: sound(3_000) }];
  socket.send({ type: 'response.create', response: { input: [{ type: 'message', role: 'user', content }] } });
  expect(await socket.closed).toMatchObject({ code: 1008 });
  expect(socket.events.at(-1)).toMatchObject({ type: 'error' });
});

test.each([
  [
    {
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_audio', audio: 'AAAA' }] },
    },
    'item.content[0].audio',
  ],
  [
    {
      type: 'response.create',
      response: { input: [{ type: 'message', role: 'user', content: [{ type: 'input_audio', audio: 'AAAA' }] }] },
    },
    'response.input[0].content[0].audio',
  ],
])('sound that cannot be read is refused by name: %j', async (event, param) => {
  const socket = await begin();
  socket.send({ ...event, item: 'item' in event ? event.item : undefined });
  expect((await socket.next('error')).error).toMatchObject({ param });
  socket.ws.close();
});

test('responses and input of a session are in the requests, the explanation, the usage and the statement', async () => {
  const account = await stage.account();
  const socket = await begin({ output_modalities: ['audio'] }, Promise.resolve(account));
  socket.send({ type: 'input_audio_buffer.append', audio: sound(3_000) });
  const text = JSON.stringify({ scripted: { text: 'Four five six.' } });
  socket.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });
  socket.send({ type: 'response.create' });
  const { cost } = ((await socket.next('response.done')).response as { usage: { cost: number } }).usage;
  socket.ws.close();
  const read = async (at: string) => {
    const answer = await stage.ask(at, { headers: { 'x-api-key': account.secret } });
    if (answer.status !== 200) throw new Error(await answer.text());
    return (await answer.json()) as Record<string, unknown>;
  };
  type Listed = { id: string; model: string; cost_usd: number; settled_at: string; usage: Record<string, number> };
  const listed = async () => (await read('/platform/v1/requests')).data as Listed[];
  await until(async () => (await listed()).length === 2);
  const id = String(socket.headers['x-request-id']);
  const rows = (await listed()).toSorted((one, other) => one.id.localeCompare(other.id));
  expect(rows.map((row) => [row.id, row.model])).toEqual([
    [`${id}n1`, 'ledgerline-realtime-1'],
    [`${id}n2`, 'ledgerline-realtime-1'],
  ]);
  const [input, response] = rows as [Listed, Listed];
  expect([input.cost_usd, response.cost_usd]).toEqual([0.0003, cost]);
  const sumOf = (lines: { cost_usd: number }[]) =>
    lines.reduce((sum, line) => sum + Math.round(line.cost_usd * 1e12), 0);
  for (const row of rows) {
    const explained = await read(`/platform/v1/explain/${row.id}`);
    expect(Math.round((explained.total_usd as number) * 1e12)).toBe(Math.round(row.cost_usd * 1e12));
    expect(
      sumOf(explained.lines as { cost_usd: number }[]) + Math.round((explained.rounding_usd as number) * 1e12),
    ).toBe(Math.round(row.cost_usd * 1e12));
  }
  const units = ((await read(`/platform/v1/explain/${response.id}`)).lines as { unit: string }[]).map(
    ({ unit }) => unit,
  );
  expect(units.toSorted()).toEqual(['output_characters', 'output_tokens']);
  const usage = (await read('/platform/v1/usage?group_by=model')).data as Record<string, unknown>[];
  expect(usage).toMatchObject([{ model: 'ledgerline-realtime-1', requests: 2 }]);
  const products = (await read('/platform/v1/usage?group_by=product')).data;
  expect(products).toMatchObject([{ product: 'realtime', requests: 2 }]);
  const month = response.settled_at.slice(0, 7);
  const statement = JSON.stringify(await read(`/platform/v1/billing/statement?month=${month}`));
  expect(statement).toContain('ledgerline-realtime-1');
});

test('a session of a client secret answers again while the last answer is still being counted', async () => {
  const { secret } = await stage.account();
  const headers = { authorization: `Bearer ${secret}` };
  const made = await stage.ask('/textapi/v1/realtime/client_secrets', { method: 'POST', headers });
  const { value } = (await made.json()) as { value: string };
  const socket = await socketAt(stage.url, path, { key: value });
  const respond = () => socket.send({ type: 'response.create', response: { output_modalities: ['text'] } });
  const counting = await stage.db.pool.connect();
  await counting.query('begin');
  await counting.query(`select from client_secrets where hash = sha256(convert_to($1, 'UTF8')) for update`, [value]);
  respond();
  await socket.next('response.done');
  respond();
  respond();
  expect((await socket.next('error')).error).toMatchObject({ code: 'conversation_already_has_active_response' });
  await counting.query('rollback');
  counting.release();
  await socket.next('response.done');
  expect(socket.events.filter(({ type }) => type === 'response.created')).toHaveLength(2);
  socket.ws.close();
});
