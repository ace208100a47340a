export type Shutdown = ReturnType<typeof createShutdown>;

/**
 * The end of a process: `running` -> `draining` (takes no new work, what runs may end) -> `ending` (what still runs is cut). Handlers
 * register what cuts them.
 */
export function createShutdown() {
  let state: 'running' | 'draining' | 'ending' = 'running';
  let running = 0;
  let onIdle: (() => void) | undefined;
  const cuts = new Set<() => void>();

  return {
    /** Whether this process is about to end: callers should go to another one. */
    hasBegun: (): boolean => state !== 'running',
    begin(): void {
      if (state === 'running') state = 'draining';
    },
    /** Cuts what still runs, and whatever starts from now on. */
    cut(): void {
      state = 'ending';
      for (const cut of cuts) cut();
    },
    /** Calls `cut` when the time for running calls is over. Returns what takes it back. */
    onCut(cut: () => void): () => void {
      if (state === 'ending') cut();
      cuts.add(cut);
      return () => void cuts.delete(cut);
    },
    enter: (): void => void (running += 1),
    leave(): void {
      running -= 1;
      if (running === 0) onIdle?.();
    },
    /** Resolves when no handler runs any more: a client that left does not end its handler. */
    idle: (): Promise<void> => (running === 0 ? Promise.resolve() : new Promise((resolve) => (onIdle = resolve))),
  };
}
