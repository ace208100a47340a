let hasEnded = false;
const listeners = new Set<() => void>();

/** Whether the session has ended while something is typed on the page. */
export const hasSessionEnded = (): boolean => hasEnded;

export function setSessionEnded(value: boolean): void {
  hasEnded = value;
  for (const listener of listeners) listener();
}

export function watchSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
