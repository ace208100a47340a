import { isEventOlderThan } from '../../db/events/readEvents.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { Services } from '../services.ts';

/** The reason of a run in progress whose next task no worker has taken. */
export const WAITS_FOR_WORKER = 'waits_for_worker';

// Longer than a lost worker's lease. Runs that make progress are not checked.
const QUIET_SECONDS = 10;

/** Whether a run's task waits in a Temporal queue that no worker polls. False when Temporal does not answer. */
export async function waitsForWorker(
  { db, temporal }: Pick<Services, 'db' | 'temporal'>,
  run: RunRow,
): Promise<boolean> {
  if (run.status !== 'in_progress' && run.status !== 'cancelling') return false;
  const last = { runId: run.id, sequence: run.last_sequence, seconds: QUIET_SECONDS };
  if (!(await isEventOlderThan(db.read(run.workspace_id), last))) return false;
  const described = await temporal.call((client) => client.workflow.getHandle(run.id).describe()).catch(() => null);
  if (!described) return false;
  const { pendingActivities, pendingWorkflowTask } = described.raw;
  const tasks = [...(pendingActivities ?? []), ...(pendingWorkflowTask ? [pendingWorkflowTask] : [])];
  // A task that waits for its next attempt is scheduled for later.
  return tasks.some(
    ({ state, scheduledTime }) =>
      Number(state) === SCHEDULED && Number(scheduledTime?.seconds ?? 0) * 1_000 <= Date.now(),
  );
}

/** Of activities and workflow tasks, in Temporal's protocol. */
const SCHEDULED = 1;
