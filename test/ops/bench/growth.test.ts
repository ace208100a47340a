import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { forgetTouched, readTouched } from '../../../ops/bench/growth/cost.ts';
import { fill } from '../../../ops/bench/growth/fill.ts';
import { WORKS } from '../../../ops/bench/growth/works.ts';
import { medianOf } from '../../../ops/bench/statistics.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { makeDatabase, openTestDatabase, ownerUrlOf } from '../../support/database.ts';
import { until } from '../../support/until.ts';

// Any scan of a table of the calls touches more pages than all of these together allow.
const CALLS = 10_000;

/** The page limit of each operation: about a third more than its usual number. */
const PAGES_MAX: Record<string, number> = {
  '16 calls at once': 660,
  'a call of a key that has no slice': 160,
  balance: 45,
  'newest 20 calls': 95,
  'one call': 22,
  'newest 20 ledger entries': 150,
  'payments in the ledger': 80,
  'statement of a month': 2_000,
  'usage of a day': 60,
  'usage of a month': 300,
  'newest 20 runs': 40,
  'export of a workspace': 2_800,
  'an event of a run': 30,
  'events of a run': 6,
  'the second’s look for dead processes': 6,
  'sweep: runs to start': 6,
  'sweep: runs to cancel': 6,
  'sweep: 1,000 expired events': 3_300,
  'sweep: 100 expired runs': 2_400,
  'sweep: 1,000 expired keys': 2_800,
  'sweep: 1,000 expired items': 2_800,
  'sweep: 1,000 calls without a bill': 40_000,
  'sweep: 1,000 ended holds': 6_000,
  'sweep: hours to sum': 22_000,
};

/**
 * Removes the dead rows of posted batches, which each reader of pending batches scans: more on a busy machine, which writes more and smaller
 * batches. A vacuum leaves those that a running transaction could still see, such as the one that renews the lease each second.
 */
async function hasNoDeadBatches(): Promise<boolean> {
  await owner.query('vacuum settlement_batches');
  const { rows } = await owner.query(`select pg_relation_size('settlement_batches')::int as bytes`);
  return rows[0].bytes === 0;
}

const database = await makeDatabase();
const owner = new Client(ownerUrlOf(database.url));
await owner.connect();
await owner.query('create extension pg_stat_statements');
await fill(owner, CALLS, () => {});
const db = await openTestDatabase({ url: database.url });
afterAll(async () => {
  await db.close();
  await owner.end();
  await database.drop();
});

test('the filled ledger is sound', async () => {
  const { violations, sums } = await checkInvariants(db.pool);
  expect(violations).toEqual([]);
  expect(sums.entries).toBeGreaterThan(BigInt(CALLS));
});

test('no work touches more pages than its rows and the depth of indexes need', async () => {
  const found: Record<string, number> = {};
  for (const { name, times, prepare, run } of WORKS) {
    // A warm-up: reads the catalogue's pages and plans statements.
    await run(db, 0);
    if (prepare) await owner.query(prepare);
    await db.ledger.posted();
    await until(hasNoDeadBatches);
    const pages: number[] = [];
    for (let at = 0; at < Math.min(times, 9); at += 1) {
      await forgetTouched(owner);
      await run(db, at);
      await db.ledger.posted();
      pages.push((await readTouched(owner)).pages);
    }
    // An automatic vacuum may disturb a round.
    found[name] = medianOf(pages);
  }
  expect(Object.keys(PAGES_MAX)).toEqual(WORKS.map(({ name }) => name));
  expect(Object.entries(found).filter(([name, pages]) => pages > PAGES_MAX[name]!)).toEqual([]);
});
