import { afterAll, describe, expect, test } from '@jest/globals';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import {
  characterNanos,
  conversion,
  headersOf,
  requestsOf,
  sendSound,
  setAudioStage,
  transcription,
} from '../stages/audioStage.ts';
import { sweepExpired, untilFlushed, type Account } from '../stages/moneyStage.ts';

const creditNanos = 1_000_000_000n;
const text = 'Fifteen letters of this text are spoken, and then the process ends.';
const pieceBytes = 4_800;
const stage = await setAudioStage({ apis: 0, start: startApiProcess });
afterAll(() => stage.close());

const post = (url: string, account: Account, path: string, body: object) =>
  fetch(url + path, {
    method: 'POST',
    headers: { ...headersOf(account), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const voicePath = '/voiceapi/v1/text-to-speech/alloy';
const pcm = 'output_format=pcm_24000&enable_logging=false';

/** The part of an answer that a client has read, and whether the answer was cut off. */
async function readAll({ body }: Response): Promise<{ bytes: Buffer; isBroken: boolean }> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of body as AsyncIterable<Uint8Array>) parts.push(part);
  } catch {
    return { bytes: Buffer.concat(parts), isBroken: true };
  }
  return { bytes: Buffer.concat(parts), isBroken: false };
}

/** Starts a call whose upstream stalls, shuts the process down, and returns the caller's and the ledger's result. */
async function cut(call: (url: string, account: Account) => Promise<Response>, pieces: number) {
  stage.voice.setScript({ pieces, ending: 'stall' });
  const account = await stage.account({ balanceNanos: creditNanos });
  const api = await stage.startAnother({ SHUTDOWN_GRACE_MS: '300' });
  const answer = call(api.url, account);
  await until(() => stage.voice.calls().length === 1);
  const read = pieces > 0 ? readAll(await answer) : undefined;
  process.kill(api.pid, 'SIGTERM');
  const response = await answer;
  const received = await (read ?? readAll(response));
  expect(await api.exited).toBe('exited with code 0');
  stage.running.pop();
  await stage.db.ledger.posted();
  const sql = 'select status, cancelled, cost_nanos, usage from requests where key_id = $1';
  const { rows } = await stage.db.pool.query(sql, [account.keyId]);
  expect(await stage.balance(account)).toBe(creditNanos - BigInt(rows[0].cost_nanos));
  await stage.quiet(account.accountId);
  return { status: response.status, ...received, bill: rows[0] };
}

test('a killed process bills what its clients can use: parts of sound, but not of one JSON object or transcript', async () => {
  stage.voice.setScript(({ kind }) => ({ pieces: kind === 'hear' ? 0 : 3, ending: 'stall' }));
  const api = await stage.startAnother();
  const calls: ((account: Account) => Promise<Response>)[] = [
    (account) => post(api.url, account, `${voicePath}/stream?${pcm}`, { text }),
    (account) => post(api.url, account, `${voicePath}/with-timestamps?${pcm}`, { text }),
    (account) => sendSound(api.url, account, transcription, 3),
  ];
  const accounts = await Promise.all(calls.map(() => stage.account({ balanceNanos: creditNanos })));
  const reads = calls.map((call, at) => call(accounts[at]!).then(readAll, () => undefined));
  await until(() => stage.voice.calls().length === calls.length);
  await Promise.all(accounts.map((account) => untilFlushed(stage, account)));
  process.kill(api.pid, 'SIGKILL');
  await Promise.all(reads);
  stage.running.pop();
  await sweepExpired(stage, accounts);
  const bills = (await Promise.all(accounts.map((account) => requestsOf(stage, account)))).flat();
  expect(bills).toMatchObject([
    { status: 200, costNanos: 15n * characterNanos },
    { status: 503, costNanos: 0n },
    { status: 503, costNanos: 0n },
  ]);
  for (const [at, account] of accounts.entries()) {
    expect(await stage.balance(account)).toBe(creditNanos - bills[at]!.costNanos);
    await stage.quiet(account.accountId);
  }
});

describe('a process that shuts down while it', () => {
  test('speaks ends the audio, and bills the characters whose audio was delivered', async () => {
    const { status, bytes, isBroken, bill } = await cut(
      (url, account) => post(url, account, `${voicePath}/stream?${pcm}`, { text }),
      3,
    );
    expect([status, bytes.length, isBroken]).toEqual([200, 3 * pieceBytes, true]);
    const costNanos = String(15n * characterNanos);
    expect(bill).toEqual({ status: 503, cancelled: true, cost_nanos: costNanos, usage: { input_characters: 15 } });
  });

  test('speaks as events ends them with an error, and bills what was delivered', async () => {
    const { bytes, isBroken, bill } = await cut(
      (url, account) =>
        post(url, account, '/v1/audio/speech', {
          model: 'tts-1',
          voice: 'alloy',
          input: text,
          response_format: 'pcm',
          stream_format: 'sse',
        }),
      3,
    );
    const events = bytes.toString().trim().split('\n\n');
    const frames = events.map((event) => JSON.parse(event.slice('data: '.length)) as { error?: { code: string } });
    expect(isBroken).toBe(false);
    expect(frames).toHaveLength(4);
    expect(frames.at(-1)!.error!.code).toBe('overloaded');
    expect(bill).toMatchObject({ status: 503, cost_nanos: String(15n * characterNanos) });
  });

  test('writes speech and its times into one JSON object, which is useless in part, bills nothing', async () => {
    const { isBroken, bill } = await cut(
      (url, account) => post(url, account, `${voicePath}/with-timestamps?${pcm}`, { text }),
      3,
    );
    expect(isBroken).toBe(true);
    expect(bill).toMatchObject({ status: 503, cost_nanos: '0' });
  });

  test('has produced no speech yet answers 503, and bills nothing', async () => {
    const { status, bytes, bill } = await cut((url, account) => post(url, account, `${voicePath}?${pcm}`, { text }), 0);
    expect(status).toBe(503);
    expect(JSON.parse(bytes.toString())).toMatchObject({ error: { code: 'overloaded' } });
    expect(bill).toMatchObject({ status: 503, cost_nanos: '0' });
  });

  test.each([
    ['samples', conversion.path, pieceBytes],
    ['MP3', conversion.path.replace('pcm_24000', 'mp3_44100_128'), pieceBytes],
  ])('converts into %s ends the audio, and bills the seconds that were delivered', async (kind, path, bytesOfPiece) => {
    const { bytes, isBroken, bill } = await cut(
      (url, account) => sendSound(url, account, { ...conversion, path }, 3),
      5,
    );
    expect([bytes.length, isBroken]).toEqual([5 * bytesOfPiece, true]);
    const seconds = kind === 'MP3' ? (5 * bytesOfPiece * 8) / 128_000 : (5 * bytesOfPiece) / 48_000;
    const costNanos = String((BigInt(seconds * 1000) * conversion.secondNanos) / 1000n);
    expect(bill).toEqual({ status: 503, cancelled: true, cost_nanos: costNanos, usage: { audio_seconds: seconds } });
  });

  test('transcribes answers 503, and bills nothing', async () => {
    const { status, bill } = await cut((url, account) => sendSound(url, account, transcription, 3), 0);
    expect(status).toBe(503);
    expect(bill).toMatchObject({ status: 503, cost_nanos: '0' });
  });
});
