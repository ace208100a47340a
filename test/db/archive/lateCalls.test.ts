import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { listRequests } from '../../../db/accounting/requests.ts';
import { readAccountStatement } from '../../../db/accounting/statement.ts';
import { createArchive } from '../../../db/archive/archive.ts';
import { openArchiveFiles } from '../../../db/archive/archiveFiles.ts';
import { moveMonth } from '../../../db/archive/moveMonth.ts';
import { signDays } from '../../../db/bill/signDays.ts';
import { exportCalls } from '../../../db/exports/exportCalls.ts';
import { openDatabase } from '../../../db/database.ts';
import { beginMonths } from '../../../ops/bench/growth/pastMonths.ts';
import { daysFromNow, sealingKeys } from '../../support/billDays.ts';
import { makeDatabase, openTestDatabase, ownerUrlOf } from '../../support/database.ts';
import { makeFolder } from '../../support/folder.ts';
import { billOf, makeSpender, settleAgain } from '../../support/ledger.ts';
import { idAt, monthFromNow } from '../../support/months.ts';
import { lateSettlement } from '../ledger/lateSettlement.ts';

const folder = await makeFolder();
const database = await makeDatabase();
const db = await openTestDatabase({ url: database.url });
const files = openArchiveFiles({ folder: folder.path });
const reader = await openDatabase({
  url: database.url,
  spends: false,
  archive: createArchive(files),
  onError: () => {},
});
const owner = new Client(ownerUrlOf(database.url));
await owner.connect();
afterAll(async () => {
  await owner.end();
  await Promise.all([db.close(), reader.close()]);
  await database.drop();
  await folder.remove();
});

test('calls billed months after their begin stay in the month of their bill when their own month is archived', async () => {
  const begun = monthFromNow(-3);
  await beginMonths(owner, begun);
  const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
  const bill = billOf(spender, 100n, { requestId: idAt(new Date(begun), 'late') });
  await settleAgain(db, lateSettlement(bill, { hold: 'none', cost: 100n, charge: 100n }));
  const rows = reader.read(spender.workspaceId);
  const month = monthFromNow(0).slice(0, 7);
  const from = new Date(monthFromNow(0));
  const exportOf = async (span: { from: Date; to: Date }) => {
    const parts: Uint8Array[] = [];
    for await (const bytes of exportCalls(rows, span)) parts.push(bytes);
    return Buffer.concat(parts).toString('base64');
  };
  const read = async () => ({
    exported: [
      await exportOf({ from: new Date(begun), to: new Date(monthFromNow(-2)) }),
      await exportOf({ from, to: new Date(monthFromNow(1)) }),
    ],
    statement: await readAccountStatement(rows, { accountId: spender.accountId, month }),
    listed: (await listRequests(rows, { from }, { after: null, limit: 10 })).rows.map(({ id }) => id),
  });
  const before = await read();
  expect(before).toMatchObject({
    statement: { openingNanos: 0n, spendNanos: 100n, closingNanos: 900n, spend: [{ requests: 1, costNanos: 100n }] },
    listed: [bill.requestId],
  });
  await signDays(db.everywhere, sealingKeys, { now: daysFromNow(2) });
  const mover = { everywhere: db.everywhere, files, holder: 'one' };
  await moveMonth(mover, begun.slice(0, 7));
  await owner.query(`update archive_moves set archived_at = now() - interval '3 minutes'`);
  expect(await moveMonth(mover, begun.slice(0, 7))).toBe('dropped');
  expect(await read()).toEqual(before);
});
