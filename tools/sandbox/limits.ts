/** Limits of one call. Sizes in bytes, times in milliseconds. */
export interface Limits {
  cpuMs: number;
  wallMs: number;
  memoryBytes: number;
  processes: number;
  /** The program's output and its result, together. */
  outputBytes: number;
  /** The program's input files and written files, together. */
  diskBytes: number;
}

const MIB = 1_048_576;

/** The user `nobody` and its group: programs never run as root. */
export const NOBODY_ID = 65_534;

const SLACK_BYTES = 64 * MIB;

/**
 * The kernel's memory limit of a whole jail: above the limit that the worker watches, which ends a program with its reason, while the
 * kernel may stall it first and kills any part of it.
 */
export const hardMemoryBytes = ({ memoryBytes }: Limits, overheadBytes: number): number =>
  memoryBytes + overheadBytes + SLACK_BYTES;

const CPU_GRACE_S = 2;
const OPEN_FILES_MAX = 256;

/**
 * A command under per-process kernel limits: CPU time (first SIGXCPU, then SIGKILL), open files, no core dumps. In a jail also the number
 * of processes, which the kernel counts by user: outside it would count those of other calls. `sh` sets them, because it is on every
 * system. Memory is not limited here: V8 reserves far more than it uses, and would not start.
 */
export function withLimits(
  { cpuMs, processes }: Limits,
  { isJailed }: { isJailed: boolean },
  command: string[],
): string[] {
  const cpuS = Math.ceil(cpuMs / 1_000);
  const script = [
    `ulimit -S -t ${cpuS}`,
    `ulimit -H -t ${cpuS + CPU_GRACE_S}`,
    `ulimit -n ${OPEN_FILES_MAX}`,
    'ulimit -c 0',
    // The option's letter differs between shells.
    ...(isJailed ? [`{ ulimit -u ${processes} || ulimit -p ${processes}; } 2>/dev/null`] : []),
    'exec "$@"',
  ];
  return ['/bin/sh', '-c', script.join(' && '), 'sh', ...command];
}
