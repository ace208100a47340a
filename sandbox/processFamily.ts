import { readdirSync, readFileSync } from 'node:fs';

/** A process and its descendants. Only the process itself where there is no /proc. */
export const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(familyOf)];

// A child is listed under the thread that started it.
function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'));
    return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  } catch {
    // It ended in between.
    return [];
  }
}
