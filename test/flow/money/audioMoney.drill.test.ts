import { afterAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { nanosOfUsd, usdTextOf } from '../../../db/money.ts';
import { until } from '../../support/until.ts';
import { socketAt } from '../../support/webSocket.ts';
import {
  conversion,
  formOf,
  headersOf,
  requestsOf,
  sendSound,
  setAudioStage,
  transcription,
  voiceTranscription,
  type Hearing,
} from '../stages/audioStage.ts';
import { sumOf, type Account } from '../stages/moneyStage.ts';

const creditNanos = 1_000_000_000n;
const stage = await setAudioStage({ apis: 1 });
afterAll(() => stage.close());

const hearings: [string, Hearing][] = [
  ['transcription', transcription],
  ['conversion', conversion],
];

const send = (account: Account, hearing: Hearing, seconds: number, headers?: Record<string, string>) =>
  sendSound(stage.urls()[0]!, account, hearing, seconds, headers);

/** Waits until the account's only request has ended, and checks that the balance agrees. */
async function expectBill(account: Account, bill: { status: number; costNanos: bigint }): Promise<void> {
  await until(async () => (await requestsOf(stage, account)).length === 1);
  expect(await requestsOf(stage, account)).toEqual([expect.objectContaining(bill)]);
  expect(await stage.balance(account)).toBe(creditNanos - bill.costNanos);
  await stage.quiet(account.accountId);
}

describe.each(hearings)('a client that disconnects during a %s', (kind, hearing) => {
  test('pays for the audio given to the engine, and the upstream call is aborted', async () => {
    stage.voice.setScript({ pieces: kind === 'conversion' ? 5 : 0, ending: 'stall' });
    const account = await stage.account({ balanceNanos: creditNanos });
    const form = new Response(formOf(hearing, 3));
    const headers = { ...headersOf(account), 'content-type': form.headers.get('content-type')! };
    const sent = request(stage.urls()[0]! + hearing.path, { method: 'POST', headers, agent: false });
    sent.on('error', () => {});
    sent.end(Buffer.from(await form.arrayBuffer()));
    if (kind === 'conversion') await someSoundOf(sent);
    await until(() => stage.voice.calls().length === 1);
    sent.destroy();
    await until(() => stage.voice.calls()[0]!.ended === 'left');
    expect(stage.voice.calls()[0]!.seconds).toBe(3);
    await expectBill(account, { status: 499, costNanos: 3n * hearing.secondNanos });
    const sql = 'select usage, cancelled from requests where key_id = $1';
    const { rows } = await stage.db.pool.query(sql, [account.keyId]);
    expect(rows).toEqual([{ usage: hearing.usage(3), cancelled: true }]);
  });
});

test('a revoked key ends a transcription with an unbilled 401, and a conversion with a bill for its audio', async () => {
  for (const [kind, hearing] of hearings) {
    stage.voice.setScript({ pieces: kind === 'conversion' ? 5 : 0, ending: 'stall' });
    const account = await stage.account({ balanceNanos: creditNanos });
    const answer = send(account, hearing, 3);
    await until(() => stage.voice.calls().length === 1);
    if (kind === 'conversion') await (await answer).body!.getReader().read();
    await revokeKey(stage.db, account.keyId);
    const { status } = await answer;
    expect(status).toBe(kind === 'conversion' ? 200 : 401);
    await expectBill(account, { status: 401, costNanos: kind === 'conversion' ? 3n * hearing.secondNanos : 0n });
    await until(() => stage.voice.calls()[0]!.ended === 'left');
  }
});

async function someSoundOf(sent: ReturnType<typeof request>): Promise<void> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  await once(response, 'data');
}

const allHearings: [string, Hearing][] = [...hearings, ['transcription of the voice family', voiceTranscription]];

describe.each(allHearings)('a %s whose price a running call holds', (kind, hearing) => {
  test('gets 429 with a retry time, and is served when that call has ended', async () => {
    stage.voice.setScript({ pieces: 0, ending: 'stall' });
    const account = await stage.account({ balanceNanos: 3n * hearing.secondNanos });
    const leaving = new AbortController();
    const first = sendSound(stage.urls()[0]!, account, hearing, 3, {}, leaving.signal);
    first.catch(() => {});
    await until(() => stage.voice.calls().length === 1);
    const refused = await send(account, hearing, 2);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const body = (await refused.json()) as { detail?: { status: string } };
    expect(body).toMatchObject({ error: { code: 'balance_held', type: 'rate_limit_error' } });
    if (hearing.path.startsWith('/voiceapi')) expect(body.detail!.status).toBe('balance_held');
    expect(stage.voice.calls()).toHaveLength(1);
    leaving.abort();
    // The disconnected client has paid for the audio that the engine received.
    await until(async () => (await requestsOf(stage, account)).some(({ status }) => status === 499));
    await stage.topUp(account, `held-${kind}`, hearing.secondNanos);
    stage.voice.setScript({});
    const served = await send(account, hearing, 1);
    expect(served.status).toBe(200);
    await served.arrayBuffer();
    await stage.quiet(account.accountId);
  });
});

