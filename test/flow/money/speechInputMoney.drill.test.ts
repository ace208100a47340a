import { afterAll, expect, test } from '@jest/globals';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { soundOf, speechSockets, toldIn } from '../../api/speechInput/speechInputStage.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { characterNanos, setAudioStage } from '../stages/audioStage.ts';
import type { Account } from '../stages/moneyStage.ts';
import { BYTES_PER_CHARACTER } from '../stages/scriptedElevenLabs.ts';

const creditNanos = 1_000_000_000n;
// Two chunks of fifty characters, which the upstream speaks in pieces of five.
const chunk = 'Five. Five. Five. Five. Five. Five. Five. Five. ok';
const piecesPerChunk = chunk.length / 5;
const frames = [{ text: ' ' }, { text: chunk, flush: true }, { text: chunk, flush: true }, { text: '' }];
const { open, talk } = speechSockets(() => stage.urls()[0]!);

const stage = await setAudioStage({ apis: 1, start: startApiProcess });
afterAll(() => stage.close());

const optionsOf = ({ secret }: Account) => ({ key: secret, query: 'output_format=pcm_24000&enable_logging=false' });

/** The characters that were told as spoken, without the space that parts two chunks, which nobody sent. */
const spokenIn = (received: Parameters<typeof toldIn>[0]) => toldIn(received).replaceAll('ok ', 'ok');

/** The upstream speaks this many pieces in total, over all calls, and then stays silent. */
function speakPieces(pieces: number): void {
  stage.voice.setScript(() => {
    const left = pieces - (stage.voice.calls().length - 1) * piecesPerChunk;
    return left >= piecesPerChunk ? {} : { pieces: left, ending: 'stall' };
  });
}

interface Bill {
  status: number;
  cancelled: boolean;
  cost_nanos: string;
  usage: { input_characters: number };
}

/** The bills of an account, once none of its money is held. */
async function billsOf(account: Account, count: number): Promise<Bill[]> {
  const sql = 'select status, cancelled, cost_nanos, usage from requests where key_id = $1 order by started_at';
  const read = async () => {
    await stage.db.ledger.posted();
    return (await stage.db.pool.query<Bill>(sql, [account.keyId])).rows;
  };
  await until(async () => (await read()).length === count);
  await stage.quiet(account.accountId);
  const bills = await read();
  const paidNanos = bills.reduce((sum, bill) => sum + BigInt(bill.cost_nanos), 0n);
  expect(await stage.balance(account)).toBe(creditNanos - paidNanos);
  return bills;
}

const charactersOf = (bills: Bill[]) => bills.reduce((sum, { usage }) => sum + usage.input_characters, 0);

const random = seededRandom(flowSeed);
const cuts = Array.from({ length: 20 }, () => 1 + Math.floor(random() * (2 * piecesPerChunk - 1)));

test(`a client that disconnects at any of 20 frames pays for what was sent (seed ${flowSeed})`, async () => {
  for (const [at, pieces] of cuts.entries()) {
    const calls = pieces < piecesPerChunk ? 1 : 2;
    speakPieces(pieces);
    const account = await stage.account({ balanceNanos: creditNanos });
    const socket = await open(frames, optionsOf(account));
    await until(() => spokenIn(socket.frames).length === pieces * 5 && stage.voice.calls().length === calls);
    if (at % 2 === 0) socket.ws.terminate();
    else socket.ws.close();
    const bills = await billsOf(account, calls);
    expect(charactersOf(bills)).toBe(pieces * 5);
    expect(bills.at(-1)).toMatchObject({ status: 499, cancelled: true });
    expect(soundOf(socket.frames).length).toBeGreaterThanOrEqual(pieces * 5 * BYTES_PER_CHARACTER - 2_000);
  }
});

test('a key that is revoked ends the socket at once, with the reason, and pays for what was sent', async () => {
  speakPieces(3);
  const account = await stage.account({ balanceNanos: creditNanos });
  const socket = await open(frames, optionsOf(account));
  await until(() => spokenIn(socket.frames).length === 15);
  await revokeKey(stage.db, account.keyId);
  let code = 0;
  void socket.closed.then((closed) => (code = closed.code));
  await until(() => code !== 0);
  expect(code).toBe(1008);
  expect(socket.frames.at(-1)).toMatchObject({ error: 'invalid_api_key', code: 1008 });
  expect(charactersOf(await billsOf(account, 1))).toBe(15);
});

test('money for one chunk buys one chunk: the next is refused with what is needed and left', async () => {
  stage.voice.setScript({});
  const account = await stage.account({ balanceNanos: BigInt(chunk.length) * characterNanos + 1n });
  const { frames: received, code } = await talk(frames, optionsOf(account));
  expect(code).toBe(1008);
  expect(spokenIn(received)).toBe(chunk);
  expect(received.at(-1)).toMatchObject({ error: 'insufficient_balance', code: 1008 });
  // A socket has no header for a part.
  expect(received.at(-1)).toMatchObject({ message: expect.not.stringContaining('x-allow-partial') });
  expect(stage.voice.calls()).toHaveLength(1);
  await stage.quiet(account.accountId);
  expect(await stage.balance(account)).toBe(1n);
});

test('a key at its ceiling is refused the same way', async () => {
  stage.voice.setScript({});
  const spendLimitNanos = BigInt(chunk.length) * characterNanos + 1n;
  const account = await stage.account({ balanceNanos: creditNanos, spendLimitNanos, spendLimitPeriod: 'daily' });
  const { frames: received } = await talk(frames, optionsOf(account));
  expect(received.at(-1)).toMatchObject({ error: 'key_spend_limit_reached', code: 1008 });
  expect(charactersOf(await billsOf(account, 1))).toBe(chunk.length);
});

test('an engine that breaks in the second chunk bills the first alone, and the socket says so with 1011', async () => {
  stage.voice.setScript(() => (stage.voice.calls().length > 1 ? { pieces: 2, ending: 'break' } : {}));
  const account = await stage.account({ balanceNanos: creditNanos });
  const { frames: received, code } = await talk(frames, optionsOf(account));
  expect([code, received.at(-1)!.error, received.at(-1)!.code]).toEqual([1011, 'provider_failed', 1011]);
  const bills = await billsOf(account, 2);
  expect(bills.map(({ status, usage }) => [status, usage.input_characters])).toEqual([
    [200, chunk.length],
    [502, 0],
  ]);
});

test('of a process that ends the chunks under way are spoken whole, and the socket is told to come again', async () => {
  let speakOn = () => {};
  const after = new Promise<void>((resolve) => (speakOn = resolve));
  stage.voice.setScript({ after });
  const account = await stage.account({ balanceNanos: creditNanos });
  const api = await stage.startAnother();
  const socket = await speechSockets(() => api.url).open(frames.slice(0, 2), optionsOf(account));
  await until(() => stage.voice.calls().length === 1);
  process.kill(api.pid, 'SIGTERM');
  await until(() => api.lines.some((line) => line.includes('draining')));
  speakOn();
  expect((await socket.closed).code).toBe(1001);
  expect(spokenIn(socket.frames)).toBe(chunk);
  expect(socket.frames.at(-1)).toMatchObject({ error: 'overloaded' });
  expect(await api.exited).toBe('exited with code 0');
  stage.running.pop();
  expect(charactersOf(await billsOf(account, 1))).toBe(chunk.length);
});
