import { readdirSync, readFileSync } from 'node:fs';

// USER_HZ: the unit of /proc's processor times, 100 a second on every Linux that Node runs on.
const TICKS_PER_SECOND = 100;
export const MICROS_PER_TICK = 1e6 / TICKS_PER_SECOND;

/** Processor time that a process has used since its start: all threads, user and system, in microseconds. */
export function cpuMicrosOf(pid: number): number {
  return timesIn(readFileSync(`/proc/${pid}/stat`, 'utf8')).ownMicros;
}

/**
 * Processor time of a process and of everything it started: living children count with theirs, ended ones with what their parent was told.
 * A process that ends while this reads may be missed.
 */
export function treeMicrosOf(pid: number): number {
  try {
    const { ownMicros, endedMicros, threads } = timesIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    // Linux counts the time of a thread in nanoseconds, and that of a process with threads only in ticks.
    const exactMicros = threads === 1 ? threadMicrosOf(pid) : ownMicros;
    return exactMicros + endedMicros + childrenOf(pid).reduce((sum, child) => sum + treeMicrosOf(child), 0);
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}

interface Times {
  ownMicros: number;
  /** Of children that have ended, and of theirs. */
  endedMicros: number;
  threads: number;
}

/** The times in a line of `/proc/PID/stat`. */
export function timesIn(line: string): Times {
  // The program's name is in brackets and may contain anything, so fields are counted after it.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return {
    ownMicros: (fields[11]! + fields[12]!) * MICROS_PER_TICK,
    endedMicros: (fields[13]! + fields[14]!) * MICROS_PER_TICK,
    threads: fields[17]!,
  };
}

const threadMicrosOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000;

// Each thread has its own list of the children that it started.
function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

const isGone = (error: unknown): boolean => ['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code));
