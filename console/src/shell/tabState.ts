/**
 * Why this tab cannot go on: its session has ended while something is typed, another person has signed in beside it, or its person does not
 * belong to its workspace any more.
 */
export type Ending = 'session' | 'person' | 'workspace';

let ending: Ending | null = null;
const listeners = new Set<() => void>();

export const tabEnding = (): Ending | null => ending;

export function endTab(value: Ending | null): void {
  // Somebody else must not go on as the person before.
  if (ending === 'person') return;
  ending = value;
  for (const listener of listeners) listener();
}

export function watchTab(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
