const MINUTE_MS = 60_000;

/**
 * Counts starts by name, each minute anew, in this process. Returns whether one more is among the first `perMinute` of its name. `now` is a
 * clock in milliseconds.
 */
export function createStartPace(perMinute: number, now: () => number = () => performance.now()) {
  const counts = new Map<string, number>();
  let endMs = 0;
  return (name: string): boolean => {
    if (now() >= endMs) {
      counts.clear();
      endMs = now() + MINUTE_MS;
    }
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= perMinute;
  };
}
