import type { LazyOrm } from '../postgres/lazyOrm.ts';
import { inWorkspace } from '../postgres/tenant.ts';
import type { RunRow } from './runRow.ts';

/** Which runs of a workspace are listed: all, or those of an agent, a session, a state; those older than the run `beforeId`. */
export interface RunFilter {
  workspaceId: string;
  agent: string | null;
  sessionId: string | null;
  status: string | null;
  beforeId: string | null;
  limit: number;
}

/** The workspace's runs, newest first, at most `limit`, and whether more follow. */
export async function listRuns(orm: LazyOrm, filter: RunFilter): Promise<{ runs: RunRow[]; hasMore: boolean }> {
  const { workspaceId, agent, sessionId, status, beforeId, limit } = filter;
  const wanted = Object.entries({ agent, session_id: sessionId, status }).filter(([, value]) => value !== null);
  const conditions = [
    'workspace_id = ?',
    'deleted_at is null',
    ...wanted.map(([column]) => `${column} = ?`),
    ...(beforeId === null ? [] : [BEFORE]),
  ];
  const values = [workspaceId, ...wanted.map(([, value]) => value), ...(beforeId === null ? [] : [beforeId])];
  const rows = await inWorkspace(orm, workspaceId, (em) =>
    em.execute<RunRow[]>(
      `select * from runs where ${conditions.join(' and ')} order by created_at desc, id desc limit ?`,
      // One more than asked for tells whether there are more.
      [...values, limit + 1],
    ),
  );
  return { runs: rows.slice(0, limit), hasMore: rows.length > limit };
}

const BEFORE = '(created_at, id) < (select created_at, id from runs where id = ?)';
