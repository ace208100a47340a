import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { AutoTopupResult, ReconcileResult } from '../contracts/payments.ts';

const { payAutoTopup } = proxyActivities<Activities>({
  startToCloseTimeout: '2m',
  // Stripe stores an idempotency key for a day: a later retry could charge the card again.
  scheduleToCloseTimeout: '20h',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '10m' },
  summary: 'Let the saved card pay',
});

/** One automatic payment of a workspace. A declined card is not retried here: the database schedules the next attempt. */
export async function autoTopup(workspaceId: string): Promise<AutoTopupResult> {
  return { workspaceId, end: await payAutoTopup(workspaceId) };
}

const { reconcilePayments: readPayments } = proxyActivities<Activities>({
  startToCloseTimeout: '30m',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '1m', backoffCoefficient: 2, maximumAttempts: 5 },
  summary: 'Read what Stripe lists, and apply what its events did not',
});

/** Finds payments whose events were missed. */
export const reconcilePayments = (): Promise<ReconcileResult> => readPayments();
