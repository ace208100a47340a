import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { beginMonths } from '../../../ops/bench/growth/pastMonths.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { billOf, expectSoundLedger, makeSpender, settleAgain } from '../../support/ledger.ts';
import { idAt, monthFromNow } from '../../support/months.ts';
import { until } from '../../support/until.ts';
import { lateSettlement } from './lateSettlement.ts';

const db = await setTestDatabase();
const [changing, watching] = [new Client(ownerUrlOf(db.url)), new Client(ownerUrlOf(db.url))];
await Promise.all([changing.connect(), watching.connect()]);
afterAll(async () => {
  await Promise.all([changing.end(), watching.end()]);
  await db.close();
});

const WAITS = `select from pg_locks where relation in ('requests'::regclass, 'ledger_legs'::regclass) and not granted`;

test('a settlement that waits for a change of partitions holds neither table', async () => {
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

test('who freezes a month waits for a refund of its call without holding the calls', async () => {
  const month = monthFromNow(-2);
  await beginMonths(watching, month);
  const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
  const id = idAt(new Date(month), 'late');
  const late = lateSettlement(billOf(spender, 100n, { requestId: id }), { hold: 'none', cost: 100n, charge: 100n });
  expect(await settleAgain(db, late)).toBe(100n);
  // The first half of `ledger_refund`.
  const refunding = await db.pool.connect();
  await refunding.query('begin');
  await refunding.query(`select ledger_post('refund', $1, $2, 'revenue', 100)`, [id, spender.workspaceId]);
  const places = ['ledger_legs', 'requests'].map((table) => `${table}_${month.slice(0, 7).replace('-', '_')}`);
  let seen: { held: string[] } | undefined;
  // Each attempt waits for half a second.
  while (!seen) {
    const ended = changing.query('select ledger_freeze_month($1)', [month]).then(
      () => true,
      () => true,
    );
    for (let isOver = false; !seen && !isOver;) {
      isOver = await Promise.race([ended, sleep(5).then(() => false)]);
      seen = (await watching.query<{ held: string[] }>(HELD_BY_WAITING, [places])).rows[0];
    }
    await ended;
  }
  // It gets both tables as soon as the refund, which changes the call next, is over.
  expect(seen.held).toEqual([]);
  await refunding.query('rollback');
  refunding.release();
  await changing.query('select ledger_freeze_month($1)', [month]);
});

const HELD_BY_WAITING = `
select array(select h.relation::regclass::text from pg_locks h where h.pid = w.pid and h.granted and h.relation = any ($1::regclass[])
  and h.mode = 'ShareRowExclusiveLock') as held
from pg_locks w where w.relation = any ($1::regclass[]) and not w.granted`;
