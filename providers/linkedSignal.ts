import type { CallSignal } from './provider.ts';

/** A caller's signal as a standard one, which takes many listeners and can be ended from here too (`end`, with its reason). */
export function linkedSignal(signal: CallSignal) {
  const controller = new AbortController();
  const onAbort = { handleEvent: () => controller.abort(signal.reason) };
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort.handleEvent();
  return {
    signal: controller.signal,
    end: (reason: unknown): void => controller.abort(reason),
    /** Ends whatever still listens, and lets the caller's signal go. */
    release(): void {
      signal.removeEventListener('abort', onAbort);
      controller.abort(new Error('The call is over.'));
    },
  };
}
