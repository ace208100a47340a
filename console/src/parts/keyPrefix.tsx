import type { ReactNode } from 'react';

// Calls of the console itself have a key that nobody sees.
const OF_CONSOLE = 'console';

/** The key of a call by its beginning. */
export function keyPrefix(prefix: string | null | undefined): ReactNode {
  if (!prefix) return '—';
  return prefix === OF_CONSOLE ? 'Console' : <span className="id">{prefix}…</span>;
}
