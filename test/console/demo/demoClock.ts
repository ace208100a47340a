import { join } from 'node:path';
import '../../support/ormClock.ts';
import { ownDatabaseClock, ownProcessClock, startStepped } from '../../support/ownClock.ts';

/**
 * Lets a demonstration take place at another time. This process, which runs the API, and the database can be set again later; the worker
 * stays at the first moment, and Temporal has the true time. To be called before anything else connects to the database.
 */
export async function startDemoClock(databaseUrl: string, moment: string) {
  const database = await ownDatabaseClock(databaseUrl);
  const own = ownProcessClock();

  async function set(next: string): Promise<void> {
    own.set(next);
    await database.set(`timestamptz '${next}'`);
  }

  async function close(): Promise<void> {
    own.end();
    await database.end();
  }

  const offsetMs = Date.parse(moment) - Date.now();
  await set(moment);
  const stepped = startStepped([offsetMs]);
  const ormClock = join(import.meta.dirname, '..', '..', 'support', 'ormClock.ts');
  return {
    set,
    close,
    workerEnv: { ...stepped, NODE_OPTIONS: `${stepped.NODE_OPTIONS} --import=${ormClock}` },
  };
}
