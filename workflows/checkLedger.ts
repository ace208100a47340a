import { log, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { LedgerCheckResult } from './contract.ts';

const activities = proxyActivities<Activities>({
  // Each query of the check may take ten minutes; a check that takes longer in all is given up, and the workflow reports that.
  startToCloseTimeout: '20m',
  retry: { initialInterval: '10s', maximumAttempts: 2 },
  summary: 'Check every rule of the ledger',
});

/** Checks the ledger. It fails when a rule is broken or the check could not run. */
export async function checkLedger(): Promise<LedgerCheckResult> {
  try {
    return await activities.checkLedger();
  } catch (error) {
    log.error('the scheduled check of the ledger failed', { event: 'ledger_check_failed', error: String(error) });
    throw error;
  }
}
