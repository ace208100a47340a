import type { MikroORM } from '@mikro-orm/postgresql';
import { inWorkspace } from '../postgres/tenant.ts';
import type { RunRow } from './runRow.ts';

/** A run of the workspace, or undefined when it is unknown or another's. */
export async function findRun(orm: MikroORM, workspaceId: string, runId: string): Promise<RunRow | undefined> {
  const rows = await inWorkspace(orm, workspaceId, (em) =>
    em.execute<RunRow[]>('select * from runs where id = ? and workspace_id = ?', [runId, workspaceId]),
  );
  return rows[0];
}
