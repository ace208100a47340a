import { afterAll, expect, test } from '@jest/globals';
import { signDays } from '../../../db/bill/signDays.ts';
import { listLedgerEntries } from '../../../db/ledger/ledgerEntries.ts';
import { readLedgerTotals } from '../../../db/ledger/ledgerTotals.ts';
import { daysFromNow, sealingKeys, spreadOverDays } from '../../support/billDays.ts';
import { setTestDatabase } from '../../support/database.ts';
import { billOf, makeSpender } from '../../support/ledger.ts';

const db = await setTestDatabase({ spends: true });
afterAll(() => db.close());

const DAY_MS = 86_400_000;

test.each([
  ['of days that are not signed', false],
  ['of signed days', true],
])('entries %s are found by their time, and no others are read', async (_, isSigned) => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
  for (let call = 0; call < 30; call += 1)
    await db.ledger.settle(await db.ledger.hold(spender, 10n), billOf(spender, 10n));
  await spreadOverDays(db.url, { days: 10, perDay: 3 });
  if (isSigned) await signDays(db.everywhere, sealingKeys, { now: daysFromNow(-2) });
  const { accountId } = spender;
  const rows = db.read(spender.workspaceId);
  const list = (filter: { from?: Date; to?: Date }) =>
    listLedgerEntries(rows, { accountId, before: null, limit: 100, filter });
  const all = (await list({})).entries;
  expect(all).toHaveLength(31);
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  const times = [12, 9, 8.5, 5, 3.5, 2, 1, 0, -1].map((ago) => new Date(today - ago * DAY_MS));
  for (const from of [undefined, new Date(0), ...times])
    for (const to of [undefined, ...times]) {
      const filter = { ...(from && { from }), ...(to && { to }) };
      const expected = all.filter(({ createdAt }) => (!from || createdAt >= from) && (!to || createdAt < to));
      expect((await list(filter)).entries.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      expect(await readLedgerTotals(rows, { accountId, filter })).toMatchObject({ count: expected.length });
    }
});
