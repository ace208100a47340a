import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const topUp = (workspaceId: string) => ({
  kind: 'topup' as const,
  subject: newId('test'),
  workspaceId,
  houseAccountId: 'payments' as const,
  amountNanos: 1_000n,
});

test.each([false, true])('entries are numbered in the order of their times (a test workspace: %s)', async (isTest) => {
  const { workspaceId, accountId } = await makeAccount(db, { isTest });
  await db.write(workspaceId).transaction(async ({ client }) => {
    // It began before the other one, and gets the account's lock after it.
    await client.query('select now()');
    await db.ledger.transfer(topUp(workspaceId));
    await client.query(`select ledger_post('adjustment', $1, $2, 'adjustments', 1000)`, [newId('test'), workspaceId]);
  });
  const { rows } = await db.pool.query<{ kind: string; at: Date }>(
    'select kind, created_at as at from ledger_entries where account_id = $1 order by created_at, sequence',
    [accountId],
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['topup', 'topup', 'adjustment']);
});
