import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Files that a process stores on disk for the duration of a call: audio, large request bodies, sandbox files, and billed answers not yet
 * sent.
 */
export type TemporaryKind = 'sandbox' | 'ledgerline-sound' | 'ledgerline-bodies' | 'ledgerline-answers';

// A container's process has the same id after each restart: only the start time differs.
const startedAtMs = Math.floor(performance.timeOrigin);

/** The name prefix of this process's temporary files, which identifies the process. */
export const namePrefix = (kind: TemporaryKind): string => `${kind}-${process.pid}-${startedAtMs}-`;

/** Creates a temporary folder of this process; resolves with its path. */
export const makeTemporaryFolder = (kind: TemporaryKind): Promise<string> => mkdtemp(join(tmpdir(), namePrefix(kind)));

/** Removes the temporary folders of processes that no longer run. */
export async function removeStaleTempFiles(kind: TemporaryKind): Promise<void> {
  await Promise.all(staleTempFiles(tmpdir(), kind).map((path) => rm(path, { recursive: true, force: true })));
}

/** The paths in a folder that belong to ended processes, such as killed ones. */
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
