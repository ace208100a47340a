const DEFAULT_SECONDS = 2;

/**
 * How long opening a connection may take, in milliseconds: what an address says by libpq's `connect_timeout`, in seconds. Without it two
 * seconds: callers are not kept waiting for a database that has gone.
 */
export function connectTimeoutMsOf(url: string): number {
  const seconds = Number(new URL(url).searchParams.get('connect_timeout'));
  return (seconds > 0 ? seconds : DEFAULT_SECONDS) * 1_000;
}
