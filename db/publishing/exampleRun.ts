import type { Rows } from '../postgres/rows.ts';
import type { RunRow } from '../runs/runRow.ts';

/** A run of one of the workspace's agents, and what it used: thousandths of a unit, by meter. */
export interface ExampleRun {
  id: string;
  meters: RunRow['meters'];
}

/** The newest completed run that the workspace has ordered of an agent: a test of its draft, or of a version. */
export async function findExampleRun(rows: Rows, agentId: string): Promise<ExampleRun | undefined> {
  const { workspaceId } = rows;
  const found = await rows.statement(({ client }) => client.query<ExampleRun>(NEWEST, [agentId, workspaceId]));
  return found.rows[0];
}

// Raw: the index of settled runs by agent. A rerun uses less than a whole run.
const NEWEST = `
select id, meters from runs where agent_id = $1 and workspace_id = $2 and settled_at is not null and status = 'completed'
  and rerun_of is null and deleted_at is null
order by settled_at desc limit 1`;
