/** The database's clock as this process knows it. */
export type DatabaseClock = ReturnType<typeof createDatabaseClock>;

/** SQL: the database's clock now, in milliseconds since 1970, as a double. */
export const CLOCK_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/**
 * Translates moments of `performance.now()` into the database's time. Never later than the truth: an answer arrives after the database
 * has read its clock. The process's own wall clock plays no part.
 */
export function createDatabaseClock() {
  let offsetMs = -Infinity;
  return {
    /** To be called as soon as an answer with the database's time arrives. */
    learn: (databaseMs: number): void => void (offsetMs = databaseMs - performance.now()),
    /** The database's time at `localMs`, in milliseconds since 1970; infinite for a moment that never comes. */
    at: (localMs: number): number => (localMs === Infinity ? Infinity : localMs + offsetMs),
  };
}
