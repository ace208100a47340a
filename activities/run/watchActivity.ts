import { setTimeout as sleep } from 'node:timers/promises';
import { CancelledFailure } from '@temporalio/activity';
import { isPassing } from '../../db/postgres/databaseErrors.ts';
import type { Called, Contact } from './contact.ts';

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

/** Why a step was stopped. */
type StopReason = Called | 'timeout';

export interface Watch {
  /** Aborted when the step has to stop. */
  signal: AbortSignal;
  stopReason(): StopReason | undefined;
  /** Stops it with the reason `timeout` after this time. */
  stopAfter(leftMs: number): void;
  /** The remaining time. */
  leftMs(): number;
  end(): void;
}

/** What a step of a run watches. */
interface Watching {
  contact: Contact;
  progress: () => object;
  mayStop?: (signal: AbortSignal) => Promise<void>;
}

/**
 * Watches over one step of an activity: its time, and what its contact says. `progress` is the heartbeats' payload. `mayStop` is awaited
 * before a cancellation stops the work.
 */
export function watchActivity({ contact, progress, mayStop = () => Promise.resolve() }: Watching): Watch {
  const abort = new AbortController();
  const ended = new AbortController();
  let reason: StopReason | undefined;
  let timer: NodeJS.Timeout | undefined;
  let endMs = Infinity;

  function stop(why: StopReason): void {
    reason ??= why;
    abort.abort(reason);
  }

  function cancel(): void {
    // If the wait itself fails, stop at once to be safe.
    mayStop(ended.signal).then(
      () => stop('cancelled'),
      () => stop('cancelled'),
    );
  }

  const unlisten = contact.onStop((why) => (why === 'cancelled' ? cancel() : stop(why)));
  contact.report(progress);
  return {
    signal: abort.signal,
    stopReason: () => reason,
    leftMs: () => endMs - performance.now(),
    stopAfter: (leftMs) => {
      endMs = performance.now() + leftMs;
      timer = setTimeout(() => stop('timeout'), Math.max(0, leftMs));
    },
    end: () => {
      clearTimeout(timer);
      ended.abort();
      unlisten();
    },
  };
}

const FIRST_DELAY_MS = 200;
const DELAY_MS_MAX = 5_000;

/**
 * Runs `work` and retries it while the database is down or too busy, so it must be idempotent. Throws its other errors, and
 * `CancelledFailure` when the activity is stopped while it waits.
 */
export async function retryWhileDatabaseDown<T>(watch: Watch, work: () => Promise<T>): Promise<T> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, DELAY_MS_MAX)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    await sleep(delayMs, undefined, { signal: watch.signal }).catch(() => {
      throw new CancelledFailure('Stopped while the database was away.');
    });
  }
}
