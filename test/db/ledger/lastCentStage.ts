import { afterAll, expect } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import type { Database } from '../../../db/database.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { ownDatabaseClock } from '../../support/ownClock.ts';
import { billOf, expectSoundLedger, makeSpender, spentByDay } from '../../support/ledger.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';

const together = 20;
const clients = 64;
const callNanos = 1_000n;
const random = seededRandom(flowSeed);

const database = await makeDatabase();
const { url } = database;
// A day that does not end during the test, because the ceilings are daily.
const clock = await ownDatabaseClock(url);
await clock.set(`date_trunc('day', pg_catalog.now()) + interval '12 hours'`);
const processes = [await openTestDatabase({ url }), await openTestDatabase({ url })] as const;
afterAll(async () => {
  await Promise.all(processes.map((db) => db.close()));
  await clock.end();
  await database.drop();
});

/** The limits of a round's calls: the balance, a ceiling, and an amount added meanwhile, each as a number of calls. */
interface Means {
  balance: bigint;
  ceiling: bigint | undefined;
  topUps: bigint;
}

const means: Means[] = [
  { balance: 10n, ceiling: undefined, topUps: 0n },
  { balance: 1_000n, ceiling: 10n, topUps: 0n },
  { balance: 4n, ceiling: 12n, topUps: 6n },
  { balance: 10n, ceiling: 10n, topUps: 4n },
];

/** One call: held, then settled for the held amount. Resolves with its charge, or the reason for its refusal. */
async function spend({ ledger }: Database, spender: Spender): Promise<bigint | string> {
  try {
    const hold = await ledger.hold(spender, callNanos);
    return await ledger.settle(hold, billOf(spender, callNanos));
  } catch (error) {
    return (error as { reason?: string }).reason ?? String(error);
  }
}

const countSpent = ({ balance, ceiling, topUps }: Means): bigint => {
  const money = balance + topUps;
  return ceiling !== undefined && ceiling < money ? ceiling : money;
};

/** All clients at once, in two processes, on one account: they spend exactly its balance. */
async function playRound(round: number): Promise<void> {
  const [db] = processes;
  const chosen = means[round % means.length]!;
  const { balance, ceiling, topUps } = chosen;
  const limit = ceiling && { spendLimitNanos: ceiling * callNanos, spendLimitPeriod: 'daily' as const };
  const { spender, balance: left } = await makeSpender(db, { balanceNanos: balance * callNanos, ...limit });
  const calls = Array.from({ length: clients }, () => spend(processes[random() < 0.5 ? 0 : 1], spender));
  for (let paid = 0n; paid < topUps; paid += 1n) await topUp(db, spender);
  // Repeats a call that was refused while all money was held, now that it is free.
  const outcomes = [...(await Promise.all(calls)), ...(await spendRest(db, spender))];
  const charges = outcomes.filter((outcome) => typeof outcome === 'bigint');
  const spent = charges.reduce((sum, charge) => sum + charge, 0n);
  expect(spent).toBe(countSpent(chosen) * callNanos);
  expect(await left()).toBe((balance + topUps) * callNanos - spent);
  expect(await spentByDay(db, spender.keyId)).toEqual([spent]);
  const refusals = outcomes.filter((outcome) => typeof outcome === 'string');
  expect(refusals.at(-1)).toBe(spent === (balance + topUps) * callNanos ? 'balance' : 'ceiling');
  expect(refusals.filter((reason) => !['balance', 'ceiling', 'held'].includes(reason))).toEqual([]);
}

const topUp = (db: Database, { workspaceId }: Spender) =>
  db.ledger.transfer({
    kind: 'topup',
    subject: newId('pay'),
    workspaceId,
    houseAccountId: 'payments',
    amountNanos: callNanos,
  });

async function spendRest(db: Database, spender: Spender): Promise<(bigint | string)[]> {
  const outcomes: (bigint | string)[] = [];
  for (;;) {
    const outcome = await spend(db, spender);
    outcomes.push(outcome);
    // The other process may still be returning money.
    if (typeof outcome === 'string' && outcome !== 'held') return outcomes;
  }
}

/** Plays this many rounds, some concurrently, and checks the ledger after them. */
export async function playRounds(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += together)
    await Promise.all(Array.from({ length: together }, (_, nth) => playRound(round + nth)));
  await expectSoundLedger(processes[0]);
}
