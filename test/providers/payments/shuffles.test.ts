import { afterAll, expect, test } from '@jest/globals';
import { setTestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { playShuffle } from './shuffleStage.ts';

const SHUFFLES = 80;

const db = await setTestDatabase();
afterAll(() => db.close());

test(`events in any order, each up to five times, credit the payments minus reversals (seed ${flowSeed})`, async () => {
  const random = seededRandom(flowSeed);
  let events = 0;
  for (let nth = 0; nth < SHUFFLES; nth += 1) events += await playShuffle(db, random);
  expect(events).toBeGreaterThan(SHUFFLES);
  await expectSoundLedger(db);
});
