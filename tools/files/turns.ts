/** Runs work when a place is free. Throws the signal's reason when that is aborted while the work waits. */
export type InTurn = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Runs this many at a time. The others wait in order of arrival. */
export function createTurns(countMax: number): InTurn {
  const waiting = new Set<() => void>();
  let free = countMax;

  function turn(signal: AbortSignal): Promise<void> {
    if (free > 0) {
      free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(begin);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave);
      waiting.add(begin);
    });
  }

  function pass(): void {
    const [next] = waiting;
    if (!next) return void free++;
    waiting.delete(next);
    next();
  }

  return async (work, signal) => {
    signal.throwIfAborted();
    await turn(signal);
    try {
      return await work();
    } finally {
      pass();
    }
  };
}
