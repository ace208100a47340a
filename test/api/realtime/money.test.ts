import { afterAll, describe, expect, test } from '@jest/globals';
import { nanosOfUsd, usdTextOf } from '../../../db/money.ts';
import { closeReasonOf } from '../../../api/sockets/socket.ts';
import { balanceOf } from '../../support/account.ts';
import { setGuardStage, type GuardStage } from '../../support/guardStage.ts';
import { limitProjectOf } from '../../support/limitedProject.ts';
import { startRealtimeUpstream } from '../../support/realtimeUpstream.ts';
import { until } from '../../support/until.ts';
import { socketAt, type TestSocket } from '../../support/webSocket.ts';

const VENDOR_KEY = 'sk-vendor-key-0123456789';
const WINDOW_NANOS = 1_000_000n;
const SECOND_NANOS = 100_000n;
const TOKEN_NANOS = 2_500n;
const SENTENCE = 'The sun is up now. ';

const upstream = await startRealtimeUpstream(VENDOR_KEY);
const stage = await setGuardStage({ realtime: { url: upstream.url, apiKey: VENDOR_KEY } });
afterAll(async () => {
  await stage.close();
  await upstream.stop();
});

type Account = Awaited<ReturnType<GuardStage['account']>>;

const begin = ({ secret }: Account, model = 'gpt-realtime') =>
  socketAt(stage.url, `/v1/realtime?model=${model}`, { key: secret });

function ask(socket: TestSocket, script: object, modality: 'text' | 'audio' = 'text'): void {
  const content = [{ type: 'input_text', text: JSON.stringify({ scripted: script }) }];
  socket.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
  socket.send({ type: 'response.create', response: { output_modalities: [modality] } });
}

const append = (socket: TestSocket, seconds: number) =>
  socket.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(seconds * 48_000).toString('base64') });

const byHand = (socket: TestSocket, transcription?: object) =>
  socket.send({
    type: 'session.update',
    session: { type: 'realtime', audio: { input: { turn_detection: null, transcription } } },
  });

/** What is free once nothing is held any more. */
async function leftOf({ workspaceId, accountId }: Account): Promise<bigint> {
  await until(async () => {
    await stage.db.notices.send(stage.db.pool, { kind: 'scarce', accountId });
    const open = await stage.db.pool.query(`select from holds where account_id = $1 and state = 'open'`, [accountId]);
    return open.rowCount === 0;
  });
  return balanceOf(stage.db, workspaceId);
}

interface Refusal {
  code: string;
  message: string;
}

const PART = /the next part of the answer needs at least (\S+) USD, and (\S+) USD of (.*) are left\. (.*)$/;

describe('money that ends within an answer is told with what is left and what its next part costs', () => {
  test.each([
    ['a written one', 'gpt-realtime', 'text', 'word '.repeat(200), 80n * TOKEN_NANOS + 1_000n],
    ['a spoken one', 'gpt-realtime', 'audio', SENTENCE.repeat(20), 2_000_000n],
    ['one of an upstream', 'gpt-passed', 'audio', 'word '.repeat(60), 2_000_000n],
  ] as const)('%s', async (_, model, modality, text, balanceNanos) => {
    Object.assign(upstream.script, { text });
    const account = await stage.account({ balanceNanos });
    const socket = await begin(account, model);
    ask(socket, { text }, modality);
    const { code, message } = (await socket.next('error')).error as Refusal;
    expect(await socket.closed).toEqual({ code: 1008, reason: closeReasonOf(message) });
    const [, needed, left, of, advice] = PART.exec(message)!;
    expect([code, of, advice]).toEqual(['insufficient_balance', 'the balance', 'Top up.']);
    expect(left).toBe(usdTextOf(await leftOf(account)));
    expect(nanosOfUsd(needed!)).toBeGreaterThan(nanosOfUsd(left!));
  });

  const ceilingNanos = 200_000n + 1_000n;
  test.each([
    ['this key', () => stage.account({ spendLimitNanos: ceilingNanos, spendLimitPeriod: 'daily' })],
    ['this key’s project', async () => limitProjectOf(stage.db, await stage.account(), ceilingNanos)],
  ] as const)('a limit of %s', async (_, account) => {
    const socket = await begin(await account());
    ask(socket, { text: 'word '.repeat(200) });
    const { message } = (await socket.next('error')).error as Refusal;
    const [, needed, left, of, advice] = PART.exec(message)!;
    expect([needed, left, advice]).toEqual(['0.0000025', '0.000001', 'Raise the limit or wait for its reset.']);
    expect(of).toMatch(/^(this key's spend limit|the spend limit of this key's project)$/);
    expect((await socket.closed).code).toBe(1008);
  });
});

