import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../db/ids.ts';
import { waitPastMidnight } from '../support/clock.ts';
import { spentByDay } from '../support/ledger.ts';
import { startApiProcess } from '../support/startApi.ts';
import {
  ask,
  chatBody,
  expectRefusals,
  setMoneyStage,
  sumOf,
  worstCaseNanos,
  type Account,
  type Answer,
  type MoneyStage,
} from './moneyStage.ts';

const clients = 64;
const rounds = 3;
const outputTokens = 40;
// Says more than it may, after a while: every call costs nearly its worst case, and all are there at once.
const script = { text: 'word '.repeat(60), headDelayMs: 150 };
// `user` finds an account's calls again at the upstream.
const bodyOf = (user: string) => chatBody(script, { max_tokens: outputTokens, user });
const worstNanos = worstCaseNanos(bodyOf(newId('key')), outputTokens);
const leastNanos = worstCaseNanos(bodyOf(newId('key')), 1);
let stage: MoneyStage;

beforeAll(async () => {
  stage = await setMoneyStage({ apis: 2, start: startApiProcess });
});
beforeEach(waitPastMidnight);
afterAll(() => stage.close());

/** All clients at once, spread over so many processes. */
function rush(account: Account, processes: number): Promise<Answer[]> {
  const urls = stage.urls().slice(0, processes);
  return Promise.all(
    Array.from({ length: clients }, (_, client) =>
      ask(urls[client % processes]!, account.secret, bodyOf(account.keyId)),
    ),
  );
}

/** So many rounds beside each other, each with an account of its own. */
const atOnce = (round: () => Promise<void>) => Promise.all(Array.from({ length: rounds }, round));

/** What must be true after any rush: nobody paid wrongly, nothing ran for the refused, and nothing is still held. */
async function expectExact(account: Account, creditNanos: bigint, answers: Answer[]): Promise<bigint> {
  const served = answers.filter(({ status }) => status === 200);
  const calls = stage.upstream.calls().filter((call) => call.body.user === account.keyId);
  expect(calls).toHaveLength(served.length);
  await stage.quiet(account.accountId);
  const balance = await stage.balance(account);
  expect(creditNanos - balance).toBe(sumOf(served.map(({ costNanos }) => costNanos)));
  expect(balance).toBeGreaterThanOrEqual(0n);
  return balance;
}

describe.each([1, 2])('with %i processes, clients at once', (processes) => {
  test('on a balance for ten calls spend it to the end and no further', async () => {
    await atOnce(async () => {
      const creditNanos = worstNanos * 10n;
      const account = await stage.account({ balanceNanos: creditNanos });
      const answers = await rush(account, processes);
      expectRefusals(answers, ['insufficient_balance']);
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
      const balance = await expectExact(account, creditNanos, answers);
      // Money that is free again is never refused while it pays for the prompt and one token; with less, nothing runs.
      const next = await ask(stage.urls()[0]!, account.secret, bodyOf(account.keyId));
      expect(next.status).toBe(balance >= leastNanos ? 200 : 402);
    });
  });

  test('on a ceiling for ten calls reach it and never pass it, though the account is rich', async () => {
    await atOnce(async () => {
      const ceilingNanos = worstNanos * 10n;
      const creditNanos = 10_000_000_000n;
      const account = await stage.account({
        balanceNanos: creditNanos,
        spendLimitNanos: ceilingNanos,
        spendLimitPeriod: 'daily',
      });
      const answers = await rush(account, processes);
      expectRefusals(answers, ['key_spend_limit_reached']);
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
      const balance = await expectExact(account, creditNanos, answers);
      const spent = sumOf(await spentByDay(stage.db, account.keyId));
      expect(spent).toBe(creditNanos - balance);
      expect(spent).toBeLessThanOrEqual(ceilingNanos);
      const next = await ask(stage.urls()[0]!, account.secret, bodyOf(account.keyId));
      expect(next.status).toBe(ceilingNanos - spent >= leastNanos ? 200 : 402);
    });
  });

  test('on a short balance, a ceiling and top-ups in between stay within both', async () => {
    await atOnce(async () => {
      const ceilingNanos = worstNanos * 12n;
      const account = await stage.account({
        balanceNanos: worstNanos * 4n,
        spendLimitNanos: ceilingNanos,
        spendLimitPeriod: 'monthly',
      });
      const rushing = rush(account, processes);
      await Promise.all(Array.from({ length: 12 }, () => stage.topUp(account, newId('pay'), worstNanos)));
      // Who did not wait long enough for the top-ups asks again: now there is more money than the ceiling allows to spend.
      const answers = [...(await rushing), ...(await rush(account, processes))];
      expectRefusals(answers, ['insufficient_balance', 'key_spend_limit_reached']);
      await expectExact(account, worstNanos * 16n, answers);
      const spent = sumOf(await spentByDay(stage.db, account.keyId));
      expect(spent).toBeLessThanOrEqual(ceilingNanos);
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(12);
    });
  });
});
