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
  const turns = oneAfterAnother<boolean>();
  let writing: Promise<unknown> = Promise.resolve();
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

  /** Writes at once what waits. Resolves when it is written; with false when that has failed. */
  function flush(): Promise<boolean> {
    clearTimeout(timer);
    timer = undefined;
    isHurried = false;
    const written = turns('', writeOnce);
    writing = written;
    return written;
  }

  async function writeOnce(): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      onError(error);
      writeWithin(retryMs);
      return false;
    }
  }

  /** Writes what waits, once. */
  async function end(): Promise<void> {
    hasEnded = true;
    await flush();
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
