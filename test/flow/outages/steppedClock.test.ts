import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { countPromptTokens, countTokens } from '../../../providers/metering/tokens.ts';
import { waitPastMidnight } from '../../support/midnight.ts';
import { startStepped, stepClock } from '../../support/ownClock.ts';
import { spentByDay } from '../../support/ledger.ts';
import { startApiProcess } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { ask, chatBody, priceNanos, setMoneyStage, sumOf } from '../stages/moneyStage.ts';

const callers = 20;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
// The last step simulates a machine that starts without the correct time.
const offsetsMs = [0, hourMs, -hourMs, dayMs, -dayMs, 0, 20_000 * dayMs, 0];
const text = 'What was said while somebody set the clock.';
const stage = await setMoneyStage({ start: startApiProcess, env: startStepped(offsetsMs) });
beforeEach(waitPastMidnight);
afterAll(() => stage.close());

/** The bill of each call, and its recorded duration. */
async function billedTo(keyId: string) {
  await stage.db.ledger.posted();
  const sql = 'select status, cost_nanos, duration_ms, first_byte_ms from requests where key_id = $1';
  const { rows } = await stage.db.pool.query(sql, [keyId]);
  return rows.map((row) => ({
    status: row.status as number,
    costNanos: BigInt(row.cost_nanos as string),
    timesMs: [row.duration_ms as number, (row.first_byte_ms as number | null) ?? 0],
  }));
}

test.each(offsetsMs.slice(1).map((offsetMs, at) => [offsetsMs[at]!, offsetMs]))(
  'running calls are answered, timed and billed correctly while the clock steps from %i ms to %i ms off',
  async (_before, _after) => {
    const limit = { spendLimitNanos: 10_000_000_000n, spendLimitPeriod: 'daily' as const };
    const account = await stage.account({ creditUsd: '100', ...limit });
    stage.upstream.reset();
    const body = (stream: boolean) => chatBody({ text, delayMs: 40, headDelayMs: 300 }, { stream });
    const asking = Array.from({ length: callers }, (_, nth) =>
      ask(stage.urls()[0]!, account.secret, body(nth % 2 === 0)),
    );
    await until(() => stage.upstream.calls().length === callers);
    await stepClock(stage.running[0]!);
    const answers = await Promise.all(asking);

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const billed = await billedTo(account.keyId);
    const outputTokens = await countTokens(text);
    const promptOf = (stream: boolean) => countPromptTokens(JSON.parse(body(stream)) as Record<string, unknown>);
    const prices = await Promise.all(
      answers.map(async (_, nth) => priceNanos({ inputTokens: await promptOf(nth % 2 === 0), outputTokens })),
    );
    expect(sumOf(billed.map(({ costNanos }) => costNanos))).toBe(sumOf(prices));
    expect(billed.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const timeMs of billed.flatMap(({ timesMs }) => timesMs)) {
      expect(timeMs).toBeGreaterThanOrEqual(0);
      expect(timeMs).toBeLessThan(30_000);
    }
    // One day of the key's ceiling, by the database's clock.
    expect(await spentByDay(stage.db, account.keyId)).toEqual([sumOf(prices)]);
    await stage.quiet(account.accountId);
  },
);

test('the process never lost its lease', async () => {
  await stage.db.ledger.reap();
  expect((await stage.db.pool.query('select from processes where reaped_at is not null')).rowCount).toBe(0);
});
