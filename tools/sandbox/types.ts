export type SandboxTier = 'gvisor' | 'bwrap' | 'quickjs';
export type Language = 'javascript' | 'python';

/** A file of a program, by its path inside the work folder. */
export interface ProgramFile {
  path: string;
  bytes: Uint8Array;
}

export interface Program {
  language: Language;
  code: string;
  files: ProgramFile[];
  /** How long it may run, if less than the sandbox allows. */
  wallMs?: number;
}

export type Ending = 'ok' | 'error' | 'timed_out' | 'out_of_memory' | 'output_limit' | 'cancelled' | 'disk_limit';

/** How a program ended. Its own failure is an outcome; only the sandbox's failure throws. */
export interface Outcome {
  ending: Ending;
  /** Its output, up to the limit. */
  stdout: string;
  /** Its error output, its uncaught exception, and the sandbox's message if that ended it. */
  stderr: string;
  /** The value of the last expression as JSON text. JavaScript only; null if there is none. */
  result: string | null;
  /** The files that the program wrote or changed. Empty when it was ended from outside. */
  files: ProgramFile[];
  /** From sending the program until its end, by the worker's monotonic clock. */
  durationMs: number;
}

export interface Sandbox {
  tier: SandboxTier;
  languages: Language[];
  /** The isolation between a program and the host, for logs. */
  description: string;
  /** Runs a program. An abort ends it at once, with everything it started. Throws `SandboxError` when it could not be run. */
  run(program: Program, signal: AbortSignal): Promise<Outcome>;
  /** Ends the process that is kept ready for the next program. */
  close(): Promise<void>;
}

/** The sandbox failed, not its program. */
export class SandboxError extends Error {
  override name = 'SandboxError';
}

/** How a tier starts a child that speaks the frame protocol. */
export interface Launch {
  command: string[];
  /** The content of the child's file descriptor 3. */
  fd3?: Buffer | null;
  /** The child's user and group, if the worker is root and may choose. */
  userId?: number;
  /** Called when the child waits for its program: applies limits to everything that the program will start. */
  adopt?: (pid: number) => void;
  /** Removes the files that this child's start left on the host. */
  cleanUp?: () => Promise<void>;
}

export interface Tier {
  name: SandboxTier;
  languages: Language[];
  description: string;
  /** The tier's memory besides the program's. */
  overheadBytes: number;
  prepare: () => Promise<Launch>;
}
