import { afterAll, expect, test } from '@jest/globals';
import { FATES } from '../../../db/erasure/fates.ts';
import { exportWorkspace } from '../../../db/exports/exportWorkspace.ts';
import { pathsTo } from '../../../db/exports/rowsOfWorkspace.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { makeBill } from '../../support/ledger.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** `table.column` of each index's first column, except for partial indexes; of a divided table, those that each of its partitions has. */
async function firstColumns(): Promise<Set<string>> {
  const { rows } = await db.pool.query<{ column: string }>(`
with first as (
  select distinct c.oid, c.relname, a.attname from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] where i.indpred is null)
select relname || '.' || attname as column from first
union select p.inhparent::regclass || '.' || f.attname from first f join pg_inherits p on p.inhrelid = f.oid
  group by p.inhparent, f.attname having count(*) = (select count(*) from pg_inherits o where o.inhparent = p.inhparent)`);
  return new Set(rows.map(({ column }) => column));
}

test('an erasure finds the rows of its workspace by an index', async () => {
  const indexed = await firstColumns();
  const needed = Object.entries(FATES)
    .filter(([table, fate]) => table !== 'workspaces' && (fate.fate === 'erased' || fate.replaced))
    .map(([table, fate]) => `${table}.${fate.fate === 'erased' && fate.by ? fate.by.column : 'workspace_id'}`);
  expect(needed.filter((column) => !indexed.has(column))).toEqual([]);
});

test('an export finds the rows of its workspace by indexes', async () => {
  const indexed = await firstColumns();
  const { rows } = await exportWorkspace(db.read((await makeAccount(db)).workspaceId), async () => {});
  const needed = Object.keys(rows).flatMap((table) => pathsTo(table).map(({ by }) => `${table}.${by?.column ?? 'workspace_id'}`)); // prettier-ignore
  // Partial: open rows, and rows beside an account.
  const ofSome = ['holds.account_id', 'ledger_legs.workspace_id', 'erasures.workspace_id'];
  expect(needed.filter((column) => !indexed.has(column) && !ofSome.includes(column))).toEqual([]);
});

test('an export has each row once, in parts of 2,000', async () => {
  const { keyId, accountId, workspaceId } = await makeAccount(db);
  const spender = { keyId, accountId, workspaceId };
  await db.ledger.settle(await db.ledger.hold(spender, 5_000n), makeBill(spender, { costNanos: 1_000n }));
  await db.ledger.posted();
  await db.pool.query(
    `insert into response_items (id, workspace_id, item, expires_at) select 'msg_' || n, $1, '{}', now() from generate_series(1, 4500) n`,
    [workspaceId],
  );
  const names: string[] = [];
  const { rows } = await exportWorkspace(db.read(workspaceId), async (bytes) => {
    const name = /^rows\/[a-z_]+-\d{4}/.exec(Buffer.from(bytes).toString('latin1', 0, 100));
    if (name) names.push(name[0]);
  });
  expect(rows).toMatchObject({ response_items: 4_500, ledger_legs: 1, requests: 1, holds: 1, key_days: 1 });
  expect(names.filter((name) => name.includes('response_items'))).toEqual([
    'rows/response_items-0001',
    'rows/response_items-0002',
    'rows/response_items-0003',
  ]);
  for (const [table, count] of Object.entries(rows)) {
    const found = await db.pool.query(`select from ${table} where workspace_id = $1`, [workspaceId]);
    expect({ table, count }).toEqual({ table, count: found.rowCount });
  }
});
