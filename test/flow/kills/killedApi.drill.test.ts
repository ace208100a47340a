import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { readdir } from 'node:fs/promises';
import { journalFolderOf } from '../../../db/ledger/deliveryJournal.ts';
import { refundUndelivered } from '../../../db/ledger/sweep.ts';
import { countPromptTokens } from '../../../providers/metering/tokens.ts';
import { makeFolder } from '../../support/folder.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { flowSeed, repetitions, seededRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import {
  ask,
  chatBody,
  priceNanos,
  setMoneyStage,
  sweepExpired,
  untilFlushed,
  type Account,
  type Answer,
} from '../stages/moneyStage.ts';

const random = seededRandom(flowSeed);
const rounds = repetitions(5);
// This many processes serve and die concurrently.
const beside = 4;
const callers = 12;
const text = 'word '.repeat(120);
let unreceivedTotal = 0;

const folder = await makeFolder();
const stage = await setMoneyStage({ apis: 0, start: startApiProcess, env: { DATA_DIR: folder.path } });
afterAll(async () => {
  await stage.close();
  await folder.remove();
});

interface Stream {
  user: string;
  body: string;
  requestId?: string;
  /** The data that the caller has received. */
  received: string;
}

/** Streams until the end or the death of the API; never throws. */
async function runStream(url: string, { secret }: Account, stream: Stream): Promise<void> {
  try {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: stream.body });
    stream.requestId = response.headers.get('x-request-id')!;
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) stream.received += text;
  } catch {
    // The API has died.
  }
}

/** Makes the process count a prompt, as for a disconnected client: the first count loads a table, which takes long on a busy machine. */
async function warmUp(url: string, { secret, accountId }: Account): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const body = chatBody({ text, delayMs: 25 }, { stream: true });
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
  for await (const _ of response.body!) break;
  await stage.quiet(accountId);
}

/** Pieces of text that a caller has received so far: one token each. */
const receivedBy = ({ received }: Stream): number => received.match(/"content":"[^"]/g)?.length ?? 0;

/** Tokens that the upstream has produced for a caller so far. */
const producedBy = (user: string): number =>
  stage.upstream.calls().find(({ body }) => body.user === user)?.outputTokens ?? 0;

async function requestsOf({ keyId }: Account): Promise<Map<string, { status: number; costNanos: bigint }>> {
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query('select id, status, cost_nanos from requests where key_id = $1', [keyId]);
  return new Map(rows.map((row) => [row.id as string, { status: row.status, costNanos: BigInt(row.cost_nanos) }]));
}

/** Whole answers, sequential for each caller, until the API has died. */
async function answerUntilDeath(url: string, { secret }: Account, answers: Answer[]): Promise<void> {
  for (let call = 0; ; call += 1) {
    const body = chatBody({ text: 'Short.', headDelayMs: (call * 37) % 300 });
    const answer = await ask(url, secret, body).catch(() => undefined);
    if (!answer) return;
    answers.push(answer);
  }
}

/** The work of one process until it was killed, for two accounts: one streams, the other requests whole answers. */
interface Life {
  streaming: Account;
  answering: Account;
  streams: Stream[];
  answers: Answer[];
  /** Tokens that each caller had received one flush before the death: the process had counted them. */
  kept: Map<string, number>;
}

/** Starts a process, lets it serve all callers, and kills it at a random moment. */
async function runUntilKilled(nth: number): Promise<Life> {
  const api = await stage.startAnother();
  const [streaming, answering] = [await stage.account({ creditUsd: '100' }), await stage.account({ creditUsd: '100' })];
  await warmUp(api.url, streaming);
  const streams: Stream[] = Array.from({ length: callers }, (_, caller) => {
    const user = `process-${nth}-caller-${caller}`;
    const script = { text, delayMs: 25 + caller, fault: 'endless' as const };
    return { user, body: chatBody(script, { stream: true, user }), received: '' };
  });
  const answers: Answer[] = [];
  const work = [
    ...streams.map((stream) => runStream(api.url, streaming, stream)),
    ...streams.map(() => answerUntilDeath(api.url, answering, answers)),
  ];
  await until(() => streams.every((stream) => receivedBy(stream) > 0) && answers.length > callers);
  await sleep(500 + random() * 1_000);
  const kept = new Map(streams.map((stream) => [stream.user, receivedBy(stream)]));
  await untilFlushed(stage, streaming);
  process.kill(api.pid, 'SIGKILL');
  await Promise.all(work);
  return { streaming, answering, streams, answers, kept };
}

/** Waits until the unsent bills of the killed processes are refunded: not before they can no longer be billed. */
async function untilRefunded(): Promise<void> {
  const journals = journalFolderOf(folder.path);
  const isDone = async () => {
    await refundUndelivered(stage.db.pool, journals);
    return (await readdir(journals)).length === 0;
  };
  await until(isDone, { pollMs: 100 });
}

/** Each stream is billed at least its stored progress, and at most the produced output. */
async function expectStreamsBilled({ streaming, streams, kept }: Life): Promise<void> {
  const billed = await requestsOf(streaming);
  for (const { user, body, requestId } of streams) {
    const inputTokens = await countPromptTokens(JSON.parse(body) as Record<string, unknown>);
    const { costNanos } = billed.get(requestId!) ?? { costNanos: 0n };
    expect(costNanos).toBeGreaterThanOrEqual(priceNanos({ inputTokens, outputTokens: kept.get(user)! }));
    expect(costNanos).toBeLessThanOrEqual(priceNanos({ inputTokens, outputTokens: producedBy(user) }));
  }
}

test.each(Array.from({ length: rounds }, (_, round) => round))(
  `${beside} killed processes lose no bill of an answer and bill no stream more than it produced (round %i)`,
  async () => {
    stage.upstream.reset();
    const lives = await Promise.all(Array.from({ length: beside }, (_, nth) => runUntilKilled(nth)));
    await until(() => stage.upstream.calls().every(({ endedAt }) => endedAt !== undefined));
    await sweepExpired(
      stage,
      lives.flatMap(({ streaming, answering }) => [streaming, answering]),
    );
    await untilRefunded();
    for (const life of lives) {
      await expectStreamsBilled(life);
      unreceivedTotal += await expectAnswersBilledOnce(life.answering, life.answers);
      await stage.quiet(life.streaming.accountId);
      await stage.quiet(life.answering.accountId);
    }
  },
);

test('only answers of the last turn before a kill are billed and not received', () => {
  expect(unreceivedTotal).toBeLessThanOrEqual(rounds * beside);
});

/** Every answer has its row with the cost in its header. Returns the number of billed answers that their caller did not receive. */
async function expectAnswersBilledOnce(account: Account, answers: Answer[]): Promise<number> {
  const billed = await requestsOf(account);
  expect(answers.length).toBeGreaterThan(callers);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { requestId, costNanos } of answers) expect(billed.get(requestId)).toEqual({ status: 200, costNanos });
  const received = new Set(answers.map(({ requestId }) => requestId));
  const unreceived = [...billed].filter(([id, { costNanos }]) => costNanos > 0n && !received.has(id));
  expect(unreceived.length).toBeLessThanOrEqual(callers);
  return unreceived.length;
}
