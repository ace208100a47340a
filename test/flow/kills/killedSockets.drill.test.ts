import { afterAll, expect, test } from '@jest/globals';
import { startRealtimeUpstream } from '../../support/realtimeUpstream.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { socketAt, type SocketEvent, type TestSocket } from '../../support/webSocket.ts';
import { characterNanos, setAudioStage, transcription } from '../stages/audioStage.ts';
import { sweepExpired, untilFlushed, type Account } from '../stages/moneyStage.ts';

const VENDOR_KEY = 'sk-vendor-key-0123456789';
const TOKEN_NANOS = 2_500n;
const PASSED_TOKEN_NANOS = 24_000n;
const MINUTE_NANOS = 6_000_000n;
const SPEAKING = 6;
const UNHEARD = 3;
const WRITING = 5;
const HEARING = 5;
const PASSED = 4;
const PIECEWISE = 6;

const vendor = await startRealtimeUpstream(VENDOR_KEY);
// The response reports no usage: only the forwarded part is known.
Object.assign(vendor.script, { text: 'One two three four. ', hangsAfter: 3, isSilent: true });
const realtime = { url: vendor.url, apiKey: VENDOR_KEY };
const stage = await setAudioStage({ apis: 0, start: startApiProcess, realtime });
afterAll(async () => {
  await stage.close();
  await vendor.stop();
});

interface Row {
  id: string;
  usage: Record<string, number>;
  costNanos: bigint;
}

async function rowsOf({ keyId }: Account): Promise<Row[]> {
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query(
    'select id, usage, cost_nanos from requests where key_id = $1 order by id',
    [keyId],
  );
  return rows.map((row) => ({ id: row.id, usage: row.usage, costNanos: BigInt(row.cost_nanos) }));
}

const requestIdOf = ({ headers }: TestSocket) => String(headers['x-request-id']);
const deltasOf = ({ events }: TestSocket, type: string) => events.filter((event) => event.type === `${type}.delta`);
const charactersIn = (deltas: SocketEvent[]) => deltas.reduce((sum, { delta }) => sum + (delta as string).length, 0);
const spokenBy = (socket: TestSocket) => deltasOf(socket, 'response.output_audio_transcript');
const writtenBy = (socket: TestSocket) => deltasOf(socket, 'response.output_text').length;

/** The characters whose audio a client of `stream-input` has received. */
const heardIn = ({ events }: TestSocket) =>
  events.reduce((sum, { alignment }) => sum + ((alignment as { chars: string[] } | null)?.chars.length ?? 0), 0);

const openMany = (url: string, { secret }: Account, count: number, path: string) =>
  Promise.all(Array.from({ length: count }, () => socketAt(url, path, { key: secret })));

async function begin(url: string, account: Account, count: number, model = 'gpt-realtime'): Promise<TestSocket[]> {
  const sockets = await openMany(url, account, count, `/v1/realtime?model=${model}`);
  await Promise.all(sockets.map((socket) => socket.next('session.created')));
  return sockets;
}

/** Requests an answer that lasts longer than the process. */
function askAll(
  sockets: TestSocket[],
  modality: 'audio' | 'text',
  sentence = (at: number) => `Caller ${at} speaks. `,
): void {
  for (const [at, socket] of sockets.entries()) {
    const scripted = { text: sentence(at).repeat(2_000), delayMs: 5 };
    const content = [{ type: 'input_text', text: JSON.stringify({ scripted }) }];
    socket.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
    socket.send({ type: 'response.create', response: { output_modalities: [modality] } });
  }
}

