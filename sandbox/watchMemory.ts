import { readdirSync, readFileSync } from 'node:fs';

const PERIOD_MS = 100;
const PAGE_BYTES = 4_096;

/**
 * Calls `onExcess` once when a process and its descendants hold more memory than allowed. The wall for machines without control
 * groups, and where those are, a second one. Does nothing where there is no /proc.
 */
export function watchMemory(pid: number, limitBytes: number, onExcess: () => void): { stop: () => void } {
  const timer = setInterval(() => {
    if (residentBytes(pid) <= limitBytes) return;
    clearInterval(timer);
    onExcess();
  }, PERIOD_MS);
  return { stop: () => clearInterval(timer) };
}

function residentBytes(pid: number): number {
  const residentPages = Number(read(`${pid}/statm`).split(' ')[1] ?? 0);
  return childrenOf(pid).reduce((sum, child) => sum + residentBytes(child), residentPages * PAGE_BYTES);
}

// A child is listed under the thread that started it.
const childrenOf = (pid: number): number[] =>
  threadsOf(pid).flatMap((thread) => read(`${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number));

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
