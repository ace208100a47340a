import type { CallAbort } from '../providers/callAbort.ts';
import type { Hold } from '../db/ledger/ledger.ts';
import { keyEnded } from '../base/errors/keyErrors.ts';
import { overloaded } from '../base/errors/serviceErrors.ts';
import type { Caller } from './caller.ts';
import type { CallServices } from './services.ts';

/**
 * Aborts a call when its client disconnects (`left`), its key ends (`revoked`), this process shuts down and its grace period is over
 * (`shutdown`), or its hold is lost (`unheld`), which happens to a process that was paused for longer than its lease. Returns a function
 * that stops watching.
 */
export function watchCaller(caller: Caller, { db, shutdown }: CallServices, abort: CallAbort, hold?: Hold): () => void {
  let isOver = false;
  caller.onLeave(() => {
    if (!isOver) abort.abort('left');
  });
  // Not assigned as it is written: V8 puts a function that is assigned to a property into the old generation at once, and what it refers to
  // follows.
  const onLost = () => abort.abort('unheld');
  if (hold) hold.onLost = onLost;
  const stopWatchingKey = db.keys.watch(caller.key.keyId, () => abort.abort('revoked'));
  const stopWatchingEnd = shutdown.onCut(() => abort.abort('shutdown'));
  return () => {
    isOver = true;
    stopWatchingKey();
    stopWatchingEnd();
    // The hold lives until its bill is posted: it must not keep this call's abort, and with it the request, in memory for that long.
    if (hold) hold.onLost = undefined;
  };
}

/** The caller's error for an aborted call; `error` when the call failed by itself. */
export function shownError({ reason }: CallAbort, error: unknown): unknown {
  if (reason === 'shutdown') return overloaded(1000, 'the process ends');
  if (reason === 'unheld') return overloaded();
  return reason === 'revoked' ? keyEnded() : error;
}
