import { afterAll, expect, test } from '@jest/globals';
import type { Rows } from '../../../db/postgres/rows.ts';
import { readUsage } from '../../../db/runs/cost/usage.ts';
import { setTestDatabase } from '../../support/database.ts';
import { makeSpender } from '../../support/ledger.ts';
import { withOwner } from '../../support/pastCalls.ts';
import { nodesOf, type PlanNode } from '../../support/planNodes.ts';
import { finishTestRun, makeRun } from '../../support/run.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** The plan of a reader's statement, which runs in it. */
async function planOf(rows: Rows, read: (rows: Rows) => Promise<unknown>): Promise<PlanNode> {
  const explaining = {
    statement: (work: (tx: object) => unknown) =>
      rows.statement(({ client, workspaceId }) => {
        const query = (text: string, values: unknown[]) =>
          client.query(`explain (analyze, timing off, format json) ${text}`, values);
        return work({ client: { query }, workspaceId }) as Promise<unknown>;
      }),
  };
  const row = (await read(explaining as unknown as Rows)) as { 'QUERY PLAN': [{ Plan: PlanNode }] };
  return row['QUERY PLAN'][0].Plan;
}

/** How often the sum of a plan that is made most often is made. */
const sumsOf = (plan: PlanNode): number =>
  Math.max(...nodesOf(plan).map((node) => (/Agg/.test(node['Node Type']) ? node['Actual Loops'] : 0)));

// Runs of fifty agents in each of the last thirty days.
const COPY = `
insert into runs select c.* from runs r, generate_series(1, 3000) n, jsonb_populate_record(null::runs, to_jsonb(r) || jsonb_build_object(
  'id', r.id || n, 'hold_id', r.hold_id || n, 'agent_id', 'agent_' || n % 50, 'settled_at', r.settled_at - n % 29 * interval '1 day')) c
where r.id = $1`;

test('the medians of settled runs are found once, however many agents and days they are of', async () => {
  const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
  const run = await makeRun(db, spender);
  await finishTestRun(db, run, { subtotalNanos: 5n });
  await withOwner(db.url, (owner) => owner.query(COPY, [run.id]));
  const plan = await planOf(db.read(spender.workspaceId), (rows) => readUsage(rows, 30));
  expect(sumsOf(plan)).toBe(1);
});
