import type { CallAbort } from '../../providers/callAbort.ts';
import { keyEnded } from '../errors/keyErrors.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';

/** Ends a call at its upstream when its client leaves (`left`) or its key ends (`revoked`). Returns what ends the watching. */
export function watchCaller(ctx: Context, { db }: Services, abort: CallAbort): () => void {
  const leave = () => abort.abort('left');
  ctx.res.on('close', leave);
  const stopWatchingKey = db.keys.watch(ctx.state.key.keyId, () => abort.abort('revoked'));
  return () => {
    ctx.res.off('close', leave);
    stopWatchingKey();
  };
}

/** What the caller of a call that ended with `error` is shown: that its key has ended, where that ended the call. */
export function shownError({ reason }: CallAbort, error: unknown): unknown {
  return reason === 'revoked' ? keyEnded() : error;
}
