import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'ledgerline-test-';
/** All databases of a run need a fifth of this at once. */
const ROOM_BYTES = 3 * 1024 ** 3;

/**
 * A folder for the data of the tests' PostgreSQL: in memory where there is room, because a database there is made in a tenth of the time.
 * First removes those of killed runs, whose servers end without them.
 */
export async function makeClusterFolder(): Promise<string> {
  const parent = (await hasRoom()) ? MEMORY : tmpdir();
  const stale = readdirSync(parent).filter((name) => name.startsWith(PREFIX) && !isAlive(pidOf(name)));
  await Promise.all(stale.map((name) => rm(join(parent, name), { recursive: true, force: true })));
  return mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
}

async function hasRoom(): Promise<boolean> {
  if (!existsSync(MEMORY) || process.availableMemory() < ROOM_BYTES) return false;
  const { bavail, bsize } = await statfs(MEMORY);
  return bavail * bsize >= ROOM_BYTES;
}

const pidOf = (name: string) => Number(name.slice(PREFIX.length).split('-')[0]);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
