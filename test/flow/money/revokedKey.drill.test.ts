import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { ask, chatBody, setMoneyStage, type Account } from '../stages/moneyStage.ts';

const random = seededRandom(flowSeed);
const creditNanos = 1_000_000_000n;

const stage = await setMoneyStage();
afterAll(() => stage.close());

/** Repeats calls until one is refused. Returns when the last admitted call was sent. */
async function callUntilRefused({ secret }: Account): Promise<number> {
  let sentAtMs: number;
  let letInAtMs = -Infinity;
  for (;;) {
    sentAtMs = performance.now();
    const { status } = await ask(stage.urls()[0]!, secret, chatBody({ text: 'Brief.' }));
    if (status !== 200) break;
    letInAtMs = sentAtMs;
  }
  return letInAtMs;
}

test('a busy key revoked without a notice is refused within a second, at any point between two reads', async () => {
  const accounts = await Promise.all(Array.from({ length: 20 }, () => stage.account({ balanceNanos: creditNanos })));
  const lateMs = await Promise.all(
    accounts.map(async (account) => {
      const calling = callUntilRefused(account);
      await sleep(600 + random() * 1_000);
      const sql = 'update api_keys set revoked_at = now() where id = $1';
      await stage.db.pool.query(sql, [account.keyId]);
      const revokedAtMs = performance.now();
      return (await calling) - revokedAtMs;
    }),
  );
  expect(lateMs.filter((ms) => ms > 1_000)).toEqual([]);
  for (const { accountId } of accounts) await stage.quiet(accountId);
});
