import { setTimeout as sleep } from 'node:timers/promises';

/** A running part: it may end by itself, or be stopped. */
export type Running = { exited: Promise<string>; stop(): Promise<void> };

export type Part<R extends Running = Running> = {
  name: string;
  /** Resolves when the part is up. Gives up, and cleans up, when the signal aborts. */
  start(signal: AbortSignal): Promise<R>;
};

export type Supervised<R extends Running = Running> = {
  /** Resolves when the part is up for the first time. */
  up: Promise<R>;
  /** The first failure to start, if any. */
  failed: Promise<Error>;
  stop(): Promise<void>;
};

export type Delays = { firstMs: number; maxMs: number; steadyAfterMs: number };

export const USUAL_DELAYS: Delays = { firstMs: 500, maxMs: 30_000, steadyAfterMs: 60_000 };

/** Shorter delays for development. */
export const WATCHED_DELAYS: Delays = { firstMs: 100, maxMs: 2_000, steadyAfterMs: 10_000 };

/**
 * Keeps a part running: restarts it whenever it ends or fails to start, after a delay that doubles while it keeps failing.
 */
export function supervise<R extends Running>(
  part: Part<R>,
  report: (text: string) => void,
  delays: Delays,
): Supervised<R> {
  const stopping = new AbortController();
  const up = Promise.withResolvers<R>();
  const failed = Promise.withResolvers<Error>();
  let hasBeenUp = false;
  const onUp = (running: R): void => {
    if (hasBeenUp) report(`${part.name} is up again`);
    hasBeenUp = true;
    up.resolve(running);
  };
  const watch = { onUp, onFailure: failed.resolve };
  const ended = keepRunning(part, stopping.signal, { report, delays, watch });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended;
  };
  return { up: up.promise, failed: failed.promise, stop };
}

type Watch<R> = { onUp: (running: R) => void; onFailure: (error: Error) => void };
type Keeping<R> = { report: (text: string) => void; delays: Delays; watch: Watch<R> };

async function keepRunning<R extends Running>(part: Part<R>, signal: AbortSignal, keeping: Keeping<R>): Promise<void> {
  const { report, delays, watch } = keeping;
  let delayMs = delays.firstMs;
  while (!signal.aborted) {
    const startedAt = Date.now();
    const ending = await runOnce(part, signal, watch);
    if (signal.aborted) return;
    if (Date.now() - startedAt > delays.steadyAfterMs) delayMs = delays.firstMs;
    report(`${part.name} ${ending}; it is started again in ${delayMs / 1000} s`);
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    delayMs = Math.min(delayMs * 2, delays.maxMs);
  }
}

/** Returns a phrase that describes how it ended. */
async function runOnce<R extends Running>(part: Part<R>, signal: AbortSignal, watch: Watch<R>): Promise<string> {
  try {
    const running = await part.start(signal);
    watch.onUp(running);
    if (signal.aborted) await running.stop();
    const stop = (): void => void running.stop();
    signal.addEventListener('abort', stop, { once: true });
    return await running.exited.finally(() => signal.removeEventListener('abort', stop));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    watch.onFailure(new Error(`${part.name} did not start: ${reason}`, { cause }));
    return `did not start: ${reason}`;
  }
}
