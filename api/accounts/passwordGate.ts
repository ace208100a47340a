import { overloaded } from '../../base/errors/serviceErrors.ts';

// A hash takes a core for 30 ms and 19 MiB. Two leave threads and connections for calls, and twenty are served within a second.
const RUNNING_MAX = 2;
const WAITING_MAX = 20;

/** Bounds the requests that hash a password: a few run at once, some wait in order, and more are refused with 503 `overloaded`. */
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
      // The place goes to the next one without becoming free.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
