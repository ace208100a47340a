/** Limits of one call. Sizes in bytes, times in milliseconds. */
export interface Limits {
  cpuMs: number;
  wallMs: number;
  memoryBytes: number;
  processes: number;
  /** The program's output and its result, together. */
  outputBytes: number;
  /** The files given to the program and those it writes, together. */
  diskBytes: number;
}

const MIB = 1_048_576;

export const DEFAULT_LIMITS: Limits = {
  cpuMs: 10_000,
  wallMs: 30_000,
  memoryBytes: 256 * MIB,
  processes: 64,
  outputBytes: MIB,
  diskBytes: 16 * MIB,
};

const SLACK_BYTES = 64 * MIB;

/**
 * The kernel's memory limit of a whole jail: above the limit that the worker watches, which ends a program with its reason, while the
 * kernel may stall it first and kills any part of it.
 */
export const hardMemoryBytes = ({ memoryBytes }: Limits, overheadBytes: number): number =>
  memoryBytes + overheadBytes + SLACK_BYTES;
