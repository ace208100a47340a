const TICK_MS = 10;

/**
 * Tells how many milliseconds have passed as this process lives them, to about ten: the clock stands still while the process does not get
 * to run. A promise of speed can be held by it on a machine that is busy with other things.
 */
export function startOwnClock(): () => number {
  let ticks = 0;
  setInterval(() => (ticks += 1), TICK_MS).unref();
  return () => ticks * TICK_MS;
}
