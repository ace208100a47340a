import type { Pool } from 'pg';
import { retire, type Slice } from './slice.ts';

/** Gives what is left of slices back to their accounts, and keeps those for which that failed. */
export function createSliceReturns({ pool, onError }: { pool: Pool; onError: (error: unknown) => void }) {
  // Slices whose last part could not be given back yet.
  const owing = new Set<Slice>();
  // What is on its way back to the accounts.
  const returning = new Set<Promise<void>>();

  function retireNow(slice: Slice): Promise<void> {
    const returned = retire(slice, pool)
      .then(() => void owing.delete(slice))
      .catch((error: unknown) => {
        owing.add(slice);
        onError(error);
      })
      .finally(() => returning.delete(returned));
    returning.add(returned);
    return returned;
  }

  return {
    /** Resolves when the slice is given back, or is kept for later because that failed: it never rejects. */
    retire: retireNow,
    /** Tries again what could not be given back. */
    retryOwing(): void {
      for (const slice of owing) void retireNow(slice);
    },
    /** Resolves when nothing is on its way any more of what was at the call. */
    settled: async (): Promise<void> => void (await Promise.all(returning)),
  };
}
