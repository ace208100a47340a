import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for `work`, but no longer than `limitMs`; after that `work` continues in the background. True: it finished in time. Rejects if
 * `work` rejects in time.
 */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const done = new AbortController();
  try {
    return await Promise.race([work.then(() => true), sleep(limitMs, false, { signal: done.signal })]);
  } finally {
    done.abort();
  }
}

/** The answer to a request; rejects with `message` when it takes longer than `limitMs`. */
export function answeredWithin<T>(limitMs: number, asked: Promise<T>, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    // Reads answers that arrived while this process was busy before it applies the limit.
    const timer = setTimeout(() => setImmediate(() => reject(new Error(message))), limitMs).unref();
    asked.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Runs `work` once at a time for each key: concurrent callers share its result. */
export function oneAtATime<Key, Answer>(work: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const going = new Map<Key, Promise<Answer>>();
  return (key) => {
    let answer = going.get(key);
    if (!answer) going.set(key, (answer = work(key).finally(() => going.delete(key))));
    return answer;
  };
}

/**
 * Like `oneAtATime`, for answers that must not be older than the call: callers that arrive while `work` runs share the next run, which
 * begins when the current one ends.
 */
export function oneAfterAnother<Answer>(): (key: string, work: () => Promise<Answer>) => Promise<Answer> {
  const running = new Map<string, Promise<Answer>>();
  const waiting = new Map<string, Promise<Answer>>();

  function start(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const answer = work().finally(() => running.get(key) === answer && running.delete(key));
    running.set(key, answer);
    return answer;
  }

  return (key, work) => {
    // Before the current one: that has ended when the next one is about to begin.
    const shared = waiting.get(key);
    if (shared) return shared;
    const current = running.get(key);
    if (!current) return start(key, work);
    const begin = () => {
      waiting.delete(key);
      return start(key, work);
    };
    const next = current.then(begin, begin);
    waiting.set(key, next);
    return next;
  };
}

/** Resolves when a full stream can take more data, or never will. */
export function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      output.off('drain', go).off('close', go);
      resolve();
    };
    output.on('drain', go).on('close', go);
    if (output.closed) go();
  });
}