describe.each(hearings)('an engine that fails during a %s', (kind, hearing) => {
  test('before its first output gives a 502, and bills nothing', async () => {
    stage.voice.setScript({ status: 500 });
    const account = await stage.account({ balanceNanos: creditNanos });
    const response = await send(account, hearing, 2);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: 'provider_failed' } });
    await expectBill(account, { status: 502, costNanos: 0n });
  });

  test('after a part of its answer bills nothing', async () => {
    stage.voice.setScript({ pieces: kind === 'conversion' ? 5 : 0, ending: 'break' });
    const account = await stage.account({ balanceNanos: creditNanos });
    const response = await send(account, hearing, 2);
    expect(response.status).toBe(kind === 'conversion' ? 200 : 502);
    if (kind === 'conversion') await expect(response.arrayBuffer()).rejects.toMatchObject({ message: 'terminated' });
    await expectBill(account, { status: 502, costNanos: 0n });
  });
});

describe.each(hearings)('the last cent for a %s', (_, hearing) => {
  test('does not cover longer audio: the refusal has the amounts needed and left', async () => {
    stage.voice.setScript({});
    const account = await stage.account({ balanceNanos: 2n * hearing.secondNanos });
    const response = await send(account, hearing, 5);
    expect(response.status).toBe(402);
    expect(response.headers.get('x-limit-source')).toBe('balance');
    expect(nanosOfUsd(response.headers.get('x-limit-remaining-usd')!)).toBe(2n * hearing.secondNanos);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe('insufficient_balance');
    expect(error.message).toContain(`${usdTextOf(5n * hearing.secondNanos)} USD`);
    expect(error.message).toContain('x-allow-partial');
    expect(stage.voice.calls()).toEqual([]);
    expect(await stage.balance(account)).toBe(2n * hearing.secondNanos);
    await stage.quiet(account.accountId);
  });

  test.each([
    ['balance', (nanos: bigint) => ({ balanceNanos: nanos })],
    ['key', (nanos: bigint) => ({ spendLimitNanos: nanos, spendLimitPeriod: 'daily' as const })],
  ])('covers the beginning of the audio with x-allow-partial, marked as cut by the %s', async (source, options) => {
    stage.voice.setScript({});
    const leftNanos = 2n * hearing.secondNanos;
    const account = await stage.account(options(leftNanos));
    const creditNanosOfIts = await stage.balance(account);
    const response = await send(account, hearing, 5, { 'x-allow-partial': 'true' });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-truncated')).toBe(source);
    expect(nanosOfUsd(response.headers.get('x-cost-usd')!)).toBe(leftNanos);
    await response.arrayBuffer();
    expect(stage.voice.calls().map(({ seconds }) => seconds)).toEqual([2]);
    await until(async () => (await stage.balance(account)) === creditNanosOfIts - leftNanos);
    const refused = await send(account, hearing, 5, { 'x-allow-partial': 'true' });
    expect(refused.status).toBe(402);
    expect(stage.voice.calls()).toHaveLength(1);
    await stage.quiet(account.accountId);
  });

  test('that does not pay for a millisecond buys nothing', async () => {
    stage.voice.setScript({});
    const account = await stage.account({ balanceNanos: hearing.secondNanos / 1_000n - 1n });
    const response = await send(account, hearing, 1);
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ error: { code: 'insufficient_balance' } });
    expect(stage.voice.calls()).toEqual([]);
    await stage.quiet(account.accountId);
  });

  test('is spent by concurrent clients exactly, and never exceeded', async () => {
    stage.voice.setScript({ delayMs: 2 });
    const credit = 5n * hearing.secondNanos;
    const account = await stage.account({ balanceNanos: credit });
    const answers = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const response = await send(account, hearing, 1);
        await response.arrayBuffer();
        return { status: response.status, costNanos: nanosOfUsd(response.headers.get('x-cost-usd') ?? '0') };
      }),
    );
    expect(answers.filter(({ status }) => ![200, 402, 429].includes(status))).toEqual([]);
    await stage.quiet(account.accountId);
    const served = answers.filter(({ status }) => status === 200);
    expect(stage.voice.calls()).toHaveLength(served.length);
    const balance = await stage.balance(account);
    expect(credit - balance).toBe(sumOf(served.map(({ costNanos }) => costNanos)));
    expect(balance).toBe(0n);
  });
});

test('the last cent is spent by sockets that transcribe live exactly, on what is written down', async () => {
  stage.voice.setScript({ delayMs: 20 });
  const account = await stage.account({ balanceNanos: 20n * transcription.secondNanos });
  const second = Buffer.alloc(32_000, 1).toString('base64');
  const chunk = (commit: boolean) => ({ message_type: 'input_audio_chunk', audio_base_64: second, commit });
  const path = '/voiceapi/v1/speech-to-text/realtime?model_id=scribe_v2_realtime';
  const sockets = await Promise.all(
    Array.from({ length: 12 }, () => socketAt(stage.urls()[0]!, path, { key: account.secret })),
  );
  for (let at = 0; at < 6; at += 1) for (const socket of sockets) socket.send(chunk(at % 2 === 1));
  // One that others leave no money at that moment is told so, and stays open.
  const isOver = ({ ws, events }: (typeof sockets)[number]) =>
    ws.readyState === ws.CLOSED || events.some(({ code }) => code === 'balance_held');
  await until(() => sockets.every(isOver));
  for (const { ws } of sockets) ws.close();
  await stage.quiet(account.accountId);
  const heard = stage.voice.calls().reduce((sum, { seconds }) => sum + seconds, 0);
  expect(await stage.balance(account)).toBe((20n - BigInt(heard)) * transcription.secondNanos);
  expect(heard).toBeGreaterThan(10);
});
