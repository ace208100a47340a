import type { Database } from '../database.ts';
import { requestCancel } from './requestCancel.ts';
import type { RunRow } from './runRow.ts';

const REASON = 'The key of the run was revoked.';

/** A run that was cancelled because its key was revoked, and the run of its session that may start in its place. */
export interface RevokedRun {
  run: RunRow;
  next: RunRow | undefined;
}

/**
 * Cancels the open runs of revoked keys: those that have not begun, which cost nothing, and those that work unless their key lets them
 * end. Their workflows are to be told. May be repeated; `keyId`: of this key alone.
 */
export async function cancelRevoked(db: Pick<Database, 'pool' | 'ledger'>, keyId?: string): Promise<RevokedRun[]> {
  const cancelled: RevokedRun[] = [];
  const { rows } = await db.pool.query<{ id: string; workspaceId: string }>(OPEN, [keyId ?? null]);
  // The newest first: so that none that waits is let go by the end of the one before it.
  for (const { id: runId, workspaceId } of rows) {
    const ended = await requestCancel(db, { workspaceId, runId, mode: 'immediate', reason: REASON });
    if (ended.outcome === 'cancelling' || ended.outcome === 'cancelled') {
      cancelled.push({ run: ended.run, next: ended.outcome === 'cancelled' ? ended.next : undefined });
    }
  }
  return cancelled;
}

const OPEN = `
select r.id, r.workspace_id as "workspaceId" from runs r join api_keys k on k.id = r.key_id
where r.settled_at is null and r.status <> 'cancelling' and k.revoked_at is not null and (r.status = 'queued' or not k.keeps_runs)
  and ($1::text is null or k.id = $1)
order by r.created_at desc, r.id desc limit 500`;
