/** Thrown when the queue for places is full. */
export class PlacesFull extends Error {
  override readonly name = 'PlacesFull';
}

/** Limits of places: in total, per caller, and of the queue. */
export interface PlaceLimits {
  atOnce?: number;
  perCaller?: number;
  waitingMax?: number;
}

/** The caller that a place counts for (without it, all calls share one), and a signal that ends the wait. */
export interface PlaceOrder {
  caller?: string;
  signal?: AbortSignal;
}

interface Waiting extends PlaceOrder {
  caller: string;
  begin: () => void;
}

/**
 * Limits concurrent work: at most `atOnce` in total and `perCaller` of one caller, so that no caller takes all places. The others wait in
 * arrival order. `take` resolves with a function that releases the place; `run` does both around some work. They throw `PlacesFull` when
 * `waitingMax` already wait, and the signal's reason when it is aborted before the work begins. `retake` releases a place and waits again
 * at the end of the queue, regardless of `waitingMax`, so that long work alternates with others.
 */
export function createPlaces({ atOnce = Infinity, perCaller = Infinity, waitingMax = Infinity }: PlaceLimits) {
  const waiting = new Set<Waiting>();
  const running = new Map<string, number>();
  let free = atOnce;

  const runningOf = (caller: string) => running.get(caller) ?? 0;
  const mayBegin = (caller: string) => free > 0 && runningOf(caller) < perCaller;

  function occupy(caller: string): void {
    free -= 1;
    running.set(caller, runningOf(caller) + 1);
  }

  function giveBack(caller: string): void {
    free += 1;
    if (runningOf(caller) === 1) running.delete(caller);
    else running.set(caller, runningOf(caller) - 1);
    // One place became free, so at most one waiter can start.
    for (const next of waiting) {
      if (!mayBegin(next.caller)) continue;
      waiting.delete(next);
      occupy(next.caller);
      next.begin();
      return;
    }
  }

  function wait(caller: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = () => {
        waiting.delete(one);
        reject(signal!.reason as Error);
      };
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const one = { caller, signal, begin };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.add(one);
    });
  }

  async function take({ caller = '', signal }: PlaceOrder = {}): Promise<() => void> {
    signal?.throwIfAborted();
    if (mayBegin(caller)) occupy(caller);
    else if (waiting.size >= waitingMax) throw new PlacesFull('too many wait for a place');
    else await wait(caller, signal);
    return () => giveBack(caller);
  }

  async function run<T>(work: () => Promise<T>, order?: PlaceOrder): Promise<T> {
    const leave = await take(order);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  async function retake(leave: () => void, { caller = '', signal }: PlaceOrder = {}): Promise<() => void> {
    const turn = wait(caller, signal);
    leave();
    await turn;
    return () => giveBack(caller);
  }

  /** The queue position of the wait with this signal: 1 is next, 0 means not waiting. */
  const positionOf = (signal: AbortSignal): number => [...waiting].findIndex((one) => one.signal === signal) + 1;

  return { take, run, retake, positionOf, waitingCount: () => waiting.size };
}
