import { afterAll, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { nanosOfUsd } from '../../../db/money.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
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
import { BYTES_PER_CHARACTER, type ElevenLabsCall } from '../stages/scriptedElevenLabs.ts';

const random = seededRandom(flowSeed);
const callers = 6;
const answerers = 2;
const heardSeconds = 2;
// Ten pieces of 100 ms.
const convertedSeconds = 1;

const stage = await setAudioStage({ apis: 0, start: startApiProcess });
afterAll(() => stage.close());

interface Spoken {
  text: string;
  requestId?: string;
  /** The bytes that its caller has received. */
  heardBytes: number;
}

interface Told {
  status: number;
  requestId: string;
  costNanos: bigint;
}

const speak = (url: string, account: Account, input: string) =>
  fetch(`${url}/v1/audio/speech`, {
    method: 'POST',
    headers: { ...headersOf(account), 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tts-1', voice: 'alloy', input, response_format: 'pcm' }),
  });

/** Reads until the end or the death of the API; never throws. */
async function listen(url: string, account: Account, spoken: Spoken): Promise<void> {
  try {
    const response = await speak(url, account, spoken.text);
    spoken.requestId = response.headers.get('x-request-id')!;
    for await (const sound of response.body!) spoken.heardBytes += sound.length;
  } catch {
    // The API has died.
  }
}

/** Short transcriptions and speech, one after another, until the API has died. */
async function answerUntilDeath(call: () => Promise<Response>, answers: Told[]): Promise<void> {
  for (;;) {
    const response = await call().catch(() => undefined);
    const body = await response?.arrayBuffer().catch(() => undefined);
    if (!response || !body) return;
    answers.push({
      status: response.status,
      requestId: response.headers.get('x-request-id')!,
      costNanos: nanosOfUsd(response.headers.get('x-cost-usd') ?? '0'),
    });
  }
}

// Long speech continues past the kill, a long input is never transcribed to its end, and short calls are answered.
function scriptOf({ kind, text, seconds }: ElevenLabsCall) {
  if (kind === 'speak') return { delayMs: text.startsWith('Caller') ? 40 : 5 };
  return seconds === heardSeconds ? { pieces: kind === 'hear' ? 0 : 10, ending: 'stall' as const } : { delayMs: 20 };
}

const producedByText = () =>
  new Map(stage.voice.calls().map(({ text, producedCharacters }) => [text, producedCharacters]));

/** Characters whose audio a caller has received: the process had counted them. */
const heardOf = ({ heardBytes }: Spoken) => Math.floor(heardBytes / BYTES_PER_CHARACTER);

test.each([0, 1])(
  'a killed process bills speech as produced, conversions as sent, no transcript, and each answer once (round %i)',
  async () => {
    stage.voice.setScript(scriptOf);
    const { url, pid } = await stage.startAnother();
    const accounts = await Promise.all(Array.from({ length: 4 }, () => stage.account({ creditUsd: '100' })));
    const [speaking, hearing, converting, answering] = accounts as [Account, Account, Account, Account];
    const speeches: Spoken[] = Array.from({ length: callers }, (_, at) => ({
      text: `Caller ${at} speaks. `.repeat(200),
      heardBytes: 0,
    }));
    const answers: Told[] = [];
    const stalled = Array.from({ length: callers }, () => [
      sendSound(url, hearing, transcription, heardSeconds).catch(() => {}),
      sendSound(url, converting, conversion, heardSeconds).catch(() => {}),
    ]);
    const isStalled = ({ seconds }: ElevenLabsCall) => seconds === heardSeconds;
    await until(() => stage.voice.calls().filter(isStalled).length === 2 * callers);
    const work = [
      ...stalled.flat(),
      ...speeches.map((spoken) => listen(url, speaking, spoken)),
      ...Array.from({ length: answerers }, () => [
        answerUntilDeath(() => sendSound(url, answering, transcription, 1), answers),
        answerUntilDeath(() => speak(url, answering, 'Short.'), answers),
      ]).flat(),
    ];
    await until(() => speeches.every((spoken) => heardOf(spoken) > 0) && answers.length > 2 * answerers);
    await sleep(random() * 500);
    const kept = new Map(speeches.map((spoken) => [spoken.text, heardOf(spoken)]));
    await untilFlushed(stage, speaking);
    await untilFlushed(stage, converting);
    process.kill(pid, 'SIGKILL');
    await Promise.all(work);
    await until(() =>
      speeches.every(({ text }) => stage.voice.calls().some((call) => call.text === text && call.ended)),
    );
    const produced = producedByText();

    await sweepExpired(stage, accounts);
    const billed = new Map((await requestsOf(stage, speaking)).map(({ id, costNanos }) => [id, costNanos]));
    expect(billed.size).toBe(callers);
    for (const { text, requestId } of speeches) {
      const costNanos = billed.get(requestId!);
      expect(costNanos).toBeGreaterThanOrEqual(BigInt(kept.get(text)!) * characterNanos);
      expect(costNanos).toBeLessThanOrEqual(BigInt(produced.get(text)!) * characterNanos);
    }
    await expectCosts(hearing, 0n);
    await expectCosts(converting, BigInt(convertedSeconds) * conversion.secondNanos);
    await expectAnswersBilledOnce(answering, answers);
    for (const account of accounts) await stage.quiet(account.accountId);
  },
);

const soundOnDiskOf = (pid: number) =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`ledgerline-sound-${pid}-`));

test('the next process removes the audio files of a killed one', async () => {
  stage.voice.setScript(scriptOf);
  const { url, pid } = await stage.startAnother();
  const account = await stage.account();
  const stalled = sendSound(url, account, transcription, heardSeconds).catch(() => {});
  await until(() => soundOnDiskOf(pid).length > 0);
  process.kill(pid, 'SIGKILL');
  await stalled;
  expect(soundOnDiskOf(pid)).not.toEqual([]);

  const next = await stage.startAnother();
  await until(() => soundOnDiskOf(pid).length === 0);
  const answer = await sendSound(next.url, account, transcription, 1);
  expect(answer.status).toBe(200);
  expect(soundOnDiskOf(next.pid)).toEqual([]);
});

async function expectCosts(account: Account, eachNanos: bigint): Promise<void> {
  const costs = (await requestsOf(stage, account)).map(({ costNanos }) => costNanos);
  expect(costs).toEqual(Array.from({ length: callers }, () => eachNanos));
}

/** Every answer has its row with the cost in its header; other rows belong to answers that were cut off. */
async function expectAnswersBilledOnce(account: Account, answers: Told[]): Promise<void> {
  const billed = new Map((await requestsOf(stage, account)).map((row) => [row.id, row]));
  expect(answers.length).toBeGreaterThan(2 * answerers);
  for (const { status, requestId, costNanos } of answers) {
    expect(status).toBe(200);
    expect(billed.get(requestId)).toEqual({ id: requestId, status, costNanos });
  }
  expect(billed.size - answers.length).toBeLessThanOrEqual(2 * answerers);
}
