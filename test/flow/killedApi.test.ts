import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { countPromptTokens } from '../../providers/tokens.ts';
import { until } from '../support/until.ts';
import {
  ask,
  chatBody,
  priceNanos,
  setMoneyStage,
  untilSwept,
  type Account,
  type Answer,
  type MoneyStage,
} from './moneyStage.ts';

const rounds = 3;
const callers = 50;
const text = 'word '.repeat(120);
// What a process may not have kept yet: its flush is a second old at most, and takes a moment.
const flushMs = 1_000;
const slackMs = 800;
let stage: MoneyStage;

beforeAll(async () => {
  stage = await setMoneyStage({ apis: 0, env: { LEDGER_LEASE_MS: '4000' } });
});
afterAll(() => stage.close());

interface Stream {
  user: string;
  body: string;
  requestId?: string;
  endedWell?: boolean;
}

/** Streams until the end or the death of the API; never throws. */
async function runStream(url: string, { secret }: Account, stream: Stream): Promise<void> {
  try {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: stream.body });
    stream.requestId = response.headers.get('x-request-id')!;
    stream.endedWell = (await response.text()).endsWith('[DONE]\n\n');
  } catch {
    stream.endedWell = false;
  }
}

/** Tokens that the upstream had produced for each caller, now. */
function producedByUser(): Map<string, number> {
  return new Map(stage.upstream.calls().map(({ body, outputTokens }) => [String(body.user), outputTokens]));
}

async function requestsOf({ keyId }: Account): Promise<Map<string, { status: number; costNanos: bigint }>> {
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query('select id, status, cost_nanos from requests where key_id = $1', [keyId]);
  return new Map(rows.map((row) => [row.id as string, { status: row.status, costNanos: BigInt(row.cost_nanos) }]));
}

/** Whole answers, one after another for each caller, until the API is gone. */
async function answerUntilDeath(url: string, { secret }: Account, answers: Answer[]): Promise<void> {
  for (let call = 0; ; call += 1) {
    const body = chatBody({ text: 'Short.', headDelayMs: (call * 37) % 300 });
    const answer = await ask(url, secret, body).catch(() => undefined);
    if (!answer) return;
    answers.push(answer);
  }
}

test.each(Array.from({ length: rounds }, (_, round) => round))(
  'a killed process loses no bill of an answer and bills no stream more than it produced (round %i)',
  async () => {
    stage.upstream.reset();
    const api = await stage.startAnother();
    const [streaming, answering] = [
      await stage.account({ creditUsd: '100' }),
      await stage.account({ creditUsd: '100' }),
    ];
    const streams: Stream[] = Array.from({ length: callers }, (_, caller) => {
      const user = `caller-${caller}`;
      return { user, body: chatBody({ text, delayMs: 25 + caller }, { stream: true, user }) };
    });
    const answers: Answer[] = [];
    const work = [
      ...streams.map((stream) => runStream(api.url, streaming, stream)),
      ...streams.map(() => answerUntilDeath(api.url, answering, answers)),
    ];
    await until(() => [...producedByUser().values()].filter((tokens) => tokens > 0).length >= callers);
    await sleep(500 + Math.random() * 1_000);
    const kept = producedByUser();
    await sleep(flushMs + slackMs);
    process.kill(api.pid, 'SIGKILL');
    await Promise.all(work);
    await until(() => stage.upstream.calls().every(({ endedAt }) => endedAt !== undefined));
    const produced = producedByUser();

    await untilSwept(stage, [streaming, answering]);
    const billed = await requestsOf(streaming);
    for (const { user, body, requestId } of streams) {
      const inputTokens = await countPromptTokens(JSON.parse(body) as Record<string, unknown>);
      const { costNanos } = billed.get(requestId!) ?? { costNanos: 0n };
      const atLeast = kept.get(user)! > 0 ? priceNanos({ inputTokens, outputTokens: kept.get(user)! }) : 0n;
      expect(costNanos).toBeGreaterThanOrEqual(atLeast);
      expect(costNanos).toBeLessThanOrEqual(priceNanos({ inputTokens, outputTokens: produced.get(user)! }));
    }
    await expectAnswersBilledOnce(answering, answers);
    await stage.quiet(streaming.accountId);
    await stage.quiet(answering.accountId);
  },
);

/** Every answer has its row with what its header said; rows beside them belong to answers that were cut off. */
async function expectAnswersBilledOnce(account: Account, answers: Answer[]): Promise<void> {
  const billed = await requestsOf(account);
  expect(answers.length).toBeGreaterThan(callers);
  for (const { status, requestId, costNanos } of answers) {
    expect(status).toBe(200);
    expect(billed.get(requestId)).toEqual({ status: 200, costNanos });
  }
  expect(billed.size - answers.length).toBeLessThanOrEqual(callers);
}
