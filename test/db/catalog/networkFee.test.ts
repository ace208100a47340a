import { afterAll, expect, test } from '@jest/globals';
import { readNetworkFee, recordNetworkFee } from '../../../db/catalog/networkFee.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const countRows = async () => (await db.pool.query(`select from model_prices where model = '/network_fee'`)).rowCount;

test('the network fee is ten per cent until one is recorded, then the newest', async () => {
  expect(await readNetworkFee(db.pool)).toBe(10);
  for (const percentage of [15, 0, 10]) {
    await recordNetworkFee(db.pool, percentage);
    expect(await readNetworkFee(db.pool)).toBe(percentage);
  }
});

test('a process that starts without a fee, or with the recorded one, writes nothing', async () => {
  await recordNetworkFee(db.pool, 25);
  const before = await countRows();
  await recordNetworkFee(db.pool, undefined);
  await recordNetworkFee(db.pool, 25);
  expect(await countRows()).toBe(before);
  expect(await readNetworkFee(db.pool)).toBe(25);
});
