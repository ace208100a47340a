import type { CallSignal } from './provider.ts';

/** A caller's signal as a standard one, which allows many listeners and can also be aborted here (`end`, with its reason). */
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
