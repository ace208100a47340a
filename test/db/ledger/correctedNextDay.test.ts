import { expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { billOf, makeSpender, openLedger, settleAgain, spentByDay } from '../../support/ledger.ts';
import { lateSettlement } from './lateSettlement.ts';

const db = await openLedger();

const HOLD = `
insert into holds (id, workspace_id, account_id, key_id, process_id, kind, amount_nanos, partial, state, day)
select $1, $2, $3, $4, (select id from processes where reaped_at is null limit 1), 'request', 60, false, 'open',
  (created_at at time zone 'utc')::date + 1 from ledger_entries where kind = 'debit' and subject = $5`;

test('a bill corrected by money that was held on the next day counts there, and breaks no rule', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n });
  const bill = billOf(spender, 0n);
  const settle = (nanos: bigint, hold: string, provisional: boolean) =>
    settleAgain(db, Object.assign(lateSettlement(bill, { hold, cost: nanos, charge: nanos }), { provisional }));
  expect(await settle(100n, 'gone', true)).toBe(100n);
  // Its process was paused until after midnight, and went on.
  const hold = newId('hold');
  const { workspaceId, accountId, keyId } = spender;
  await db.pool.query(HOLD, [hold, workspaceId, accountId, keyId, bill.requestId]);
  expect(await settle(160n, hold, false)).toBe(160n);
  expect(await spentByDay(db, keyId)).toEqual([100n, 60n]);
  expect(await balance()).toBe(840n);
});
