import { CancelledFailure } from '@temporalio/activity';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseDown } from '../../db/postgres/databaseDown.ts';
import type { Watch } from './watchActivity.ts';

const FIRST_DELAY_MS = 200;
const DELAY_MS_MAX = 5_000;

/**
 * Does `work` in the database, and again for as long as the database is away: it must be such that it may be repeated. Throws what it
 * throws otherwise, and `CancelledFailure` when the activity is stopped meanwhile.
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
