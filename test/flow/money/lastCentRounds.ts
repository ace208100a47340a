import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { countPromptTokens } from '../../../providers/metering/tokens.ts';
import { waitPastMidnight } from '../../support/midnight.ts';
import { spentByDay } from '../../support/ledger.ts';
import { startApiProcess } from '../../support/startApi.ts';
import {
  ask,
  chatBody,
  expectRefusals,
  priceNanos,
  setMoneyStage,
  sumOf,
  worstCaseNanos,
  type Account,
  type Answer,
  type MoneyStage,
} from '../stages/moneyStage.ts';

const clients = 64;
const outputTokens = 40;
// Writes more than its limit after a delay: every call costs nearly its worst case, and all run concurrently.
const script = { text: 'word '.repeat(60), headDelayMs: 150 };
// `user` identifies an account's calls at the upstream.
const bodyOf = (user: string) => chatBody(script, { max_tokens: outputTokens, user });
const worstNanos = worstCaseNanos(bodyOf(newId('key')), outputTokens);
/** The counted prompt, and one token. */
let leastNanos: bigint;
let stage: MoneyStage;

/** All clients at once, spread over this many processes. */
function rush(account: Account, processes: number): Promise<Answer[]> {
  const urls = stage.urls().slice(0, processes);
  return Promise.all(
    Array.from({ length: clients }, (_, client) =>
      ask(urls[client % processes]!, account.secret, bodyOf(account.keyId)),
    ),
  );
}

/** The conditions after any round: all payments are correct, refused calls ran nothing, and nothing is held. */
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

/** Many concurrent clients spend the last cents of several accounts: exactly to the end. */
export function testLastCent({
  accounts,
  setStage = () => setMoneyStage({ apis: 2, start: startApiProcess }),
}: {
  accounts: number;
  setStage?: () => Promise<MoneyStage>;
}): void {
  const atOnce = (round: () => Promise<void>) => Promise.all(Array.from({ length: accounts }, round));

  beforeAll(async () => {
    stage = await setStage();
    const inputTokens = await countPromptTokens(JSON.parse(bodyOf(newId('key'))) as Record<string, unknown>);
    leastNanos = priceNanos({ inputTokens, outputTokens: 1 });
  });
  beforeEach(waitPastMidnight);
  afterAll(() => stage.close());

  describe.each([1, 2])('with %i processes, concurrent clients', (processes) => {
    test('spend a balance for ten calls exactly', async () => {
      await atOnce(async () => {
        const creditNanos = worstNanos * 10n;
        const account = await stage.account({ balanceNanos: creditNanos });
        const answers = await rush(account, processes);
        expectRefusals(answers, ['insufficient_balance']);
        expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(10);
        const balance = await expectExact(account, creditNanos, answers);
        // Free money is never refused while it pays for the prompt and one token; with less, nothing runs.
        const next = await ask(stage.urls()[0]!, account.secret, bodyOf(account.keyId));
        expect(next.status).toBe(balance >= leastNanos ? 200 : 402);
      });
    });

    test('reach a ceiling for ten calls and never exceed it, although the account has more money', async () => {
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

    test('stay within a short balance and a ceiling while top-ups arrive', async () => {
      await atOnce(async () => {
        const ceilingNanos = worstNanos * 12n;
        const account = await stage.account({
          balanceNanos: worstNanos * 4n,
          spendLimitNanos: ceilingNanos,
          spendLimitPeriod: 'monthly',
        });
        const rushing = rush(account, processes);
        await Promise.all(Array.from({ length: 12 }, () => stage.topUp(account, newId('pay'), worstNanos)));
        // Calls that did not wait long enough for the top-up are repeated: now there is more money than the ceiling allows to spend.
        const answers = [...(await rushing), ...(await rush(account, processes))];
        expectRefusals(answers, ['insufficient_balance', 'key_spend_limit_reached']);
        await expectExact(account, worstNanos * 16n, answers);
        const spent = sumOf(await spentByDay(stage.db, account.keyId));
        expect(spent).toBeLessThanOrEqual(ceilingNanos);
        expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(12);
      });
    });
  });
}
