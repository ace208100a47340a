import { afterAll, expect, test } from '@jest/globals';
import type { Database } from '../../../db/database.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { billOf, expectSoundLedger, makeSpender } from '../../support/ledger.ts';

const CALLS = 1_280;
const callNanos = 1_000n;

const database = await makeDatabase();
const { url } = database;
const processes = [await openTestDatabase({ url }), await openTestDatabase({ url })];
afterAll(async () => {
  await Promise.all(processes.map((db) => db.close()));
  await database.drop();
});

/** Calls by all connections of each process, each after its last one. Returns the reasons of refusals. */
async function callAll(
  spender: Spender,
  { holdNanos, connections }: { holdNanos: bigint; connections: number },
): Promise<string[]> {
  const refusals: string[] = [];
  let left = CALLS;
  const callOn = async ({ ledger }: Database): Promise<void> => {
    while (left > 0) {
      left -= 1;
      try {
        const hold = await ledger.hold(spender, holdNanos, { needNanos: callNanos });
        await ledger.settle(hold, billOf(spender, callNanos));
      } catch (error) {
        refusals.push((error as { reason?: string }).reason ?? String(error));
      }
    }
  };
  await Promise.all(processes.flatMap((db) => Array.from({ length: connections }, () => callOn(db))));
  return refusals;
}

// Where each holds more than it costs, the last calls run one after another: few enough that none waits for two seconds.
test.each([
  ['their cost', { times: 1n, connections: 64 }],
  ['four times their cost', { times: 4n, connections: 16 }],
])(
  'two processes refuse no call of an account that can pay exactly all, held at %s',
  async (_, { times, connections }) => {
    const { spender, balance } = await makeSpender(processes[0]!, { balanceNanos: BigInt(CALLS) * callNanos });
    expect(await callAll(spender, { holdNanos: callNanos * times, connections })).toEqual([]);
    expect(await balance()).toBe(0n);
    await expectSoundLedger(processes[0]!);
  },
);
