import { ApplicationFailure, Context, log } from '@temporalio/activity';
import type { SealingKeys } from '../db/sealing/sealingKeys.ts';
import { signDays } from '../db/bill/signDays.ts';
import type { Database } from '../db/database.ts';
import type { InvariantReport } from '../db/invariants/invariants.ts';
import type { LedgerCheckRow } from '../db/invariants/ledgerChecks.ts';
import type { LedgerCheckResult, SignResult, SweepResult } from '../contracts/sweep.ts';

const DETAILS_LOGGED = 3;

/**
 * Checks every rule of the ledger, and keeps the outcome. Logs an error for each broken rule, with the number of violations (up to twenty)
 * and the first of them, and fails without retry: a retry would find the same.
 */
export function createLedgerCheck(
  check: () => Promise<InvariantReport>,
  keep: (outcome: Omit<LedgerCheckRow, 'checkedAt'>) => Promise<void>,
): () => Promise<LedgerCheckResult> {
  return async () => {
    const startedAt = new Date();
    const { sums, violations } = await check();
    const broken = [...Map.groupBy(violations, ({ rule }) => rule)].map(([rule, places]) => ({
      rule,
      count: places.length,
      details: places.slice(0, DETAILS_LOGGED).map(({ detail }) => detail),
    }));
    for (const one of broken) log.error('the ledger breaks a rule', { event: 'ledger_violated', ...one });
    const { entries, transactions } = sums;
    const id = Context.current().info.workflowExecution!.runId;
    await keep({ id, startedAt, entries, transactions, violations: broken });
    if (broken.length > 0) {
      const rules = broken.map(({ rule, count }) => `${rule} (${count})`).join('; ');
      throw ApplicationFailure.nonRetryable(
        `the ledger breaks ${broken.length} of its rules: ${rules}`,
        'LedgerViolated',
      );
    }
    return { entries: Number(entries), transactions: Number(transactions) };
  };
}

/** The part of the ledger that ends the calls of dead processes. */
type ReapableLedger = { reap(): Promise<Omit<SweepResult, 'takesPayments'>> };

/**
 * Settles the requests of dead processes from their recorded units and releases holds that produced nothing. Idempotent and safe to run
 * concurrently: the ledger ends each hold exactly once. `takesPayments` tells the sweep whether to look for automatic payments.
 */
export function createSweepLedger(ledger: ReapableLedger, takesPayments: boolean): () => Promise<SweepResult> {
  return async () => {
    const { processesReaped, requestsSettled, holdsReleased } = await ledger.reap();
    return { processesReaped, requestsSettled, holdsReleased, takesPayments };
  };
}

/** Services that sign the daily roots. */
export interface SigningDependencies {
  db: Pick<Database, 'everywhere'>;
  /** Decrypts the signing key. */
  pluginKeys: SealingKeys;
}

/** Signs the root of each ended day without a signature. Idempotent and safe to run concurrently. */
export function createSignDays({ db, pluginKeys }: SigningDependencies): () => Promise<SignResult> {
  return async () => {
    const days = await signDays(db.everywhere, pluginKeys, {
      onProgress: (entries) => Context.current().heartbeat(entries),
    });
    if (days > 0) log.info('the roots of days were signed', { event: 'days_signed', days });
    return { days };
  };
}
