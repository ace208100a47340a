import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Cores of a run: the measured server is alone on one, everything else (load, upstream, PostgreSQL) on the other. */
export const SERVER_CORE = 0;
export const OTHER_CORE = 1;

/** How many cores there are for all of it. */
export const coreCount = availableParallelism();

/** Whether processes can be bound to cores here. */
export const canPin = coreCount > 1 && hasTaskset();

/** What to put before a command so that it runs on a core. */
export function onCore(core: number): string[] {
  return canPin ? ['taskset', '-c', String(core)] : [];
}

/** Binds a running process, its threads and its children to a core; what they start later stays there too. */
export function pinTree(pid: number, core: number): void {
  if (!canPin) return;
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    for (const child of children.filter(Boolean)) pinTree(Number(child), core);
  } catch (error) {
    // PostgreSQL's workers come and go: one that has ended needs no core.
    if (existsSync(`/proc/${pid}`)) throw error;
  }
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