test('an answer that ends because another session holds the rest leaves its own session open', async () => {
  const account = await stage.account({ balanceNanos: SECOND_NANOS + 100n * TOKEN_NANOS });
  const other = await begin(account);
  byHand(other);
  // Near the last cent a second is held at once.
  append(other, 0.1);
  other.send({ type: 'input_audio_buffer.clear' });
  await other.next('input_audio_buffer.cleared');
  const socket = await begin(account);
  ask(socket, { text: 'word '.repeat(200) });
  expect((await socket.next('response.done')).response).toMatchObject({ status: 'incomplete' });
  expect((await socket.next('error')).error).toMatchObject({ type: 'rate_limit_error', code: 'balance_held' });
  other.ws.close();
  await other.closed;
  ask(socket, { text: 'four five six' });
  expect((await socket.next('response.done')).response).toMatchObject({ status: 'completed' });
  socket.ws.close();
});

describe('sound that is refused for want of money is not billed, not even in part', () => {
  const halfNanos = WINDOW_NANOS / 2n;
  test.each([
    ['of a session, which has used all that is paid for before', undefined, 1n],
    ['of a session with another model that transcribes', { model: 'vendor-listener' }, 4n],
  ])('%s', async (_, transcription, factor) => {
    const balanceNanos = (WINDOW_NANOS + halfNanos) * factor;
    const account = await stage.account({ balanceNanos });
    const socket = await begin(account);
    byHand(socket, transcription);
    for (let at = 0; at < 3; at++) append(socket, 6);
    const { code, message } = (await socket.next('error')).error as Refusal;
    expect((await socket.closed).code).toBe(1008);
    expect(await leftOf(account)).toBe(balanceNanos - 12n * SECOND_NANOS * factor);
    expect(code).toBe('insufficient_balance');
    expect(message).toMatch(/ and 0\.\d+ USD of the balance are left\. /);
  });

  test('in one event that needs several windows', async () => {
    const account = await stage.account({ balanceNanos: WINDOW_NANOS + halfNanos });
    const socket = await begin(account);
    byHand(socket);
    append(socket, 16);
    expect((await socket.closed).code).toBe(1008);
    expect(await leftOf(account)).toBe(WINDOW_NANOS + halfNanos);
  });

  test('of an upstream that would answer it', async () => {
    const account = await stage.account({ balanceNanos: SECOND_NANOS + 10_000n });
    const socket = await begin(account, 'gpt-passed');
    upstream.received.length = 0;
    append(socket, 1);
    expect((await socket.closed).code).toBe(1008);
    expect(upstream.received).toEqual([]);
    expect(await leftOf(account)).toBe(SECOND_NANOS + 10_000n);
  });
});

test('sound is taken while there is money for it, however little', async () => {
  const account = await stage.account({ balanceNanos: 3n * SECOND_NANOS });
  const socket = await begin(account);
  byHand(socket);
  for (let at = 0; at < 3; at++) append(socket, 1);
  socket.send({ type: 'input_audio_buffer.clear' });
  await socket.next('input_audio_buffer.cleared');
  append(socket, 1);
  expect((await socket.closed).code).toBe(1008);
  expect(await leftOf(account)).toBe(0n);
});
