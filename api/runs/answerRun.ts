import { isTerminal, type RunRow } from '../../db/runs/runRow.ts';
import { RUN_WAIT_SECONDS_MAX } from '../../base/limits.ts';
import type { Context } from '../context.ts';
import { hasDisconnected } from '../http/onClose.ts';
import type { Services } from '../services.ts';
import type { Include } from './chosenEvents.ts';
import { awaitRun, streamRunEvents } from './followRun.ts';
import { cancelAndNotify } from './cancelRun.ts';
import { presentQueued, presentRun } from './runAnswers.ts';

const RETRY_SECONDS_MAX = 5;

/** Answers the request that created a run: with its event stream, with its end if the caller waits, or at once. */
export async function answerRun(
  ctx: Context,
  services: Services,
  run: RunRow,
  { stream, include, start_after_seconds }: { stream: boolean; include?: Include; start_after_seconds: number },
): Promise<void> {
  ctx.set('location', `/v1/runs/${run.id}`);
  if (stream) return streamRun(ctx, services, run, include);
  const waitSeconds = waitSecondsOf(ctx);
  const current = waitSeconds === null ? run : await awaitRun(ctx, services, run, waitSeconds * 1000);
  if (waitSeconds !== null) ctx.set('preference-applied', `wait=${waitSeconds}`);
  if (isTerminal(current.status)) ctx.status = 200;
  else {
    ctx.status = 202;
    ctx.set('retry-after', String(Math.max(1, Math.min(RETRY_SECONDS_MAX, start_after_seconds))));
  }
  // It is ordered and its money held: an error would make the caller order another one.
  const shown = presentQueued(services.db.read(current.workspace_id), [current]);
  [ctx.body] = await shown.catch(() => [presentRun(current)]);
}

async function streamRun(ctx: Context, services: Services, run: RunRow, include: Include): Promise<void> {
  const place = { workspaceId: run.workspace_id, runId: run.id };
  await streamRunEvents(ctx, services, { ...place, after: 0, reached: run.last_sequence, include });
  if (hasDisconnected(ctx.res) && run.on_disconnect === 'cancel')
    await cancelAndNotify(services, { ...place, mode: 'immediate', reason: 'the client has disconnected' });
}

/** How long the caller wants to wait (RFC 7240): `Prefer: wait=30`. */
export function waitSecondsOf({ req }: Context): number | null {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?/i.exec(String(req.headers.prefer ?? '')) ?? [];
  return seconds === undefined ? null : Math.min(RUN_WAIT_SECONDS_MAX, Number(seconds));
}
