const DEFAULT_SECONDS = 2;
// When everything on a machine starts at once a connection takes longer, and no answer waits for it yet.
const START_SECONDS = 20;

/**
 * How long opening a connection may take, in milliseconds: what an address says by libpq's `connect_timeout`, in seconds. Without it two
 * seconds: callers are not kept waiting for a database that has gone.
 */
export function connectTimeoutMsOf(url: string): number {
  return (secondsIn(url) ?? DEFAULT_SECONDS) * 1_000;
}

/** The same for the first connections of a process. */
export function startTimeoutMsOf(url: string): number {
  return (secondsIn(url) ?? START_SECONDS) * 1_000;
}

function secondsIn(url: string): number | undefined {
  const seconds = Number(new URL(url).searchParams.get('connect_timeout'));
  return seconds > 0 ? seconds : undefined;
}
