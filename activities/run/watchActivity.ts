import { setTimeout as sleep } from 'node:timers/promises';
import { Context, CancelledFailure } from '@temporalio/activity';
import type { Notices } from '../../db/postgres/notices.ts';
import { isDatabaseDown } from '../../db/postgres/databaseErrors.ts';

/** Another worker has taken over the activity: this attempt must store nothing. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('this worker no longer carries the step');
  }
}

/** How the work of a stopped activity ended. Throws `LeaseLost` when another worker continues it. */
export function stopOutcomeOf(watch: Pick<Watch, 'stopReason'>): 'timeout' | 'stopped' {
  const reason = watch.stopReason();
  if (reason === 'lost') throw new LeaseLost();
  return reason === 'timeout' ? 'timeout' : 'stopped';
}

// On Temporal Cloud each heartbeat is an action: cancellations are noticed by other means, and through its answer at the latest.
const HEARTBEAT_MS = 2_500;

/** Why an activity was stopped. `lost`: this worker shuts down, or the server has reassigned the activity to another worker. */
type StopReason = 'cancelled' | 'timeout' | 'lost';

export interface Watch {
  /** Aborted when the activity has to stop. */
  signal: AbortSignal;
  stopReason(): StopReason | undefined;
  /** Stops it with the reason `timeout` after this time. */
  stopAfter(leftMs: number): void;
  /** The remaining time. */
  leftMs(): number;
  /** Ends the heartbeats. */
  end(): void;
}

/** What an activity of a run watches. */
interface Watching {
  runId: string;
  notices: Pick<Notices, 'listen'>;
  progress: () => object;
  mayStop?: (signal: AbortSignal) => Promise<void>;
}

/**
 * Sends heartbeats and handles their answers, and notices of the run's cancellation, which come sooner. `progress` is the heartbeat's
 * payload. `mayStop` is awaited before a cancellation stops the work.
 */
export function watchActivity({ runId, notices, progress, mayStop = () => Promise.resolve() }: Watching): Watch {
  const context = Context.current();
  const abort = new AbortController();
  const ended = new AbortController();
  let reason: StopReason | undefined;
  let timer: NodeJS.Timeout | undefined;
  let endMs = Infinity;

  function stop(why: StopReason): void {
    reason ??= why;
    abort.abort(reason);
  }

  const onCancel = (): void => (context.cancellationDetails?.cancelRequested ? cancel() : stop('lost'));

  function cancel(): void {
    // If the wait itself fails, stop at once to be safe.
    mayStop(ended.signal).then(
      () => stop('cancelled'),
      () => stop('cancelled'),
    );
  }

  if (context.cancellationSignal.aborted) onCancel();
  else context.cancellationSignal.addEventListener('abort', onCancel, { once: true });
  const unlisten = notices.listen((notice) => {
    if (notice.kind === 'run-cancelled' && notice.runId === runId) cancel();
  });
  const beat = setInterval(() => context.heartbeat(progress()), HEARTBEAT_MS);
  return {
    signal: abort.signal,
    stopReason: () => reason,
    leftMs: () => endMs - performance.now(),
    stopAfter: (leftMs) => {
      endMs = performance.now() + leftMs;
      timer = setTimeout(() => stop('timeout'), Math.max(0, leftMs));
    },
    end: () => {
      clearInterval(beat);
      clearTimeout(timer);
      ended.abort();
      unlisten();
      context.cancellationSignal.removeEventListener('abort', onCancel);
    },
  };
}

const FIRST_DELAY_MS = 200;
const DELAY_MS_MAX = 5_000;

/**
 * Runs `work` and retries it while the database is down, so it must be idempotent. Throws its other errors, and `CancelledFailure` when the
 * activity is stopped while it waits.
 */
export async function retryWhileDatabaseDown<T>(watch: Watch, work: () => Promise<T>): Promise<T> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, DELAY_MS_MAX)) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseDown(error)) throw error;
    }
    await sleep(delayMs, undefined, { signal: watch.signal }).catch(() => {
      throw new CancelledFailure('Stopped while the database was away.');
    });
  }
}
