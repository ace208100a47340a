import { afterAll, expect, test } from '@jest/globals';
import { poolGauges } from '../../../base/telemetry/poolMetrics.ts';
import { setTestDatabase } from '../../support/database.ts';
import { ownProcessClock } from '../../support/ownClock.ts';

const db = await setTestDatabase();
const clock = ownProcessClock();
afterAll(async () => {
  clock.end();
  await db.close();
});

const HOUR_S = 3_600;
const skew = poolGauges(db).find(({ name }) => name === 'ledgerline_clock_skew_seconds')!;
const hoursOff = async () => (await skew.read()).map(({ value }) => Math.round(value / HOUR_S) + 0);

test('a process knows how far its clock is ahead of the database’s, or behind', async () => {
  expect(await hoursOff()).toEqual([0]);
  for (const hours of [3, -2]) {
    clock.set(new Date(performance.timeOrigin + performance.now() + hours * HOUR_S * 1_000).toISOString());
    expect(await hoursOff()).toEqual([hours]);
  }
});

test('a process without a lease says nothing of its clock', async () => {
  const reader = await setTestDatabase({ spends: false });
  const [gauge] = poolGauges(reader).filter(({ name }) => name === skew.name);
  expect(await gauge!.read()).toEqual([]);
  await reader.close();
});
