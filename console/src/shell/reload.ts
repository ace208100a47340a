import { untilReachable } from '../api/outage.ts';

const KEY = 'ledgerline-reloaded-for';

/**
 * Loads the page anew because a part of its code is missing: a newer build has other files. While the service is away it waits: the browser
 * would show its own page of errors, and stay there. A part that is missing after that too is not asked for again by itself. Returns a
 * function that stops the waiting.
 */
export function reloadOnce({ message }: Error): () => void {
  if (sessionStorage.getItem(KEY) === message) return () => {};
  const stop = new AbortController();
  void reloadWhenReachable(stop.signal, () => sessionStorage.setItem(KEY, message));
  return () => stop.abort();
}

/** Loads the page anew once the service answers. */
export async function reloadWhenReachable(signal?: AbortSignal, before: () => void = () => {}): Promise<void> {
  if (!(await untilReachable(signal))) return;
  before();
  location.reload();
}
