export type Shutdown = ReturnType<typeof createShutdown>;

/**
 * Shutdown of a process: `running` -> `draining` (accepts no new work, running work may end) -> `ending` (running work is cut off).
 * Handlers register how to cut them off.
 */
export function createShutdown() {
  let state: 'running' | 'draining' | 'ending' = 'running';
  let running = 0;
  let onIdle: (() => void) | undefined;
  const cuts = new Set<() => void>();

  return {
    /** Whether this process shuts down: callers should use another one. */
    hasBegun: (): boolean => state !== 'running',
    begin(): void {
      if (state === 'running') state = 'draining';
    },
    /** Cuts off running work, and any that starts from now on. */
    cut(): void {
      state = 'ending';
      for (const cut of cuts) cut();
    },
    /** Calls `cut` when the time for running calls is over. Returns how to cancel that. */
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
    /** Resolves when no handler runs any more: a disconnect does not end its handler. */
    idle: (): Promise<void> => (running === 0 ? Promise.resolve() : new Promise((resolve) => (onIdle = resolve))),
  };
}
