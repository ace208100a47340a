import type { Pool } from 'pg';
import { isRefusedByData, RETRY_DELAY_MS } from '../postgres/databaseErrors.ts';
import type { Posting } from './batchPoster.ts';
import { reverseSettlement } from './batches.ts';

/** A settlement that expired, and those who wait until it is posted. */
interface Expired extends Pick<Posting, 'item' | 'hold'> {
  readers?: (() => void)[];
}

/** Reverses the bills of expired settlements: it is not known whether they reached the disk. */
export function createReversals({
  pool,
  journal,
  onError,
  onAnswer,
}: {
  pool: Pool;
  /** Where billed answers are recorded until they are sent: these are not. */
  journal: { end: (ids: string[]) => void };
  onError: (error: unknown) => void;
  /** Called when the database answers, also with a refusal. */
  onAnswer: () => void;
}) {
  let due: Expired[] = [];

  /** Reverses what is due, in turn. Those that the database does not answer stay due, and it returns after a delay. */
  async function reverseDue(): Promise<void> {
    const items = due;
    due = [];
    for (const [index, { item, hold, readers = [] }] of items.entries()) {
      try {
        await reverseSettlement(pool, { ...item, status: 503, cost: 0, charge: 0 });
      } catch (error) {
        onError(error);
        if (!isRefusedByData(error)) {
          due.push(...items.slice(index));
          await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
          return;
        }
      }
      onAnswer();
      journal.end([item.id]);
      // Not before: until then its hold may have been charged on disk.
      hold.end(0n);
      for (const read of readers) read();
    }
  }

  return { reverseDue, areDue: () => due.length > 0, add: (expired: Expired) => due.push(expired) };
}
