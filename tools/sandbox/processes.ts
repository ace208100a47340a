import { readdirSync, readFileSync } from 'node:fs';

/** A process and its descendants. Without /proc only the process itself. */
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

const PERIOD_MS = 100;
const PAGE_BYTES = 4_096;

/**
 * Calls `onExcess` once when a process and its descendants together use more memory than allowed, which no per-process limit covers. Does
 * nothing without /proc.
 */
export function watchMemory(pid: number, limitBytes: number, onExcess: () => void): { stop: () => void } {
  const timer = setInterval(() => {
    const family = familyOf(pid);
    // Exact figures make the kernel walk through all pages; the quick ones count shared pages several times.
    if (sum(family, residentBytes) <= limitBytes || sum(family, proportionalBytes) <= limitBytes) return;
    clearInterval(timer);
    onExcess();
  }, PERIOD_MS);
  return { stop: () => clearInterval(timer) };
}

const sum = (family: number[], bytesOf: (pid: number) => number) =>
  family.reduce((total, pid) => total + bytesOf(pid), 0);

const residentBytes = (pid: number) => Number(read(`${pid}/statm`).split(' ')[1] ?? 0) * PAGE_BYTES;

/** Proportional set size: each page divided by the processes that share it, if the worker may read that. */
function proportionalBytes(pid: number): number {
  const [, kib] = /^Pss:\s+(\d+) kB$/m.exec(read(`${pid}/smaps_rollup`)) ?? [];
  return kib ? Number(kib) * 1_024 : residentBytes(pid);
}

function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
