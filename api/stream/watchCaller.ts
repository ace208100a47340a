import type { CallAbort } from '../../providers/callAbort.ts';
import { keyEnded } from '../errors/keyErrors.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';

/**
 * Ends a call at its upstream when its client leaves (`left`) or its key ends (`revoked`). Returns what ends the watching. The answer keeps
 * its listener, which then does nothing: with it taken off, two of three processes under load from their start came to keep whole requests
 * until a large garbage collection, and served a third less.
 */
export function watchCaller(ctx: Context, { db }: Services, abort: CallAbort): () => void {
  let isOver = false;
  ctx.res.on('close', () => {
    if (!isOver) abort.abort('left');
  });
  const stopWatchingKey = db.keys.watch(ctx.state.key.keyId, () => abort.abort('revoked'));
  return () => {
    isOver = true;
    stopWatchingKey();
  };
}

/** What the caller of a call that ended with `error` is shown: that its key has ended, where that ended the call. */
export function shownError({ reason }: CallAbort, error: unknown): unknown {
  return reason === 'revoked' ? keyEnded() : error;
}
