import type { CallSignal } from './provider.ts';
import type { Routed, RoutingNote } from './routingNote.ts';

/**
 * Ends a call early, like an `AbortController` with its signal, but with one listener at a time and nothing for the garbage collector to
 * follow. An `AbortController` per request was the largest single cost of the gateway's memory.
 */
export class CallAbort implements CallSignal {
  aborted = false;
  reason: unknown;
  /** The upstream that serves the call, or the last attempt's. */
  upstream: string | null = null;
  attempts = 0;
  /** Why it serves the call; null for a model with one upstream. */
  routing: RoutingNote | null = null;
  #broke: (() => void) | undefined;
  #listener: { handleEvent(): void } | undefined;

  addEventListener(_type: 'abort', listener: { handleEvent(): void }): void {
    this.#listener = listener;
  }

  removeEventListener(_type: 'abort', listener: { handleEvent(): void }): void {
    if (this.#listener === listener) this.#listener = undefined;
  }

  attempted(upstream: string): void {
    this.upstream = upstream;
    this.attempts += 1;
  }

  routed({ note, upstream, broke }: Routed): void {
    this.routing = note;
    this.upstream = upstream ?? this.upstream;
    this.#broke = broke;
  }

  doubted(): void {
    this.#broke?.();
    this.#broke = undefined;
  }

  /** Ends the call; the provider rejects with this reason. Only the first call counts. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#listener?.handleEvent();
  }
}

/** Wraps a caller's signal as a standard one, which allows many listeners and can also be aborted here (`end`, with its reason). */
export function linkedSignal(signal: CallSignal) {
  const controller = new AbortController();
  const onAbort = { handleEvent: () => controller.abort(signal.reason) };
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort.handleEvent();
  return {
    signal: controller.signal,
    end: (reason: unknown): void => controller.abort(reason),
    /** Aborts the signal for its remaining listeners, and detaches it from the caller's. */
    release(): void {
      signal.removeEventListener('abort', onAbort);
      controller.abort(new Error('The call is over.'));
    },
  };
}
