import type { Pool } from 'pg';
import { retire, type Slice } from './slice.ts';

/** Returns what is left of slices to their accounts, and keeps those for which that failed. */
export function createSliceReturns({ pool, onError }: { pool: Pool; onError: (error: unknown) => void }) {
  // Slices whose last part could not be returned yet.
  const owing = new Set<Slice>();
  // Returns that are in progress.
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
    /** Resolves when the slice is returned, or kept for a retry because that failed: never rejects. */
    retire: retireNow,
    /** Retries returns that failed. */
    retryOwing(): void {
      for (const slice of owing) void retireNow(slice);
    },
    /** Resolves when all returns that were in progress at the call are done. */
    settled: async (): Promise<void> => void (await Promise.all(returning)),
  };
}
