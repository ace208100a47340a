import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { newId } from '../../../db/ids.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { billOf, expectSoundLedger, makeSpender } from '../../support/ledger.ts';

const db = await setTestDatabase();
const owner = new Client(ownerUrlOf(db.url));

await owner.connect();
const { spender } = await makeSpender(db, { balanceNanos: 1_000_000n });
await db.ledger.settle(await db.ledger.hold(spender, 500n), billOf(spender, 100n));
const bill = billOf(spender, 0n);
const free = bill.requestId;
await db.ledger.settle(await db.ledger.hold(spender, 500n), bill);
await db.ledger.posted();
afterEach(() => expectSoundLedger(db));
afterAll(async () => {
  await owner.end();
  await db.close();
});

/** Inserts a row as that of the charged call, with another id and number and these columns. */
async function insertLike(more: Record<string, unknown>): Promise<void> {
  await db.pool.query(INSERT, [JSON.stringify({ id: newId('req'), sequence: 99, ...more }), spender.workspaceId]);
}

const INSERT = `
insert into requests select r.* from requests q, jsonb_populate_record(q, $1) r where q.workspace_id = $2 and q.sequence = 2`;

describe('a call that cost nothing', () => {
  test.each([
    'transaction_id = 1',
    'leg = 1',
    `account_id = 'acct_x'`,
    'debited_nanos = 5',
    'sequence = 2',
    'balance_after_nanos = 5',
    `hash = '\\x00'`,
  ])('gets no debit later: %s', async (change) => {
    for (const client of [db.pool, owner])
      await expect(client.query(`update requests set ${change} where id = $1`, [free])).rejects.toMatchObject({
        message: expect.stringContaining('append-only'),
      });
  });

  test('may still be changed otherwise', async () => {
    for (const change of [`status = 503, project_id = 'proj_x'`, 'project_id = null'])
      expect((await db.pool.query(`update requests set ${change} where id = $1`, [free])).rowCount).toBe(1);
  });
});

describe('a charged call', () => {
  const unmatched = { message: expect.stringContaining('must sum to zero') };

  test('is not inserted without the legs of the house', async () => {
    await expect(insertLike({ transaction_id: 999_999 })).rejects.toMatchObject(unmatched);
    await expect(insertLike({ debited_nanos: 101 })).rejects.toMatchObject(unmatched);
  });

  test.each([
    { sequence: null },
    { debited_nanos: null },
    { transaction_id: null },
    { account_id: null },
    { hash: null },
    { leg: null, sequence: null },
    { debited_nanos: null, sequence: null, transaction_id: null },
  ])('is not inserted with a part of its debit: without %j', async (more) => {
    await expect(insertLike(more)).rejects.toMatchObject({ message: expect.stringContaining('whole') });
  });
});
