import type { ClientBase } from 'pg';
import type { Database } from '../database.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { cancelLocked, type CancelOrder } from './cancelLocked.ts';
import { isTerminal, type RunRow } from './runRow.ts';
import { wakeNextRun } from './wakeNextRun.ts';

/** What a cancellation came to, and the run of the session that may start in its place, if one waited. */
export type Cancellation =
  | { outcome: 'not_found' }
  | { outcome: 'already_terminal' | 'already_cancelled'; run: RunRow }
  | { outcome: 'cancelling' | 'cancelled'; run: RunRow; next: RunRow | undefined };

/** Cancels a run of the workspace, in one transaction. A run that is being cancelled, or is cancelled, stays as it is. */
export function requestCancel(
  { pool, ledger }: Pick<Database, 'pool' | 'ledger'>,
  { workspaceId, runId, ...order }: { workspaceId: string; runId: string } & CancelOrder,
): Promise<Cancellation> {
  return inTransaction(pool, async (client) => {
    const row = await lockRun(client, workspaceId, runId);
    if (!row) return { outcome: 'not_found' };
    if (row.status === 'cancelled') return { outcome: 'already_cancelled', run: row };
    if (isTerminal(row.status)) return { outcome: 'already_terminal', run: row };
    const run = await cancelLocked(client, ledger, row, order);
    if (run.status === 'cancelling') return { outcome: 'cancelling', run, next: undefined };
    return { outcome: 'cancelled', run, next: await wakeNextRun(client, run.session_id) };
  });
}

// The session first: whoever enters it meanwhile must see either the run or its end.
async function lockRun(client: ClientBase, workspaceId: string, runId: string): Promise<RunRow | undefined> {
  await client.query(LOCK_SESSION_OF, [runId, workspaceId]);
  const { rows } = await client.query<RunRow>(
    'select * from runs where id = $1 and workspace_id = $2 and deleted_at is null for update',
    [runId, workspaceId],
  );
  return rows[0];
}

const LOCK_SESSION_OF =
  'select from sessions where id = (select session_id from runs where id = $1 and workspace_id = $2) for update';
