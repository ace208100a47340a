/**
 * Limits concurrent work by key: at most `atOnce` of one key run at a time, the others wait in order. So one busy account takes only that
 * many connections from all others.
 */
export function createTurns(atOnce: number) {
  const going = new Map<string, { running: number; waiting: (() => void)[] }>();

  /** Runs `work` when a place of this key is free. Resolves or rejects as `work` does. */
  return async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turns = going.get(key) ?? { running: 0, waiting: [] };
    going.set(key, turns);
    // A finished call hands its place on, so the count stays the same.
    if (turns.running >= atOnce) await new Promise<void>((resolve) => turns.waiting.push(resolve));
    else turns.running += 1;
    try {
      return await work();
    } finally {
      const next = turns.waiting.shift();
      if (next) next();
      else {
        turns.running -= 1;
        if (turns.running === 0) going.delete(key);
      }
    }
  };
}
