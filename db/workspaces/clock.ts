import type { Rows } from '../postgres/rows.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { isTestSql } from './mode.ts';

/** SQL, of a column with a workspace's id: whether its clock may be moved. */
export const hasOwnClockSql = isTestSql;

/** How far the clock of a test workspace is ahead of the real one, in milliseconds. */
export async function readAheadMs(client: Queryable, workspaceId: string): Promise<number> {
  const { rows } = await client.query<{ aheadSeconds: number }>(AHEAD, [workspaceId]);
  return rows[0]!.aheadSeconds * 1_000;
}

const AHEAD = 'select clock_seconds::float as "aheadSeconds" from workspaces where id = $1';

/** The workspaces whose clocks are on their way. */
export async function listAdvancing(everywhere: Rows<undefined>): Promise<{ id: string }[]> {
  const { rows } = await everywhere.statement(({ client }) => client.query<{ id: string }>(ADVANCING));
  return rows;
}

// Raw: by the index of test workspaces, which are few.
const ADVANCING = `
select id from workspaces
where live_workspace_id is not null and (clock_moving or clock_target_seconds > clock_seconds) limit 100`;
