import { afterAll, expect, test } from '@jest/globals';
import { joinArchived } from '../../../db/postgres/archive.ts';
import { monthAgo, OWN, setArchive } from './archiveStage.ts';

/** Calls of ninety days: with so few, a comparison of each with each other one is already far above the limit. */
const CALLS = 2_000;
/** A step of a plan may handle each row of the database so often. */
const TIMES_EACH = 3;

const WATCHED = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

// PostgreSQL logs the plan of each statement of later sessions, also within functions, with the rows that each step handled.
const { db, moveUpTo, close } = await setArchive({
  calls: CALLS,
  prepare: async (owner) => {
    const { rows } = await owner.query<{ name: string }>('select current_database() as name');
    for (const [setting, value] of Object.entries(WATCHED))
      await owner.query(`alter database ${rows[0]!.name} set ${setting} = '${value}'`);
  },
});
afterAll(close);

interface Step {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Step[];
}

/** The rows that the busiest step of a plan handled. */
function mostRows(step: Step): number {
  const removed = (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Join Filter'] ?? 0);
  const own = (step['Actual Rows'] + removed) * step['Actual Loops'];
  return Math.max(own, ...(step.Plans ?? []).map(mostRows));
}

test('no statement of a move compares the rows of a month with each other', async () => {
  // Of the oldest month only the last days have calls, on some days so few that a comparison with each is the best plan.
  await moveUpTo(monthAgo(3));
  const plans: { text: string; rows: number }[] = [];
  const keep = ({ message = '' }: { message?: string | undefined }) => {
    const start = message.indexOf('plan:\n');
    if (start === -1) return;
    const explained = JSON.parse(message.slice(start + 'plan:\n'.length)) as { 'Query Text': string; Plan: Step };
    plans.push({ text: explained['Query Text'], rows: mostRows(explained.Plan) });
  };
  const client = await db.pool.connect();
  client.on('notice', keep);
  client.release();
  db.pool.on('connect', (opened) => opened.on('notice', keep));
  await moveUpTo(monthAgo(2));
  const { rows } = await db.pool.query<{ count: number }>('select count(*)::int as count from bill_days');
  const limit = TIMES_EACH * (2 * CALLS + rows[0]!.count);
  expect(plans.filter((one) => one.rows > limit)).toEqual([]);
  const texts = plans.map(({ text }) => text).join('\n');
  for (const part of ['are not signed', 'its entries say otherwise', 'ledger_carried_ranges', 'declare part'])
    expect(texts).toContain(part);
});

test('a statement looks up archived calls by an index, as those of the table', async () => {
  const plan = await db.read(OWN.workspaceId).transaction(async (tx) => {
    await joinArchived(tx, { from: new Date(`${monthAgo(2)}-01`), to: new Date(`${monthAgo(1)}-01`) });
    await tx.client.query('set local enable_hashjoin = off; set local enable_mergejoin = off');
    const { rows } = await tx.client.query<{ 'QUERY PLAN': string }>(
      'explain select q.model from ledger_entries e left join requests q on q.id = e.subject where e.account_id = $1',
      [OWN.accountId],
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toMatch(/Index Scan using archived_requests_pkey on archived_requests .*\n\s+Index Cond: \(id = /);
});
