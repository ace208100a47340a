import { ApplicationFailure, log } from '@temporalio/activity';
import type { InvariantReport } from '../db/invariants.ts';
import type { LedgerCheckResult, SweepResult } from '../workflows/contract.ts';

const DETAILS_LOGGED = 3;

/**
 * Checks every rule of the ledger, reading only. Logs an error for each broken rule, with the number of violations (up to twenty) and the
 * first ones, and fails without retry: a repetition would find the same.
 */
export function createLedgerCheck(check: () => Promise<InvariantReport>): () => Promise<LedgerCheckResult> {
  return async () => {
    const { sums, violations } = await check();
    const broken = Map.groupBy(violations, ({ rule }) => rule);
    for (const [rule, places] of broken) {
      const details = places.slice(0, DETAILS_LOGGED).map(({ detail }) => detail);
      log.error('the ledger breaks a rule', { event: 'ledger_violated', rule, count: places.length, details });
    }
    if (broken.size > 0) {
      const rules = [...broken].map(([rule, places]) => `${rule} (${places.length})`).join('; ');
      throw ApplicationFailure.nonRetryable(
        `the ledger breaks ${broken.size} of its rules: ${rules}`,
        'LedgerViolated',
      );
    }
    return { entries: Number(sums.entries), transactions: Number(sums.transactions) };
  };
}

/** The part of the ledger that ends what dead processes left. */
type ReapableLedger = { reap(): Promise<SweepResult> };

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
