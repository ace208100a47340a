import type { Pool } from 'pg';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import { newId } from '../ids.ts';
import { inWorkspace } from '../postgres/tenant.ts';

/** A caller's feedback on a run, with what identifies the run. */
export interface Feedback {
  id: string;
  runId: string;
  sessionId: string;
  agent: string;
  outcome: string;
  reason: string;
  source: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The author of feedback, and the run. */
export interface FeedbackPlace {
  workspaceId: string;
  runId: string;
  authorId: string;
}

/** The author's feedback on a run: null when there is none, undefined when the workspace has no such run. */
export async function findFeedback(orm: LazyOrm, place: FeedbackPlace): Promise<Feedback | null | undefined> {
  const { workspaceId, runId, authorId } = place;
  const [row] = await inWorkspace(orm, workspaceId, (em) =>
    em.execute<(Feedback | { id: null })[]>(FIND, [authorId, runId, workspaceId]),
  );
  if (!row) return undefined;
  return row.id === null ? null : row;
}

/** Stores feedback, or replaces the author's earlier one. `source` null: the run's own. False when the workspace has no such run. */
export async function putFeedback(
  pool: Pool,
  { workspaceId, runId, authorId }: FeedbackPlace,
  { outcome, reason, source }: { outcome: string; reason: string; source: string | null },
): Promise<boolean> {
  const values = [runId, authorId, newId('fb'), workspaceId, outcome, reason, source];
  const { rowCount } = await pool.query({ name: 'run_feedback_put', text: PUT, values });
  return rowCount === 1;
}

/** Deletes the author's feedback. False when there was none. */
export async function deleteFeedback(pool: Pool, { workspaceId, runId, authorId }: FeedbackPlace): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'run_feedback_delete',
    text: 'delete from run_feedback where run_id = $1 and author_id = $2 and workspace_id = $3',
    values: [runId, authorId, workspaceId],
  });
  return rowCount === 1;
}

const FIND = `
select f.id, r.id as "runId", r.session_id as "sessionId", r.agent, f.outcome, f.reason, f.source, f.created_at as "createdAt",
  f.updated_at as "updatedAt"
from runs r left join run_feedback f on f.run_id = r.id and f.author_id = ? where r.id = ? and r.workspace_id = ? and r.deleted_at is null`;
const PUT = `
insert into run_feedback (run_id, author_id, id, workspace_id, outcome, reason, source)
select r.id, $2, $3, r.workspace_id, $5, $6, coalesce($7, r.source) from runs r where r.id = $1 and r.workspace_id = $4 and r.deleted_at is null
on conflict (run_id, author_id) do update set outcome = excluded.outcome, reason = excluded.reason, source = excluded.source, updated_at = now()`;
