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

test('a low balance is not mailed while the saved card is charged for it, and says so', async () => {
  const cards = {
    charged: {},
    delayed: { retry_at: new Date(Date.now() + 60_000) },
    off: { auto_enabled: false },
    capped: { monthly_cap_nanos: 9n * USD },
    none: { payment_method_id: null },
  };
  const told: Record<string, unknown> = {};
  for (const [name, more] of Object.entries(cards)) {
    const { workspaceId } = await makeAccount(db, { balanceNanos: USD });
    const card = { workspace_id: workspaceId, customer_id: `cus_${name}`, payment_method_id: 'pm_1', ...AUTO, ...more };
    const columns = Object.keys(card);
    const places = columns.map((_, at) => `$${at + 1}`);
    await db.pool.query(
      `insert into payment_customers (${columns.join()}) values (${places.join()})`,
      Object.values(card),
    );
    await addOwner(workspaceId);
    await noteLowBalances(db.everywhere);
    told[name] = await mailsOf(workspaceId);
    if (name !== 'charged') continue;
    await move(workspaceId, -USD);
    await noteLowBalances(db.everywhere);
    told.depleted = await mailsOf(workspaceId);
  }
  expect(told).toEqual({
    charged: ['balance.low true 0'],
    depleted: ['balance.low true 0', 'balance.depleted true 1'],
    delayed: ['balance.low false 1'],
    off: ['balance.low false 1'],
    capped: ['balance.low false 1'],
    none: ['balance.low false 1'],
  });
  const { workspaceId } = await makeAccount(db, { balanceNanos: 0n });
  await db.pool.query(
    `insert into payment_customers (workspace_id, customer_id, payment_method_id, threshold_nanos, amount_nanos, monthly_cap_nanos)
     values ($1, 'cus_without', 'pm_1', $2, $2, $2)`,
    [workspaceId, 5n * USD],
  );
  await move(workspaceId, USD);
  await noteLowBalances(db.everywhere, { hasPayments: false });
  expect(await mailsOf(workspaceId)).toEqual(['balance.low false 0']);
});

const AUTO = { threshold_nanos: 5n * USD, amount_nanos: 10n * USD, monthly_cap_nanos: 25n * USD };

async function addOwner(workspaceId: string): Promise<void> {
  const userId = newId('user');
  await db.everywhere.transaction(async ({ em, User, Member }) => {
    await em.insert(User, { id: userId, name: 'Olga', email: `${userId}@example.com`, emailVerified: true });
    await em.insert(Member, { id: newId('mem'), workspaceId, userId, role: 'owner' });
  });
}

/** The events of a workspace: whether its card is charged, and how many mails tell of it. */
async function mailsOf(workspaceId: string): Promise<string[]> {
  const sql = `select e.type, e.data ->> 'automatic_topup' as auto, count(m.event_id) as mails from platform_events e
    left join event_mails m on m.event_id = e.id where e.workspace_id = $1 and e.type like 'balance.%' group by e.id order by e.created_at, e.id`;
  const { rows } = await db.pool.query<{ type: string; auto: string; mails: string }>(sql, [workspaceId]);
  return rows.map(({ type, auto, mails }) => `${type} ${auto} ${mails}`);
}

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
