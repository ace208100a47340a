import { OpenList, type Listed } from '../../base/openList.ts';

/** Aborted calls settle and send their end within this time; then connections are closed. */
export const CUT_LIMIT_MS = 5_000;
// After this time the process exits anyway: its lease expires, and the sweep ends its calls.
const CLOSE_LIMIT_MS = 2_000;

/** Time limit of a drain; then the process exits anyway. */
export const drainLimitMs = ({ noticeMs, graceMs }: { noticeMs: number; graceMs: number }): number =>
  noticeMs + graceMs + CUT_LIMIT_MS + CLOSE_LIMIT_MS;

export type Shutdown = ReturnType<typeof createShutdown>;

/** How to abort one running call. */
interface Cut extends Listed {
  cut: () => void;
}

/**
 * Shutdown of a process: `running` -> `draining` (accepts no new work, running work may end) -> `ending` (running work is aborted).
 * Handlers register how to abort their work.
 */
export function createShutdown() {
  let state: 'running' | 'draining' | 'ending' = 'running';
  let running = 0;
  let onIdle: (() => void) | undefined;
  const begins = new Set<() => void>();
  const cuts = new OpenList<Cut>();

  return {
    /** Whether this process is shutting down, so callers should use another process. */
    hasBegun: (): boolean => state !== 'running',
    begin(): void {
      if (state !== 'running') return;
      state = 'draining';
      for (const begin of begins) begin();
    },
    /** Calls `begin` when the shutdown begins. Returns a function that cancels this. */
    onBegin(begin: () => void): () => void {
      if (state !== 'running') begin();
      begins.add(begin);
      return () => void begins.delete(begin);
    },
    /** Aborts running work, and all work that starts later. */
    cut(): void {
      state = 'ending';
      for (const { cut } of cuts) cut();
    },
    /** Calls `cut` when the time for running calls is over. Returns a function that cancels this. */
    onCut(cut: () => void): () => void {
      if (state === 'ending') cut();
      const one: Cut = { cut };
      cuts.add(one);
      return () => void cuts.delete(one);
    },
    enter: (): void => void (running += 1),
    leave(): void {
      running -= 1;
      if (running === 0) onIdle?.();
    },
    /** Resolves when no handler is running: a disconnect does not end its handler. */
    idle: (): Promise<void> => (running === 0 ? Promise.resolve() : new Promise((resolve) => (onIdle = resolve))),
  };
}
