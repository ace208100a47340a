import { RETENTION_DAYS } from '../../base/limits.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { isTerminal, type RunStatus } from './runRow.ts';

const BATCH_RUNS = 200;

/** The result of deleting a run. Only `deleted` changed anything. */
export type Deletion =
  { outcome: 'not_found' } | { outcome: 'not_terminal'; status: RunStatus } | { outcome: 'deleted' };

/** Deletes the content of a finished run of the workspace. Its bill and its session's files stay. */
export function removeRun(rows: Rows, runId: string): Promise<Deletion> {
  return rows.transaction(async (tx) => {
    const { em, Run, RunEvent, RunFeedback, LockMode, sql } = tx;
    const run = await em.findOne(Run, { id: runId, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!run) return { outcome: 'not_found' };
    if (!isTerminal(run.status)) return { outcome: 'not_terminal', status: run.status };
    await deleteContent(tx, [runId]);
    await em.nativeDelete(RunEvent, { runId });
    await em.nativeDelete(RunFeedback, { runId });
    const emptied = { metadata: {}, endUser: null, flow: null, webhookUrl: null };
    await em.nativeUpdate(Run, { id: runId }, { deletedAt: sql.now(), ...emptied });
    return { outcome: 'deleted' };
  });
}

/** Deletes the content of runs that ended before their retention, oldest first, until none are left. Returns their number. */
export async function pruneRuns(everywhere: Rows<undefined>): Promise<number> {
  for (let pruned = 0; ;) {
    const count = await everywhere.transaction(pruneBatch);
    pruned += count;
    if (count < BATCH_RUNS) return pruned;
  }
}

async function pruneBatch(tx: AnyTransaction): Promise<number> {
  const { em, Run, LockMode, sql } = tx;
  const isDue = { contentDeletedAt: null, settledAt: { $lt: sql`now() - make_interval(days => ${RETENTION_DAYS})` } };
  const runs = await em.find(Run, isDue, {
    fields: ['id'],
    orderBy: { settledAt: 'asc' },
    limit: BATCH_RUNS,
    lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE,
  });
  if (runs.length > 0)
    await deleteContent(
      tx,
      runs.map(({ id }) => id),
    );
  return runs.length;
}

// Events expire separately, each by its own time.
async function deleteContent({ em, Run, RunStep, sql }: AnyTransaction, runIds: string[]): Promise<void> {
  await em.nativeDelete(RunStep, { runId: runIds });
  await em.nativeUpdate(
    Run,
    { id: runIds },
    {
      input: sql`'null'::jsonb`,
      output: [],
      requiredAction: null,
      cancelReason: null,
      statusReason: sql`case when status = 'cancelled' then null else status_reason end`,
      contentDeletedAt: sql.now(),
    },
  );
}
