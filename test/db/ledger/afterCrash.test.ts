import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openDatabase } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { readJournal } from '../../../db/ledger/deliveryJournal.ts';
import { pendingBatchIds, writeBatch } from '../../../db/ledger/batches.ts';
import { isReapDue } from '../../../db/ledger/sweep.ts';
import { makeDatabase, ownerUrlOf } from '../../support/database.ts';
import { makeFolder } from '../../support/folder.ts';
import { billOf, makeSpender } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';
import { lateSettlement } from './lateSettlement.ts';

const [database, folder] = await Promise.all([makeDatabase(), makeFolder()]);
const owner = new Client({ connectionString: ownerUrlOf(database.url) });
await owner.connect();
// A server that has just started: the disk has only what was written before.
await owner.query(`
  create schema restarted;
  create function restarted.pg_postmaster_start_time() returns timestamptz language sql as 'select clock_timestamp()';
  grant usage on schema restarted to public;
  do $$ begin execute format('alter database %I set search_path = restarted, pg_catalog, public', current_database()); end $$;`);
const onError = (error: unknown) => {
  throw error;
};
const db = await openDatabase({ url: database.url, spends: true, journalFolder: folder.path, onError });
afterAll(async () => {
  await db.close();
  await owner.end();
  await Promise.all([database.drop(), folder.remove()]);
});

async function unsentIds(): Promise<string[]> {
  // A file has this suffix while it is being rewritten.
  const name = (await readdir(folder.path)).find((file) => !file.endsWith('.new'));
  if (name === undefined) return [];
  return readJournal(await readFile(join(folder.path, name), 'utf8')).unsent.map(({ id }) => id);
}

test('an answer is in the journal from before its bill is sent until the bill is on disk', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 100_000n });
  const hold = await db.ledger.hold(spender, 100n);
  const bill = billOf(spender, 100n);
  await owner.query('begin');
  await owner.query('lock table settlement_batches in exclusive mode');
  const settled = db.ledger.settleWithin(10_000, hold, bill, { isUnsent: true });
  await until(async () => (await unsentIds()).includes(bill.requestId));
  await owner.query('rollback');
  expect(await settled).toBe(100n);
  expect(await unsentIds()).toEqual([]);
});

test("a batch older than the database server's start is posted at once, although its process is alive", async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 100_000n });
  const processId = newId('proc');
  await db.pool.query(`insert into processes (id, lease_until) values ($1, now() + interval '1 hour')`, [processId]);
  const item = lateSettlement(billOf(spender, 100n), { hold: 'none', cost: 100n, charge: 100n });
  await writeBatch(db.pool, { id: newId('batch'), processId, items: [item] });
  expect(await isReapDue(db.pool)).toBe(true);
  await db.ledger.reap();
  expect(await pendingBatchIds(db.pool)).toEqual([]);
  expect(await balance()).toBe(99_900n);
});
