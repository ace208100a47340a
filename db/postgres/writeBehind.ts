import { oneAfterAnother } from '../../base/waiting.ts';

/**
 * Decides when a store writes what waits in its memory: within a window after the first item, again after a failure, and once at the end.
 * No caller waits for it, and one write runs at a time. After the end no timer is set: a retry without a database would never end.
 */
export function createWriteBehind({
  write,
  windowMs,
  hurriedMs = windowMs,
  retryMs,
  onError,
}: {
  /** Writes what waits now. When it rejects, what was not written has to wait again. */
  write: () => Promise<void>;
  windowMs: number;
  /** The window while a reader waits. */
  hurriedMs?: number;
  retryMs: number;
  onError: (error: unknown) => void;
}) {
  const turns = oneAfterAnother<void>();
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isHurried = false;
  let hasEnded = false;

  function writeWithin(ms: number): void {
    if (!hasEnded) timer ??= setTimeout(() => void flush(), ms);
  }

  /** Something waits, and a reader waits for it. */
  function hurry(): void {
    if (isHurried || hasEnded) return;
    isHurried = true;
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), hurriedMs);
  }

  /** Writes at once what waits. Resolves when it is written, or has failed to be. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    isHurried = false;
    return (writing = turns('', writeOnce));
  }

  async function writeOnce(): Promise<void> {
    try {
      await write();
    } catch (error) {
      onError(error);
      writeWithin(retryMs);
    }
  }

  /** Writes what waits, once. */
  function end(): Promise<void> {
    hasEnded = true;
    return flush();
  }

  return {
    /** Something waits. */
    soon: () => writeWithin(windowMs),
    hurry,
    flush,
    /** Resolves when the writes that have begun or are due are over. */
    settled: () => writing,
    end,
    hasEnded: () => hasEnded,
  };
}
