import { type CancelOrder, requestCancel, type Cancellation } from '../../db/runs/cancelRun.ts';
import type { Services } from '../services.ts';

/** Cancels a run and tells the workflows that it concerns: its own, and that of the run that may start in its place. */
export async function cancelAndNotify(
  { db, runStarter }: Services,
  order: { workspaceId: string; runId: string } & CancelOrder,
): Promise<Cancellation> {
  const cancelled = await requestCancel(db, order);
  if (cancelled.outcome === 'cancelling' || cancelled.outcome === 'cancelled') {
    runStarter.cancel(cancelled.run);
    if (cancelled.next) runStarter.start(cancelled.next);
  }
  return cancelled;
}
