import type { z } from 'zod';
import { type Cancellation, cancelRevoked, type CancelledRun, requestCancel } from '../../db/runs/states/cancelRun.ts';
import { listLiveRunIds } from '../../db/runs/states/pendingRuns.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { pathId } from '../body/parseWith.ts';
import type { Context, Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { runAlreadyTerminal } from './errors.ts';
import { runNotFound, sessionNotFound } from '../../orders/errors.ts';
import type { CancelOrder } from './runSchema.ts';
import { presentRun } from './runAnswers.ts';
import { presentPage } from '../http/documentedRoute.ts';
import { seenBy } from '../guard/projects.ts';

type Order = z.output<typeof CancelOrder>;

/**
 * `POST /v1/runs/{run_id}/cancel`: 202 with the run, which stops within a moment; 200 if it was already cancelled; 409
 * `run_already_terminal` if it has ended otherwise. A queued run is cancelled at once and costs nothing.
 */
export function cancelRun(services: Services): Handler<Order> {
  return async (ctx) => {
    const runId = pathId(ctx, 'run_id');
    const cancelled = await cancel(ctx, services, runId);
    switch (cancelled.outcome) {
      case 'not_found':
        throw runNotFound(runId);
      case 'already_terminal':
        throw runAlreadyTerminal(cancelled.run.status);
      case 'already_cancelled':
      case 'cancelling':
      case 'cancelled':
        ctx.status = cancelled.outcome === 'already_cancelled' ? 200 : 202;
        ctx.body = presentRun(cancelled.run);
        return;
      default:
        cancelled satisfies never;
    }
  };
}

/** `POST /v1/sessions/{session_id}/cancel`: cancels every open run of the session. 202 with the list of them. */
export function cancelSession(services: Services): Handler<Order> {
  return async (ctx) => {
    const sessionId = pathId(ctx, 'session_id');
    const runIds = await listLiveRunIds(seenBy(services.db, ctx.state.key), sessionId);
    if (!runIds) throw sessionNotFound(sessionId);
    const runs: RunRow[] = [];
    // Newest first, so that the end of a run does not start the next one.
    for (const runId of runIds) {
      const cancelled = await cancel(ctx, services, runId);
      if ('run' in cancelled) runs.push(cancelled.run);
    }
    ctx.status = 202;
    ctx.body = presentPage(runs.map(presentRun), null);
  };
}

function cancel(ctx: Context<Order>, services: Services, runId: string): Promise<Cancellation> {
  const { mode, reason } = ctx.state.input;
  return cancelAndNotify(services, { workspaceId: ctx.state.key.workspaceId, runId, mode, reason: reason ?? null });
}

/** Cancels a run and notifies the workflows: its own, and that of the run that may start next. */
export async function cancelAndNotify(
  services: Services,
  order: Parameters<typeof requestCancel>[1],
): Promise<Cancellation> {
  const cancelled = await requestCancel(services.db, order);
  if (cancelled.outcome === 'cancelling' || cancelled.outcome === 'cancelled') notify(services, cancelled);
  return cancelled;
}

/** Cancels what keys run that have just been revoked. A failure is no failure of the revocation: the sweep makes up for it. */
export async function cancelRunsOfRevoked(services: Services, workspaceId: string): Promise<void> {
  try {
    for (const cancelled of await cancelRevoked(services.db, workspaceId)) notify(services, cancelled);
  } catch (err) {
    services.log.warn({ err, workspaceId }, 'the sweep cancels the runs of a revoked key');
  }
}

function notify({ runStarter }: Services, { run, next }: CancelledRun): void {
  runStarter.cancel(run);
  if (next) runStarter.start(next);
  if (run.status === 'cancelled' && run.flow) runStarter.turn({ workspaceId: run.workspace_id });
}
