import type { Settlement } from './settlement.ts';
import { waitAtMost } from '../../base/waiting.ts';

// A lease must be renewed in time, however long prompts are: what is not counted by then is stored with the next flush.
const COUNT_WAIT_MS = 1_000;

/** A call whose progress is stored, so that it can be billed if this process dies. */
export interface Followed {
  /** Resolves when everything that `settlement` needs has been counted. */
  count: () => Promise<unknown>;
  /** What is settled if the process dies now. */
  settlement: () => Settlement;
}

/** The calls of this process whose progress is stored with each flush. */
export function createProgress() {
  const running = new Map<string, Followed>();
  const kept = new Set<string>();

  /** The progress of the calls that run now. */
  async function read(): Promise<Settlement[]> {
    await waitAtMost(COUNT_WAIT_MS, Promise.allSettled([...running.values()].map(({ count }) => count())));
    const items = [...running.values()].map(({ settlement }) => settlement());
    for (const { id } of items) kept.add(id);
    return items;
  }

  /** Stops following the call. True: some of its progress may have been stored. */
  function end(id: string): boolean {
    running.delete(id);
    return kept.delete(id);
  }

  return { follow: (id: string, call: Followed): void => void running.set(id, call), read, end };
}
