import type { SweepResult } from '../workflows/contract.ts';

/** The part of the ledger that ends what dead processes left. */
export type ReapableLedger = { reap(): Promise<SweepResult> };

/**
 * Settles the requests of dead processes from their recorded units and releases holds that produced nothing. Idempotent and safe to run
 * concurrently: the ledger ends each hold exactly once.
 */
export function createSweepLedger(ledger: ReapableLedger): () => Promise<SweepResult> {
  return async () => {
    const { processesReaped, requestsSettled, holdsReleased } = await ledger.reap();
    return { processesReaped, requestsSettled, holdsReleased };
  };
}
