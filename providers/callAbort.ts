import type { CallSignal } from './provider.ts';

/**
 * Ends a call early, like an `AbortController` with its signal, but with one listener at a time and nothing for the garbage collector to
 * follow. An `AbortController` per request was the largest single cost of the gateway's memory.
 */
export class CallAbort implements CallSignal {
  aborted = false;
  reason: unknown;
  #listener: { handleEvent(): void } | undefined;

  addEventListener(_type: 'abort', listener: { handleEvent(): void }): void {
    this.#listener = listener;
  }

  removeEventListener(_type: 'abort', listener: { handleEvent(): void }): void {
    if (this.#listener === listener) this.#listener = undefined;
  }

  /** Ends the call; the provider rejects with this reason. Only the first one counts. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#listener?.handleEvent();
  }
}
