import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Client } from 'pg';
import type { Database } from '../../../db/database.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { makeDatabase, openTestDatabase, ownerUrlOf } from '../../support/database.ts';
import { ownDatabaseClock } from '../../support/databaseClock.ts';
import { expectSoundLedger, makeSpender, openHoldsOf, spentByDay } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';
import { freeAll, type Real } from './command.ts';
import { crashCommands } from './crashCommands.ts';
import { keyCommands } from './keyCommands.ts';
import { commands } from './modelCommands.ts';
import { endAllRuns, runCommands } from './runCommands.ts';
import { ReferenceLedger } from './referenceLedger.ts';

const STEPS = 10_000;
const RUNS_MAX = 1_000;
const STEPS_MAX = 60;
const LIMIT_MS = 100_000;
const ceilings = [undefined, 4_000n, 20_000n, 9_000n];

let database: Awaited<ReturnType<typeof makeDatabase>>;
let db: Database;
let other: Database;
let owner: Client;
let clock: Awaited<ReturnType<typeof ownDatabaseClock>>;
let steps = 0;

beforeAll(async () => {
  database = await makeDatabase();
  // A day that does not end meanwhile: days and months begin when the model says so.
  clock = await ownDatabaseClock(database.url);
  await clock.set(`date_trunc('day', pg_catalog.now()) + interval '12 hours'`);
  [db, other] = [await openTestDatabase({ url: database.url }), await openTestDatabase({ url: database.url })];
  owner = new Client({ connectionString: ownerUrlOf(database.url) });
  await owner.connect();
});
afterAll(async () => {
  await Promise.all([db.close(), other.close()]);
  await Promise.all([owner.end(), clock.end()]);
  await database.drop();
});

test('whatever happens in whatever order, the ledger does what a few lines of arithmetic say', async () => {
  // A slow machine does fewer of them; what has begun is done to its end.
  const lastBeginMs = performance.now() + LIMIT_MS;
  const property = fc.asyncProperty(
    fc.commands([...commands, ...runCommands, ...keyCommands, ...crashCommands], {
      maxCommands: STEPS_MAX,
      size: '+1',
    }),
    async (list) => {
      if (steps >= STEPS || performance.now() > lastBeginMs) return;
      const { model, real } = await newAccount();
      await fc.asyncModelRun(() => ({ model, real }), list);
      steps += real.steps;
      await endAll(model, real);
      await expectSoundLedger(db, 'the days of a key are what was billed to it');
    },
  );
  const { failed, seed, counterexamplePath, counterexample, errorInstance } = await fc.check(property, {
    numRuns: RUNS_MAX,
    endOnFailure: true,
    ...(process.env.FAST_CHECK_SEED && { seed: Number(process.env.FAST_CHECK_SEED) }),
  });
  const found = `FAST_CHECK_SEED=${seed} (path ${counterexamplePath}): ${fc.stringify(counterexample)}`;
  if (failed) throw new Error(found, { cause: errorInstance });
  expect(steps).toBeGreaterThan(STEPS_MAX);
}, 900_000);

/** An account with a key for each kind of ceiling, really and in the model. */
async function newAccount(): Promise<{ model: ReferenceLedger; real: Real }> {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 0n });
  const keys = [];
  for (const [index, ceiling] of ceilings.entries()) {
    const spendLimitPeriod = (['daily', 'daily', 'monthly', null] as const)[index]!;
    const limit = { spendLimitNanos: ceiling ?? null, spendLimitPeriod };
    const { id } = await createKey(db.pool, { workspaceId: spender.workspaceId, name: 'key', scopes: [], ...limit });
    keys.push({ ...spender, keyId: id });
  }
  const model = new ReferenceLedger(
    ceilings.map((ceiling, index) => ({ ceiling, isRevoked: false, resets: index < 3, spent: [] })),
  );
  return { model, real: { db, other, owner, keys, balance, holds: new Map(), settled: [], steps: 0 } };
}

/** Ends what still runs: then nothing may be held, and the balance must be the model's. */
async function endAll(model: ReferenceLedger, real: Real): Promise<void> {
  await endAllRuns(model, real);
  for (const [call, { ledger, hold, bill }] of real.holds) {
    const charge = model.settle(call, 1n);
    expect(await ledger.settle(hold, { ...bill, costNanos: 1n })).toBe(charge);
  }
  const { accountId } = real.keys[0]!;
  await freeAll(real);
  await until(async () => (await openHoldsOf(db, accountId)).count === 0);
  expect(await real.balance()).toBe(model.posted);
  for (const [index, { keyId }] of real.keys.entries())
    expect((await spentByDay(db, keyId)).filter((nanos) => nanos > 0n)).toEqual(model.spentByPeriod(index));
}
