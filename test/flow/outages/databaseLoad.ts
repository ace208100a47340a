import { expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson } from '../../support/streams.ts';
import { until } from '../../support/until.ts';
import { ask, chatBody, type Account, type Answer, type MoneyStage } from '../stages/moneyStage.ts';

const clients = 16;

/** Calls of all clients, sequential for each, whole and streamed alternately, until it is stopped. */
export function startLoad(stage: MoneyStage, { secret }: Account) {
  const answers: Answer[] = [];
  const ending = new AbortController();
  const client = async (number: number) => {
    for (let call = number; !ending.signal.aborted; call += 1) {
      const body = chatBody({ text: 'word '.repeat(20), delayMs: 3 }, { stream: call % 2 === 0 });
      const answer = await ask(stage.urls()[0]!, secret, body);
      answers.push(answer);
      // A client would pause before a retry.
      if (answer.status !== 200) await sleep(20);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return {
    answers,
    served: () => answers.filter(({ status }) => status === 200).length,
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

/** Sends a call outside the load, with retries: earlier calls may still wait for their bills. */
export async function untilRefused(stage: MoneyStage, { secret }: Account): Promise<Promise<Answer>[]> {
  const asked: Promise<Answer>[] = [];
  let isRefused = false;
  const askAgain = () => {
    const asking = ask(stage.urls()[0]!, secret, chatBody({}));
    asked.push(asking);
    void asking.then(({ status }) => (isRefused ||= status === 503));
    return isRefused;
  };
  await until(askAgain, { pollMs: 50 });
  return asked;
}

/** Statuses and codes of all failures, including those in streams. */
export function failuresIn(answers: Answer[]): Set<string> {
  const failures = answers.flatMap(({ status, code, text }) => {
    if (status !== 200) return [`${status} ${code}`];
    if (!text.startsWith('data: ')) return [];
    const errors = readJson<{ error?: { code: string } }>(text).flatMap(({ error }) => error?.code ?? []);
    return errors.map((each) => `stream ${each}`);
  });
  return new Set(failures);
}

/** Each complete answer was billed once, with the cost in its header. */
export async function expectBilled(stage: Pick<MoneyStage, 'db'>, account: Account, answers: Answer[]): Promise<void> {
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query('select id, cost_nanos from requests where key_id = $1', [account.keyId]);
  const billed = new Map(rows.map((row) => [row.id as string, BigInt(row.cost_nanos as string)]));
  const whole = answers.filter(({ status, text }) => status === 200 && text.startsWith('{'));
  expect(whole.length).toBeGreaterThan(0);
  for (const { requestId, costNanos } of whole) expect(billed.get(requestId)).toBe(costNanos);
  // Calls with a broken connection may have been served.
  for (const { requestId } of answers.filter(({ status }) => status !== 200 && status !== 0))
    expect(billed.get(requestId) ?? 0n).toBe(0n);
}

/** Checks the failures and bills of the load. */
export async function expectSound(stage: MoneyStage, account: Account, answers: Answer[]): Promise<void> {
  const failures = [...failuresIn(answers)];
  expect(failures.filter((failure) => failure !== '503 overloaded' && failure !== 'stream overloaded')).toEqual([]);
  await expectBilled(stage, account, answers);
  await stage.quiet(account.accountId);
}
