import type { CallAbort } from '../providers/callAbort.ts';
import type { Hold } from '../db/ledger/ledger.ts';
import { keyEnded } from '../base/errors/keyErrors.ts';
import { overloaded } from '../base/errors/serviceErrors.ts';
import type { Context } from '../api/context.ts';
import type { CallServices } from '../api/services.ts';

/**
 * Aborts a call when its client disconnects (`left`), its key ends (`revoked`), this process shuts down and its grace period is over
 * (`shutdown`), or its hold is lost (`unheld`), which happens to a process that was paused for longer than its lease. Returns a function
 * that stops watching. The answer keeps its listener, which then does nothing: when it was removed, two of three processes under load from
 * their start kept whole requests until a large garbage collection, and served a third less.
 */
export function watchCaller(ctx: Context, { db, shutdown }: CallServices, abort: CallAbort, hold?: Hold): () => void {
  let isOver = false;
  const { kept } = ctx.state;
  const onLeft = () => {
    if (!isOver) abort.abort('left');
  };
  // A call whose answer is kept goes on for a moment: its client may come back.
  if (kept) kept.onGone = onLeft;
  else ctx.res.on('close', onLeft);
  if (hold) hold.onLost = () => abort.abort('unheld');
  const stopWatchingKey = db.keys.watch(ctx.state.key.keyId, () => abort.abort('revoked'));
  const stopWatchingEnd = shutdown.onCut(() => abort.abort('shutdown'));
  return () => {
    isOver = true;
    stopWatchingKey();
    stopWatchingEnd();
    // The hold lives until its bill is posted: it must not keep this call's abort, and with it the request, in memory for that long.
    if (hold) hold.onLost = undefined;
  };
}

/** Whether no caller waits for the answer any more. */
export const hasLeft = ({ res, state: { kept } }: Context): boolean => (kept ? !kept.isRead : res.destroyed);

/** The caller's error for an aborted call; `error` when the call failed by itself. */
export function shownError({ reason }: CallAbort, error: unknown): unknown {
  if (reason === 'shutdown') return overloaded(1000, 'the process ends');
  if (reason === 'unheld') return overloaded();
  return reason === 'revoked' ? keyEnded() : error;
}
