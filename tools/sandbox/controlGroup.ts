import { accessSync, constants, mkdirSync, readdirSync, readFileSync, writeFileSync, type Dirent } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { staleTempFiles } from '../../base/temporaryFiles.ts';
import { familyOf } from './processes.ts';

const ROOT = '/sys/fs/cgroup';
const REMOVE_TRIES = 50;
const REMOVE_PAUSE_MS = 20;

/** A control group (cgroup) for one child and its descendants. */
export interface ControlGroup {
  /** Moves a process with its descendants into the group, before they start any program. */
  adopt: (pid: number) => void;
  /** Removes the group; its processes must have ended. */
  remove: () => Promise<void>;
}

/** Whether this process may create control groups: it is root, and no container forbids it. */
export const hasControlGroups = (): boolean => foldersFor('probe') !== null;

/** Creates a group that limits memory and processes, in either version of the kernel's interface; null if not allowed. */
export function makeControlGroup(
  name: string,
  { memoryBytes, processes }: { memoryBytes: number; processes: number },
): ControlGroup | null {
  const folders = foldersFor(name);
  if (!folders) return null;
  const memory = String(memoryBytes);
  for (const folder of new Set(Object.values(folders.of))) mkdirSync(folder);
  writeFileSync(join(folders.of.pids, 'pids.max'), String(processes));
  writeFileSync(join(folders.of.memory, folders.isSecondVersion ? 'memory.max' : 'memory.limit_in_bytes'), memory);
  if (folders.isSecondVersion) writeFileSync(join(folders.of.memory, 'memory.oom.group'), '1');
  const all = [...new Set(Object.values(folders.of))];
  return {
    adopt: (pid) => {
      for (const member of familyOf(pid))
        for (const folder of all) writeFileSync(join(folder, 'cgroup.procs'), String(member));
    },
    remove: async () => {
      await Promise.all(all.map(removeFolder));
    },
  };
}

/** Removes the groups of killed workers. */
export async function sweepControlGroups(): Promise<void> {
  if (!hasControlGroups()) return;
  const hierarchies = [ROOT, ...readdirSync(ROOT, { withFileTypes: true }).filter(isFolder).map(pathIn(ROOT))];
  await Promise.all(hierarchies.flatMap((folder) => staleTempFiles(folder, 'sandbox')).map(removeFolder));
}

const isFolder = (entry: Dirent) => entry.isDirectory();
const pathIn = (folder: string) => (entry: Dirent) => join(folder, entry.name);

function foldersFor(name: string): { isSecondVersion: boolean; of: { memory: string; pids: string } } | null {
  try {
    if (isWritable(join(ROOT, 'memory')) && isWritable(join(ROOT, 'pids'))) {
      return { isSecondVersion: false, of: { memory: join(ROOT, 'memory', name), pids: join(ROOT, 'pids', name) } };
    }
    const enabled = readFileSync(join(ROOT, 'cgroup.subtree_control'), 'utf8').split(/\s/);
    const isUsable = enabled.includes('memory') && enabled.includes('pids') && isWritable(ROOT);
    return isUsable ? { isSecondVersion: true, of: { memory: join(ROOT, name), pids: join(ROOT, name) } } : null;
  } catch {
    return null;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

// The kernel counts a process in its group for a moment after its end.
async function removeFolder(folder: string): Promise<void> {
  for (let tries = 0; tries < REMOVE_TRIES; tries++) {
    const isRemoved = await rmdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'EBUSY',
    );
    if (isRemoved) return;
    await sleep(REMOVE_PAUSE_MS);
  }
}
