import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What a process keeps outside of itself for the length of a call: sound, bodies of requests that are too large for memory, what sandboxes need
 * of the host, and which answers are billed and not sent.
 */
export type TemporaryKind = 'sandbox' | 'ledgerline-sound' | 'ledgerline-bodies' | 'ledgerline-answers';

// A container's process has the same id after each restart: the time of its start tells it from the one before.
const startedAtMs = Math.floor(performance.timeOrigin);

/** How the names begin of what this process keeps while calls run: they tell whose it is. */
export const namePrefix = (kind: TemporaryKind): string => `${kind}-${process.pid}-${startedAtMs}-`;

/** Makes a folder of this process's own among the system's temporary files; resolves with its path. */
export const makeTemporaryFolder = (kind: TemporaryKind): Promise<string> => mkdtemp(join(tmpdir(), namePrefix(kind)));

/** Removes the temporary folders that processes left which are gone: nobody else ever would. */
export async function removeStaleTempFiles(kind: TemporaryKind): Promise<void> {
  await Promise.all(staleTempFiles(tmpdir(), kind).map((path) => rm(path, { recursive: true, force: true })));
}

/** The paths in a folder that processes left which are gone: who is killed can't tidy up. */
export function staleTempFiles(folder: string, kind: TemporaryKind): string[] {
  const pattern = new RegExp(`^${kind}-(\\d+)-(\\d+)-`);
  return readdirSync(folder)
    .filter((name) => {
      const [, pid, startedMs] = pattern.exec(name) ?? [];
      return pid !== undefined && !isAlive(Number(pid), Number(startedMs));
    })
    .map((name) => join(folder, name));
}

function isAlive(pid: number, startedMs: number): boolean {
  if (pid === process.pid) return startedMs === startedAtMs;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
