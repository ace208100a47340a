import { type CancelOrder, requestCancel, type Cancellation } from '../../db/runs/cancelRun.ts';
import type { Services } from '../services.ts';

/** Cancels a run and notifies the workflows: its own, and that of the run that may start instead. */
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