test('a process killed with 29 sockets open bills each once, for what was kept of it', async () => {
  stage.voice.setScript(() => ({ delayMs: 40 }));
  const { url, pid } = await stage.startAnother();
  const accounts = await Promise.all(
    Array.from({ length: 6 }, () => stage.account({ creditUsd: '100', concurrencyLimit: 100 })),
  );
  const [speaking, writing, hearing, passing, piecewise, waiting] = accounts as [
    Account,
    Account,
    Account,
    Account,
    Account,
    Account,
  ];
  const speakers = await begin(url, speaking, SPEAKING);
  const writers = await begin(url, writing, WRITING);
  const unheard = await begin(url, waiting, UNHEARD);
  const hearers = await begin(url, hearing, HEARING);
  const passers = await begin(url, passing, PASSED, 'gpt-passed');
  const pieces = await openMany(
    url,
    piecewise,
    PIECEWISE,
    '/voiceapi/v1/text-to-speech/alloy/stream-input?output_format=pcm_16000&sync_alignment=true',
  );
  askAll(speakers, 'audio');
  askAll(writers, 'text');
  // Without the end of a sentence nothing is spoken.
  askAll(unheard, 'audio', () => 'on and on ');
  for (const socket of passers) socket.send({ type: 'response.create' });
  for (const socket of pieces) socket.send({ text: 'This is said in one piece. '.repeat(100), flush: true });
  const second = Buffer.alloc(48_000).toString('base64');
  for (const socket of hearers) {
    socket.send({ type: 'session.update', session: { type: 'realtime', audio: { input: { turn_detection: null } } } });
    for (let at = 0; at < 15; at++) socket.send({ type: 'input_audio_buffer.append', audio: second });
    socket.send({ type: 'input_audio_buffer.clear' });
  }
  await Promise.all(hearers.map((socket) => socket.next('input_audio_buffer.cleared')));
  await until(() => passers.every((socket) => spokenBy(socket).length === 3));
  await until(() => speakers.every((socket) => spokenBy(socket).length > 2));
  await until(() => writers.every((socket) => writtenBy(socket) > 10) && pieces.every((socket) => heardIn(socket) > 0));
  const kept = {
    // The last part may have been in transit.
    spoken: speakers.map((socket) => charactersIn(spokenBy(socket).slice(0, -1))),
    written: writers.map(writtenBy),
    heard: pieces.reduce((sum, socket) => sum + heardIn(socket), 0),
  };
  await untilFlushed(stage, speaking);
  await untilFlushed(stage, waiting);
  await untilFlushed(stage, writing);
  await untilFlushed(stage, piecewise);
  await untilFlushed(stage, passing);
  const all = [...speakers, ...writers, ...unheard, ...hearers, ...passers, ...pieces];
  process.kill(pid, 'SIGKILL');
  await Promise.all(all.map(({ closed }) => closed));
  await sweepExpired(stage, accounts);

  const spoken = await rowsOf(speaking);
  expect(spoken.map(({ id }) => id)).toEqual(speakers.map((socket) => `${requestIdOf(socket)}n1`).toSorted());
  for (const [at, socket] of speakers.entries()) {
    const { usage, costNanos } = spoken.find(({ id }) => id.startsWith(requestIdOf(socket)))!;
    expect(usage.output_characters).toBeGreaterThanOrEqual(kept.spoken[at]!);
    expect(usage.output_characters).toBeLessThanOrEqual(charactersIn(spokenBy(socket)));
    expect(costNanos).toBe(
      BigInt(usage.output_characters!) * characterNanos + BigInt(usage.output_tokens!) * TOKEN_NANOS,
    );
  }

  const written = await rowsOf(writing);
  expect(written).toHaveLength(WRITING);
  for (const [at, socket] of writers.entries()) {
    const { usage, costNanos } = written.find(({ id }) => id === `${requestIdOf(socket)}n1`)!;
    expect(usage.output_tokens).toBeGreaterThanOrEqual(kept.written[at]!);
    expect(usage.output_tokens).toBeLessThanOrEqual(writtenBy(socket) + 1);
    expect(costNanos).toBe(BigInt(usage.output_tokens!) * TOKEN_NANOS);
  }

  const lost = await rowsOf(waiting);
  expect(lost.map(({ id }) => id)).toEqual(unheard.map((socket) => `${requestIdOf(socket)}n1`).toSorted());
  expect(lost.map(({ costNanos }) => costNanos)).toEqual(Array(UNHEARD).fill(0n));

  // The full window was settled before; the sweep settles the begun one.
  const sounds = await rowsOf(hearing);
  expect(sounds).toHaveLength(2 * HEARING);
  const minutes = sounds.reduce((sum, { usage }) => sum + usage.audio_minutes!, 0);
  expect(Math.round(minutes * 60_000)).toBe(HEARING * 15_000);
  expect(sounds.reduce((sum, { costNanos }) => sum + costNanos, 0n)).toBe((BigInt(HEARING) * 15n * MINUTE_NANOS) / 60n);

  // Three words of 200 ms: 14 characters in tokens of 4, sound in tokens of 50 ms.
  const passed = await rowsOf(passing);
  expect(passed.map(({ usage }) => usage)).toEqual(
    Array.from({ length: PASSED }, () => ({ output_tokens: 4 + 12, output_characters: 14 })),
  );
  for (const { costNanos } of passed) expect(costNanos).toBe(16n * PASSED_TOKEN_NANOS + 14n * characterNanos);

  const inPieces = await rowsOf(piecewise);
  const produced = stage.voice
    .calls()
    .filter(({ text }) => text.includes('in one piece'))
    .reduce((sum, { producedCharacters }) => sum + producedCharacters, 0);
  const billed = inPieces.reduce((sum, { costNanos }) => sum + costNanos, 0n);
  expect(billed).toBeGreaterThanOrEqual(BigInt(kept.heard) * characterNanos);
  expect(billed).toBeLessThanOrEqual(BigInt(produced) * characterNanos);
  for (const account of accounts) await stage.quiet(account.accountId);
});

test('a process killed while it transcribes live bills the turns that were written down', async () => {
  let calls = 0;
  stage.voice.setScript(() => (++calls > 1 ? { ending: 'stall', pieces: 0 } : {}));
  const { url, pid } = await stage.startAnother();
  const account = await stage.account({ creditUsd: '1' });
  const path = '/voiceapi/v1/speech-to-text/realtime?model_id=scribe_v2_realtime';
  const socket = await socketAt(url, path, { key: account.secret });
  const audio_base_64 = Buffer.alloc(32_000, 1).toString('base64');
  const say = (seconds: number, isTurn: boolean) => {
    for (let at = 1; at <= seconds; at += 1)
      socket.send({ message_type: 'input_audio_chunk', audio_base_64, commit: isTurn && at === seconds });
  };
  say(2, true);
  await until(async () => (await rowsOf(account)).length === 1);
  say(12, true);
  await until(() => stage.voice.calls().length === 2);
  say(3, false);
  await untilFlushed(stage, account);
  process.kill(pid, 'SIGKILL');
  await socket.closed;
  await sweepExpired(stage, [account]);
  const billed = (await rowsOf(account)).filter(({ costNanos }) => costNanos > 0n);
  expect(billed.map(({ costNanos }) => costNanos)).toEqual([2n * transcription.secondNanos]);
  await stage.quiet(account.accountId);
});
