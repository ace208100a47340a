import { type ReapableLedger, createSweepLedger } from './sweep.ts';

/** What the activities reach the world through. */
export type ActivityDependencies = { ledger: ReapableLedger };

/** The activities by the names that workflows call them by. */
export type Activities = ReturnType<typeof createActivities>;

export function createActivities({ ledger }: ActivityDependencies) {
  return { sweepLedger: createSweepLedger(ledger) };
}
