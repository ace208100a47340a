import type { CallAbort } from '../../providers/callAbort.ts';
import type { Hold } from '../../db/ledger.ts';
import { keyEnded } from '../errors/keyErrors.ts';
import { overloaded } from '../errors/serviceErrors.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';

/**
 * Aborts a call when its client disconnects (`left`), its key ends (`revoked`), this process ends and waits no longer (`shutdown`), or its
 * hold is lost (`unheld`), which happens to a process that was paused for longer than its lease. Returns what ends the watching. The
 * answer keeps its listener, which then does nothing: with it removed, two of three processes under load from their start kept whole
 * requests until a large garbage collection, and served a third less.
 */
export function watchCaller(ctx: Context, { db, shutdown }: Services, abort: CallAbort, hold?: Hold): () => void {
  let isOver = false;
  ctx.res.on('close', () => {
    if (!isOver) abort.abort('left');
  });
  if (hold) hold.onLost = () => abort.abort('unheld');
  const stopWatchingKey = db.keys.watch(ctx.state.key.keyId, () => abort.abort('revoked'));
  const stopWatchingEnd = shutdown.onCut(() => abort.abort('shutdown'));
  return () => {
    isOver = true;
    stopWatchingKey();
    stopWatchingEnd();
    // The hold lives until its bill is posted: it must not keep this call's abort, and with it the request, that long.
    if (hold) hold.onLost = undefined;
  };
}

/** The error that the caller of an aborted call sees; `error` where the call failed by itself. */
export function shownError({ reason }: CallAbort, error: unknown): unknown {
  if (reason === 'shutdown') return overloaded(1000, 'the process ends');
  if (reason === 'unheld') return overloaded();
  return reason === 'revoked' ? keyEnded() : error;
}
