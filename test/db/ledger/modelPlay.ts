import { expect } from '@jest/globals';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { createKey } from '../../../db/keys/keyStore.ts';
import { makeDatabase, openTestDatabase, ownerUrlOf } from '../../support/database.ts';
import { ownDatabaseClock } from '../../support/ownClock.ts';
import { expectSoundLedger, makeSpender, openHoldsOf, spentByDay } from '../../support/ledger.ts';
import { flowSeed } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { freeAll, type Real } from './command.ts';
import { crashCommands } from './crashCommands.ts';
import { keyCommands } from './keyCommands.ts';
import { commands } from './modelCommands.ts';
import { endAllRuns, runCommands } from './runCommands.ts';
import { ReferenceLedger } from './referenceLedger.ts';

const STEPS_PER_ACCOUNT = 60;
// The check reads every row, so running it more often would take longer than the steps.
const STEPS_BETWEEN_CHECKS = 1_000;
const EXCEPT = 'the days of a key are what was billed to it';
const ceilings = [undefined, 4_000n, 20_000n, 9_000n];

/** Databases of the model test: two processes of one database, its owner, and a clock fixed at noon. */
export async function openModelStage() {
  const database = await makeDatabase();
  // A day that does not end during the test: days and months begin when the model decides.
  const clock = await ownDatabaseClock(database.url);
  await clock.set(`date_trunc('day', pg_catalog.now()) + interval '12 hours'`);
  const [db, other] = [await openTestDatabase({ url: database.url }), await openTestDatabase({ url: database.url })];
  const owner = new Client({ connectionString: ownerUrlOf(database.url) });
  await owner.connect();

  async function close(): Promise<void> {
    await Promise.all([db.close(), other.close()]);
    await Promise.all([owner.end(), clock.end()]);
    await database.drop();
  }

  return { db, other, owner, close };
}

export type ModelStage = Awaited<ReturnType<typeof openModelStage>>;

/**
 * Runs this many steps, on a new account every few dozen, and compares each with the reference. Returns the number of steps. A failure
 * throws with the seed: `FLOW_SEED` chooses another.
 */
export async function playModel(stage: ModelStage, stepsWanted: number): Promise<number> {
  let steps = 0;
  let checkedAt = 0;
  const property = fc.asyncProperty(
    fc.commands([...commands, ...runCommands, ...keyCommands, ...crashCommands], {
      maxCommands: STEPS_PER_ACCOUNT,
      size: '+1',
    }),
    async (list) => {
      if (steps >= stepsWanted) return;
      const { model, real } = await newAccount(stage);
      await fc.asyncModelRun(() => ({ model, real }), list);
      steps += real.steps;
      await endAll(model, real);
      if (steps < checkedAt + STEPS_BETWEEN_CHECKS) return;
      checkedAt = steps;
      await expectSoundLedger(stage.db, EXCEPT);
    },
  );
  // An account may have only one step.
  const { failed, counterexamplePath, counterexample, errorInstance } = await fc.check(property, {
    numRuns: stepsWanted,
    endOnFailure: true,
    seed: flowSeed,
  });
  process.stdout.write(`the ledger's model: ${steps} steps, FLOW_SEED=${flowSeed}\n`);
  const found = `FLOW_SEED=${flowSeed} (path ${counterexamplePath}): ${fc.stringify(counterexample)}`;
  if (failed) throw new Error(found, { cause: errorInstance });
  await expectSoundLedger(stage.db, EXCEPT);
  return steps;
}

/** An account with a key for each kind of ceiling, in the database and in the model. */
async function newAccount({ db, other, owner }: ModelStage): Promise<{ model: ReferenceLedger; real: Real }> {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 0n });
  const keys = [];
  for (const [index, ceiling] of ceilings.entries()) {
    const spendLimitPeriod = (['daily', 'daily', 'monthly', null] as const)[index]!;
    const limit = { spendLimitNanos: ceiling ?? null, spendLimitPeriod };
    const { id } = await createKey(db.everywhere, {
      workspaceId: spender.workspaceId,
      name: 'key',
      scopes: [],
      ...limit,
    });
    keys.push({ ...spender, keyId: id });
  }
  const model = new ReferenceLedger(
    ceilings.map((ceiling, index) => ({ ceiling, isRevoked: false, resets: index < 3, spent: [] })),
  );
  return { model, real: { db, other, owner, keys, balance, holds: new Map(), settled: [], steps: 0 } };
}

/** Ends all running calls: then nothing may be held, and the balance must equal the model's. */
async function endAll(model: ReferenceLedger, real: Real): Promise<void> {
  await endAllRuns(model, real);
  for (const [call, { ledger, hold, bill }] of real.holds) {
    const charge = model.settle(call, 1n);
    expect(await ledger.settle(hold, { ...bill, costNanos: 1n })).toBe(charge);
  }
  const { db, keys } = real;
  const { accountId } = keys[0]!;
  await freeAll(real);
  await until(async () => (await openHoldsOf(db, accountId)).count === 0);
  expect(await real.balance()).toBe(model.posted);
  for (const [index, { keyId }] of keys.entries())
    expect((await spentByDay(db, keyId)).filter((nanos) => nanos > 0n)).toEqual(model.spentByPeriod(index));
}
