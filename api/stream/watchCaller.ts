import type { CallAbort } from '../../providers/callAbort.ts';
import { keyEnded } from '../errors/keyErrors.ts';
import { overloaded } from '../errors/serviceErrors.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';

/**
 * Ends a call at its upstream when its client leaves (`left`), its key ends (`revoked`), or this process does and waits no longer
 * (`shutdown`). Returns what ends the watching. The answer keeps
 * its listener, which then does nothing: with it taken off, two of three processes under load from their start came to keep whole requests
 * until a large garbage collection, and served a third less.
 */
export function watchCaller(ctx: Context, { db, shutdown }: Services, abort: CallAbort): () => void {
  let isOver = false;
  ctx.res.on('close', () => {
    if (!isOver) abort.abort('left');
  });
  const stopWatchingKey = db.keys.watch(ctx.state.key.keyId, () => abort.abort('revoked'));
  const stopWatchingEnd = shutdown.onCut(() => abort.abort('shutdown'));
  return () => {
    isOver = true;
    stopWatchingKey();
    stopWatchingEnd();
  };
}

/** What the caller of a call that ended with `error` is shown: why it was ended, where it did not end by itself. */
export function shownError({ reason }: CallAbort, error: unknown): unknown {
  if (reason === 'shutdown') return overloaded(1000, 'the process ends');
  return reason === 'revoked' ? keyEnded() : error;
}
