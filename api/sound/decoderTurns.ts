import { overloaded } from '../errors/serviceErrors.ts';

interface Waiting {
  caller: string;
  begin: () => void;
}

/**
 * Shares a few places fairly: a caller has at most `perCaller` of `atOnce` places, so that one caller never takes all of them, and the
 * others wait in the order in which they came. `run` throws 503 `overloaded` when `waitingMax` wait already, and the signal's reason when that is
 * aborted while the work waits.
 */
export function createDecoderTurns(limits: { atOnce: number; perCaller: number; waitingMax: number }) {
  const waiting = new Set<Waiting>();
  const running = new Map<string, number>();
  let free = limits.atOnce;

  const runningOf = (caller: string) => running.get(caller) ?? 0;
  const mayBegin = (caller: string) => free > 0 && runningOf(caller) < limits.perCaller;

  function take(caller: string): void {
    free -= 1;
    running.set(caller, runningOf(caller) + 1);
  }

  function giveBack(caller: string): void {
    free += 1;
    if (runningOf(caller) === 1) running.delete(caller);
    else running.set(caller, runningOf(caller) - 1);
    for (const next of waiting) {
      if (!mayBegin(next.caller)) continue;
      waiting.delete(next);
      take(next.caller);
      next.begin();
    }
  }

  function turn(caller: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (mayBegin(caller)) {
      take(caller);
      return Promise.resolve();
    }
    if (waiting.size >= limits.waitingMax) throw overloaded(2_000, 'too many sounds wait to be decoded');
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(one);
        reject(signal.reason as Error);
      };
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const one = { caller, begin };
      signal.addEventListener('abort', leave, { once: true });
      waiting.add(one);
    });
  }

  return {
    run: async <T>(caller: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
      await turn(caller, signal);
      try {
        return await work();
      } finally {
        giveBack(caller);
      }
    },
  };
}
