import { CancelledFailure } from '@temporalio/activity';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseDown } from '../../db/postgres/databaseErrors.ts';
import type { Watch } from './watchActivity.ts';

const FIRST_DELAY_MS = 200;
const DELAY_MS_MAX = 5_000;

/**
 * Runs `work` and retries it while the database is down, so it must be idempotent. Throws its other errors, and `CancelledFailure` when
 * the activity is stopped while it waits.
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
