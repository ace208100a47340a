import type { Settlement } from './settlement.ts';
import { waitAtMost } from './waitAtMost.ts';

// A lease must be renewed in time, however long prompts are: what is not counted by then is kept with the next flush.
const COUNT_WAIT_MS = 1_000;

/** A call of which others should know how far it came, in case its process dies. */
export interface Followed {
  /** Resolves when what must be counted before `settlement` is complete has been. */
  count: () => Promise<unknown>;
  /** What is settled if the process dies now. */
  settlement: () => Settlement;
}

/** The calls of this process that are kept with each flush. */
export function createProgress() {
  const running = new Map<string, Followed>();
  const kept = new Set<string>();

  /** Reads what is to be kept of the calls that run now. */
  async function read(): Promise<Settlement[]> {
    await waitAtMost(COUNT_WAIT_MS, Promise.allSettled([...running.values()].map(({ count }) => count())));
    const items = [...running.values()].map(({ settlement }) => settlement());
    for (const { id } of items) kept.add(id);
    return items;
  }

  /** Follows the call no more. True: something may have been kept of it. */
  function end(id: string): boolean {
    running.delete(id);
    return kept.delete(id);
  }

  return { follow: (id: string, call: Followed): void => void running.set(id, call), read, end };
}
