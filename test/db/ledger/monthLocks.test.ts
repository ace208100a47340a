import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { billOf, expectSoundLedger, makeSpender } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';

const db = await setTestDatabase();
const [changing, watching] = [new Client(ownerUrlOf(db.url)), new Client(ownerUrlOf(db.url))];
await Promise.all([changing.connect(), watching.connect()]);
afterAll(async () => {
  await Promise.all([changing.end(), watching.end()]);
  await db.close();
});

const WAITS = `select from pg_locks where relation in ('requests'::regclass, 'ledger_legs'::regclass) and not granted`;

test('a settlement waits for a change of the tables’ partitions with neither table, so that the change gets both', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
  const hold = await db.ledger.hold(spender, 500n);
  // As `open_months` and `drop_month` lock them, one after the other.
  await changing.query('begin; lock table requests in access exclusive mode');
  const settled = db.ledger.settle(hold, billOf(spender, 100n));
  await until(async () => (await watching.query(WAITS)).rowCount! > 0);
  await expect(changing.query('lock table ledger_legs in access exclusive mode nowait')).resolves.toBeDefined();
  await changing.query('rollback');
  await settled;
  expect(await balance()).toBe(900n);
  await expectSoundLedger(db);
});
