import type { LazyOrm } from '../postgres/lazyOrm.ts';
import { inWorkspace } from '../postgres/tenant.ts';
import type { RunRow } from './runRow.ts';

/** A run of the workspace, or undefined when it is unknown or another's. */
export async function findRun(orm: LazyOrm, workspaceId: string, runId: string): Promise<RunRow | undefined> {
  const rows = await inWorkspace(orm, workspaceId, (em) =>
    em.execute<RunRow[]>('select * from runs where id = ? and workspace_id = ? and deleted_at is null', [
      runId,
      workspaceId,
    ]),
  );
  return rows[0];
}
