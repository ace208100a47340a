import { afterAll, expect, test } from '@jest/globals';
import { setTestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { flowSeed, repetitions, seededRandom } from '../../support/random.ts';
import { playShuffle } from './shuffleStage.ts';

const SHUFFLES = repetitions(10_000);
const AT_ONCE = 8;

const db = await setTestDatabase();
afterAll(() => db.close());

test(`payments with repeated events in any order are each credited correctly (seed ${flowSeed})`, async () => {
  let events = 0;
  const play = async (lane: number) => {
    const random = seededRandom(flowSeed + lane);
    for (let nth = lane; nth < SHUFFLES; nth += AT_ONCE) {
      const arrived = await playShuffle(db, random);
      events += arrived;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => play(lane)));
  process.stdout.write(`${events} events of ${SHUFFLES} payments\n`);
  expect(events).toBeGreaterThan(SHUFFLES);
  await expectSoundLedger(db);
}, 900_000);
