/** Paths of the stronger tiers' programs, read from the environment. */
export interface SandboxConfig {
  /** Bubblewrap and gVisor's runsc, when they are not on the search path. */
  bwrapPath: string | null;
  runscPath: string | null;
  searchPath: string;
}

/** Empty variables count as absent. */
export function readSandboxConfig(env: NodeJS.ProcessEnv = process.env): SandboxConfig {
  return {
    bwrapPath: env.SANDBOX_BWRAP || null,
    runscPath: env.SANDBOX_RUNSC || null,
    searchPath: env.PATH ?? '',
  };
}
