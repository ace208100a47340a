import { overloaded } from '../../base/errors/serviceErrors.ts';

// A hash takes a core for 30 ms and 19 MiB. Two at once leave threads and connections for calls; twenty are served within a second.
const RUNNING_MAX = 2;
const WAITING_MAX = 20;

/** Bounds the requests that hash a password: a few run, some wait in order, the rest get 503 `overloaded`. */
export function createPasswordGate() {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < RUNNING_MAX) running += 1;
    else if (waiting.length >= WAITING_MAX) throw overloaded();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot passes to the next request without becoming free.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
