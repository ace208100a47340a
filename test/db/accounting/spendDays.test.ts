import { afterAll, expect, test } from '@jest/globals';
import { createSpendDays } from '../../../db/accounting/spendDays.ts';
import { storeCalls, withOwner } from '../../support/pastCalls.ts';
import { setTestDatabase } from '../../support/database.ts';
import { makeSpender } from '../../support/ledger.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

test('days that are over are read once in five minutes; the others each time', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
  const call = (at: string) => ({ at, keyId: spender.keyId, workspaceId: spender.workspaceId, costNanos: 1_000 });
  const store = () => storeCalls(db.url, ['2026-03-04T23:00:00Z', '2026-03-05T00:05:00Z'].map(call));
  let nowMs = 0;
  const days = createSpendDays({ nowMs: () => nowMs });
  const from = new Date('2026-03-03');
  const at = async (now: string) =>
    Object.fromEntries(
      await db.read(spender.workspaceId).transaction((tx) => days.read(tx, { from, now: new Date(now) })),
    );
  await store();
  // Until ten past midnight, the day before may still change.
  expect(await at('2026-03-05T00:09:59Z')).toEqual({ '2026-03-04': 1_000n, '2026-03-05': 1_000n });
  await store();
  expect(await at('2026-03-05T00:10:00Z')).toEqual({ '2026-03-04': 2_000n, '2026-03-05': 2_000n });
  nowMs = 300_000;
  expect(await at('2026-03-05T00:10:00Z')).toEqual({ '2026-03-04': 2_000n, '2026-03-05': 2_000n });
  await store();
  expect(await at('2026-03-05T00:11:00Z')).toEqual({ '2026-03-04': 2_000n, '2026-03-05': 3_000n });
  await withOwner(db.url, (owner) => owner.query('delete from requests'));
  nowMs = 600_000;
  expect(await at('2026-03-05T00:12:00Z')).toEqual({});
});
