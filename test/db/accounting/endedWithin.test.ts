import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { endedWithin } from '../../../db/accounting/endedWithin.ts';
import { listRequests } from '../../../db/accounting/requests.ts';
import { readRequestTotals } from '../../../db/accounting/requestTotals.ts';
import { sumHoursOfAll } from '../../../db/accounting/usageCells.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { billOf, makeSpender } from '../../support/ledger.ts';

const db = await setTestDatabase({ spends: true });
const owner = new Client(ownerUrlOf(db.url));
await owner.connect();
afterAll(async () => {
  await owner.end();
  await db.close();
});

/** A workspace with a call of `model-a` in each of so many hours before now, and some of `model-b`. */
async function setCalls(hours: number, ofB: number[]) {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  const call = async (model: string, hoursAgo: number) => {
    const bill = billOf(spender, 10n, { model });
    await db.ledger.settle(await db.ledger.hold(spender, 10n), bill);
    await owner.query('alter table requests disable trigger user');
    const back = `update requests set settled_at = settled_at - $2 * interval '1 hour' where id = $1`;
    await owner.query(back, [bill.requestId, hoursAgo]);
    await owner.query('alter table requests enable trigger user');
    return bill.requestId;
  };
  for (let ago = hours; ago > 0; ago -= 1) await call('model-a', ago);
  const ids: string[] = [];
  for (const ago of ofB) ids.push(await call('model-b', ago));
  return { rows: db.read(spender.workspaceId), spender, ids };
}

test('calls of few hours are found in these and in those that are not summed yet', async () => {
  const { rows, spender, ids } = await setCalls(60, [0, 5, 6, 30]);
  await sumHoursOfAll(db);
  const spans = await rows.transaction((tx) => endedWithin(tx, { model: 'model-b' }));
  // The hour of the newest call, and those of three others.
  expect(spans).toHaveLength(4);
  const page = { after: null, limit: 10 };
  const idsOf = async (filter: object) => (await listRequests(rows, filter, page)).rows.map(({ id }) => id);
  expect(await idsOf({ model: 'model-b' })).toEqual(ids);
  expect(await idsOf({ model: 'model-b', key: spender.keyId, project: 'default' })).toEqual(ids);
  expect(await idsOf({ model: 'model-c' })).toEqual([]);
  expect(await readRequestTotals(rows, { model: 'model-b' })).toMatchObject({ count: 4, costNanos: 40n });
  const second = await listRequests(rows, { model: 'model-b' }, { after: ids[1]!, limit: 10 });
  expect(second.rows.map(({ id }) => id)).toEqual(ids.slice(2));
});

test('calls of many hours are read from the newest one on', async () => {
  const { rows } = await setCalls(60, []);
  await sumHoursOfAll(db);
  expect(await rows.transaction((tx) => endedWithin(tx, { model: 'model-a' }))).toBeUndefined();
  expect(await rows.transaction((tx) => endedWithin(tx, {}))).toBeUndefined();
  expect((await listRequests(rows, { model: 'model-a' }, { after: null, limit: 100 })).rows).toHaveLength(60);
});

test('before its first sums a workspace is read as a whole', async () => {
  const { rows, ids } = await setCalls(2, [1]);
  expect(await rows.transaction((tx) => endedWithin(tx, { model: 'model-b' }))).toBeUndefined();
  const listed = await listRequests(rows, { model: 'model-b' }, { after: null, limit: 10 });
  expect(listed.rows.map(({ id }) => id)).toEqual(ids);
});

test('a list goes on where it was although the last call of a page has been pruned', async () => {
  const { rows, ids } = await setCalls(0, [1, 2, 3]);
  const first = await listRequests(rows, {}, { after: null, limit: 2 });
  expect(first.rows.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  await owner.query('set session_replication_role = replica');
  await owner.query('delete from requests where id = $1', [ids[1]]);
  await owner.query('reset session_replication_role');
  const second = await listRequests(rows, {}, { after: first.next, limit: 2 });
  expect(second).toMatchObject({ rows: [{ id: ids[2] }], next: null });
});
