import { afterAll, expect, test } from '@jest/globals';
import { retrieveReceipt } from '../../../api/billing/receipts.ts';
import { monthOf } from '../../../db/archive/months.ts';
import { monthAgo, OWN, setArchive } from '../../db/archive/archiveStage.ts';

const { db, moveUpTo, close } = await setArchive({ calls: 2_000 });
afterAll(close);

const MOVED = monthAgo(2);

async function receiptOf(id: string, seesProjects: string[] | null = null): Promise<unknown> {
  const ctx = { state: { params: { request_id: id }, key: { ...OWN, seesProjects } }, body: undefined };
  await retrieveReceipt({ db } as never)(ctx as never);
  return ctx.body;
}

test('the receipt of a call says the same after its month was archived', async () => {
  const { first, end } = monthOf(MOVED);
  const sql = 'select id from requests where id >= $1 and id < $2 and workspace_id = $3 order by id limit 1';
  const { rows } = await db.pool.query<{ id: string }>(sql, [first, end, OWN.workspaceId]);
  const { id } = rows[0]!;
  const before = await receiptOf(id);
  expect(before).toMatchObject({ status: 'signed', entries: [{ entry: { kind: 'debit', request_id: id } }] });
  await moveUpTo(MOVED);
  expect(await receiptOf(id)).toEqual(before);
  await expect(receiptOf(id, ['proj_other'])).rejects.toMatchObject({ status: 404 });
});
