/** Timeouts of upstream calls, read from the environment once, the same for every process. */
export interface UpstreamConfig {
  /** The longest silence within a stream. */
  idleTimeoutMs: number;
  /** The longest wait for a whole answer: as long as the official clients wait. */
  answerTimeoutMs: number;
  connectionsMax: number;
}

/** @throws Error that names the variable with an invalid value. */
export function readUpstreamConfig(env: NodeJS.ProcessEnv = process.env): UpstreamConfig {
  return {
    idleTimeoutMs: integer(env, 'UPSTREAM_IDLE_TIMEOUT_MS', { fallback: 60_000, min: 100, max: 600_000 }),
    answerTimeoutMs: integer(env, 'UPSTREAM_ANSWER_TIMEOUT_MS', { fallback: 600_000, min: 100, max: 3_600_000 }),
    connectionsMax: integer(env, 'UPSTREAM_CONNECTIONS_MAX', { fallback: 256, min: 1, max: 10_000 }),
  };
}

/** A whole number from the environment, or the fallback where none is set. Throws a sentence that names the variable. */
export function integer(
  env: NodeJS.ProcessEnv,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = env[name];
  if (!text) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  }
  return value;
}

/** This process's environment for a child, with some variables set differently. */
export function environmentWith(changes: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}
