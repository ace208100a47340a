import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { noteLowBalances } from '../../../db/payments/lowBalances.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { countLockWaits } from '../../support/lockWaits.ts';
import { until } from '../../support/until.ts';

const USD = 1_000_000_000n;
const db = await setTestDatabase();
afterAll(() => db.close());

const move = (workspaceId: string, amountNanos: bigint) =>
  db.ledger.transfer({
    kind: 'adjustment',
    subject: newId('test'),
    workspaceId,
    houseAccountId: 'adjustments',
    amountNanos,
  });

/** The events of a workspace after a check of all balances. */
async function eventsOf(workspaceId: string): Promise<string[]> {
  await noteLowBalances(db.everywhere);
  const sql = `select type, data ->> 'balance_usd' as usd from platform_events where workspace_id = $1 and type like 'balance.%' order by created_at, id`;
  const { rows } = await db.pool.query<{ type: string; usd: string }>(sql, [workspaceId]);
  return rows.map(({ type, usd }) => `${type} ${usd}`);
}

test('a low and an exhausted balance are each recorded once until the balance is sufficient again', async () => {
  const { workspaceId } = await makeAccount(db, { balanceNanos: 20n * USD });
  expect(await eventsOf(workspaceId)).toEqual([]);
  await move(workspaceId, -16n * USD);
  const low = ['balance.low 4'];
  for (let look = 0; look < 3; look += 1) expect(await eventsOf(workspaceId)).toEqual(low);
  await move(workspaceId, -4n * USD);
  const depleted = [...low, 'balance.depleted 0'];
  for (let look = 0; look < 2; look += 1) expect(await eventsOf(workspaceId)).toEqual(depleted);
  await move(workspaceId, 2n * USD);
  expect(await eventsOf(workspaceId)).toEqual(depleted);
  await move(workspaceId, 10n * USD);
  expect(await eventsOf(workspaceId)).toEqual(depleted);
  await move(workspaceId, -10n * USD);
  expect(await eventsOf(workspaceId)).toEqual([...depleted, 'balance.low 2']);
});

test("uses the automatic top-up's threshold if there is one, and skips a workspace without entries", async () => {
  const [{ workspaceId }, never] = [
    await makeAccount(db, { balanceNanos: 20n * USD }),
    await makeAccount(db, { balanceNanos: 0n }),
  ];
  await db.pool.query(
    `insert into payment_customers (workspace_id, customer_id, threshold_nanos) values ($1, 'cus_1', $2)`,
    [workspaceId, 30n * USD],
  );
  expect(await eventsOf(workspaceId)).toEqual(['balance.low 20']);
  expect(await eventsOf(never.workspaceId)).toEqual([]);
});

test('concurrent checks record each fall once, and none of them fails', async () => {
  const { workspaceId } = await makeAccount(db, { balanceNanos: USD });
  const told = ['balance.low 1', 'balance.depleted 0'];
  for (let fall = 0; fall < 2; fall += 1) {
    const blocker = await db.pool.connect();
    try {
      // Both have read the balance, and what was told of it before.
      await blocker.query('begin');
      await blocker.query('lock table balance_notices in exclusive mode');
      const checks = Promise.all([noteLowBalances(db.everywhere), noteLowBalances(db.everywhere)]);
      await until(async () => (await countLockWaits(db, 'relation')) === 2);
      await blocker.query('commit');
      await checks;
    } finally {
      blocker.release();
    }
    expect(await eventsOf(workspaceId)).toEqual(told.slice(0, fall + 1));
    if (fall === 0) await move(workspaceId, -USD);
  }
});
