import type { CallSignal } from './provider.ts';

/** A caller's signal as a standard one, which takes many listeners. `release` ends whatever still listens, and lets the caller's go. */
export function linkedSignal(signal: CallSignal): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const onAbort = { handleEvent: () => controller.abort(signal.reason) };
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort.handleEvent();
  return {
    signal: controller.signal,
    release() {
      signal.removeEventListener('abort', onAbort);
      controller.abort(new Error('The call is over.'));
    },
  };
}
