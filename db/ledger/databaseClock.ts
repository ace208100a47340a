/** The database's clock as estimated by this process. */
export type DatabaseClock = ReturnType<typeof createDatabaseClock>;

/** SQL: the database's clock now, in milliseconds since 1970, as a double. */
export const CLOCK_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/**
 * Converts `performance.now()` to the database's time. Never ahead of it, because an answer arrives after the database has read its
 * clock. The process's wall clock is not used.
 */
export function createDatabaseClock() {
  let offsetMs = -Infinity;
  return {
    /** Call it as soon as an answer with the database's time arrives. */
    learn: (databaseMs: number): void => void (offsetMs = databaseMs - performance.now()),
    /** The database's time at `localMs`, in milliseconds since 1970; infinite for an infinite `localMs`. */
    at: (localMs: number): number => (localMs === Infinity ? Infinity : localMs + offsetMs),
  };
}
