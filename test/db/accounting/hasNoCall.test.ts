import { afterAll, expect, test } from '@jest/globals';
import { hasNoCallSql } from '../../../db/accounting/requestFilter.ts';
import { newId } from '../../../db/ids.ts';
import { makeAccount } from '../../support/account.ts';
import { billOf } from '../../support/ledger.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

test('a refusal is looked up among the calls by its id, without reading the others', async () => {
  const { keyId, accountId, workspaceId } = await makeAccount(db);
  const spender = { keyId, accountId, workspaceId };
  const bill = billOf(spender, 0n, { status: 502 });
  await db.ledger.fail(await db.ledger.hold(spender, 100n), bill);
  await db.ledger.posted();
  const refused = newId('req');
  await db.pool.query(
    `insert into refused_calls (id, workspace_id, key_id, route, status, code, message, duration_ms, calls, created_at, expires_at)
     select id, $2, $3, '/v1/models', 502, 'code', '', 1, 1, now(), now() + interval '1 day' from unnest($1::text[]) id`,
    [[refused, bill.requestId], spender.workspaceId, spender.keyId],
  );
  const sql = `select r.id from refused_calls r where r.workspace_id = '${spender.workspaceId}' and ${hasNoCallSql('r')}`;
  await db.read(spender.workspaceId).transaction(async ({ client }) => {
    expect((await client.query(sql)).rows).toEqual([{ id: refused }]);
    const { rows } = await client.query(`explain (format json) ${sql}`);
    // A join would read all calls of the tenant.
    expect(JSON.stringify(rows)).not.toContain('Anti');
  });
});
