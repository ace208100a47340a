import { afterAll, expect, test } from '@jest/globals';
import { stateSql } from '../../../db/alerts/alertState.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { nodesOf } from '../../support/planNodes.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const { workspaceId, accountId } = await makeAccount(db);
await db.pool.query(
  `with made as (
    insert into api_keys (id, workspace_id, account_id, name, hash, prefix, scopes)
    select 'key_state' || n, $1, $2, 'k', sha256(n::text::bytea), 'sk_', '{llm}' from generate_series(1, 300) n returning id)
  insert into key_days (key_id, workspace_id, day, spent_nanos)
  select id, $1, date_trunc('month', now() at time zone 'utc')::date, 7 from made`,
  [workspaceId, accountId],
);
await db.pool.query(
  `insert into alerts (id, workspace_id, kind, amount_nanos, period, percentages, mail)
   select 'alert_state' || n, $1, 'spend', 1000 * n, 'monthly', '{50,100}', false from generate_series(1, 40) n`,
  [workspaceId],
);

const STATES = stateSql(`a.workspace_id = '${workspaceId}'`);

/** How often a statement reads the days of keys. */
async function sumsOf(text: string): Promise<number> {
  const { rows } = await db.pool.query(`explain (analyze, timing off, format json) ${text}`);
  const read = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === 'key_days');
  return read.reduce((sum, node) => sum + node['Actual Loops'], 0);
}

test('alerts that watch the same spending know it from one sum', async () => {
  const { rows } = await db.pool.query<{ id: string; spent: string; level: number }>(STATES);
  expect(new Set(rows.map(({ spent }) => spent))).toEqual(new Set(['2100']));
  const levels = rows.toSorted((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true })).slice(0, 6);
  expect(levels.map(({ level }) => level)).toEqual([100, 100, 50, 50, 0, 0]);
  expect(await sumsOf(STATES)).toBe(1);
});
