import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { nanosOfUsd, usdTextOf } from '../../../db/money.ts';
import { headersOf, setAudioStage, transcription } from '../stages/audioStage.ts';
import type { Account } from '../stages/moneyStage.ts';

const { path, secondNanos } = transcription;
const stage = await setAudioStage({ apis: 1 });
afterAll(() => stage.close());
beforeEach(() => stage.voice.setScript({}));

interface Head {
  rate?: number;
  channels?: number;
  /** The part before the description of the samples. */
  before?: Buffer;
  dataBytes?: number;
}

/** A WAV file with any header. */
function wav(
  data: Buffer,
  { rate = 16_000, channels = 1, before = Buffer.alloc(0), dataBytes = data.length }: Head,
): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.write('fmt ', 0, 'latin1');
  bytes.writeUInt32LE(16, 4);
  bytes.writeUInt16LE(1, 8);
  bytes.writeUInt16LE(channels, 10);
  bytes.writeUInt32LE(rate, 12);
  bytes.writeUInt32LE((rate * channels * 2) % 2 ** 32, 16);
  bytes.writeUInt16LE((channels * 2) % 2 ** 16, 20);
  bytes.writeUInt16LE(16, 22);
  const head = Buffer.alloc(8);
  head.write('data', 0, 'latin1');
  head.writeUInt32LE(dataBytes, 4);
  return Buffer.concat([Buffer.from('RIFF\xff\xff\xff\xffWAVE', 'latin1'), before, bytes, head, data]);
}

const second = Buffer.alloc(32_000, 1);
/** 14,000 samples at one a second: nearly four hours in 28 KB. */
const hours = wav(Buffer.alloc(28_000, 1), { rate: 1 });

function send(account: Account, sound: Buffer, headers: Record<string, string> = {}): Promise<Response> {
  const form = new FormData();
  form.set('model', 'whisper-1');
  form.set('file', new Blob([Uint8Array.from(sound)]), 'sound.wav');
  return fetch(stage.urls()[0]! + path, { method: 'POST', headers: { ...headersOf(account), ...headers }, body: form });
}

describe('a few kilobytes that contain hours of audio', () => {
  test("are decoded for ten minutes beyond the caller's money, and refused with the price of that", async () => {
    const balanceNanos = 2n * secondNanos;
    const account = await stage.account({ balanceNanos });
    const response = await send(account, hours);
    expect(response.status).toBe(402);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe('insufficient_balance');
    expect(error.message).toContain(`at least ${usdTextOf(602n * secondNanos)} USD`);
    expect(error.message).toContain('x-allow-partial');
    expect(stage.voice.calls()).toEqual([]);
    expect(await stage.balance(account)).toBe(balanceNanos);
    await stage.quiet(account.accountId);
  });

  test('are transcribed as far as the money lasts with x-allow-partial', async () => {
    const account = await stage.account({ balanceNanos: 2n * secondNanos });
    const response = await send(account, hours, { 'x-allow-partial': 'true' });
    expect([response.status, response.headers.get('x-truncated')]).toEqual([200, 'balance']);
    expect(nanosOfUsd(response.headers.get('x-cost-usd')!)).toBe(2n * secondNanos);
    await response.arrayBuffer();
    expect(stage.voice.calls().map(({ seconds }) => seconds)).toEqual([2]);
    await stage.quiet(account.accountId);
  });
});

const chunks = (count: number) => Buffer.alloc(count * 8, 'JUNK\0\0\0\0', 'latin1');

describe('a WAV whose header is wrong', () => {
  test.each<[string, Head]>([
    ['of no rate', { rate: 0 }],
    ['of a rate beyond any', { rate: 4_000_000_000 }],
    ['of no channels', { channels: 0 }],
    ['of 255 channels', { channels: 255 }],
    ['of 32,767 channels', { channels: 32_767 }],
    ['of 10,001 chunks before its samples', { before: chunks(9_999) }],
  ])('%s is a 400, and bills nothing', async (_, head) => {
    const account = await stage.account({ balanceNanos: secondNanos });
    const response = await send(account, wav(second, head));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_audio', param: 'file' } });
    expect(await stage.balance(account)).toBe(secondNanos);
    expect(stage.voice.calls()).toEqual([]);
    await stage.quiet(account.accountId);
  });

  test.each<[string, Head]>([
    ['of 4 GB', { dataBytes: 0xfffffff0 }],
    ['of its length behind 5,000 empty chunks', { before: chunks(5_000) }],
  ])('%s is billed by its actual content', async (_, head) => {
    const account = await stage.account({ balanceNanos: 2n * secondNanos });
    const response = await send(account, wav(second, head));
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    expect(nanosOfUsd(response.headers.get('x-cost-usd')!)).toBe(secondNanos);
    await stage.quiet(account.accountId);
  });
});

test('a large form of an account without money is refused before it is read', async () => {
  const { secret } = await stage.account({ balanceNanos: 0n });
  const { hostname, port } = new URL(stage.urls()[0]!);
  const socket = connect(Number(port), hostname);
  const head = [`POST ${path} HTTP/1.1`, 'host: api', `authorization: Bearer ${secret}`];
  const type = 'content-type: multipart/form-data; boundary=edge';
  socket.write([...head, type, 'content-length: 90000000', '', '--edge\r\n'].join('\r\n'));
  let answer = '';
  for await (const bytes of socket) {
    answer += String(bytes);
    if (answer.includes('insufficient_balance')) break;
  }
  expect(answer).toMatch(/^HTTP\/1.1 402 /);
});
