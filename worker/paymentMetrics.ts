import type { Client } from '@temporalio/client';
import { readPaymentProblems } from '../db/accounting/paymentProblems.ts';
import type { Database } from '../db/database.ts';
import type { ReadGauge } from '../base/telemetry/metrics.ts';
import { RECONCILE_WORKFLOW, type ReconcileResult } from '../contracts/payments.ts';
import { fresh } from '../base/fresh.ts';
import { countEnded, TEMPORAL_LIMIT_MS } from './temporalMetrics.ts';

const FRESH_MS = 30_000;
const FAILED_MS = 48 * 3_600_000;

/** Payouts that wait, and payments that could not be credited. */
export function paymentGauges({ everywhere }: Pick<Database, 'everywhere'>): ReadGauge[] {
  const problems = fresh(FRESH_MS, () => readPaymentProblems(everywhere));
  return [
    {
      name: 'ledgerline_uncredited_payments',
      help: "Stripe's events of the last day about a payment that could not be credited",
      read: async () => [{ value: (await problems()).uncredited }],
    },
    {
      name: 'ledgerline_payouts_waiting',
      help: 'Transfers of earnings that no operator has sent yet',
      read: async () => [{ value: (await problems()).payouts }],
    },
    {
      name: 'ledgerline_payout_age_seconds',
      help: 'Age of the oldest of them',
      read: async () => [{ value: (await problems()).payoutAgeSeconds }],
    },
  ];
}

/** What the daily comparison with Stripe found, and when it last ended well. */
export function reconciliationGauges(client: Client): ReadGauge[] {
  const last = fresh(FRESH_MS, () => readLast(client));
  const gauges: ReadGauge[] = [
    {
      name: 'ledgerline_reconciliation_failures',
      help: 'Comparisons with Stripe that failed in the last two days',
      read: () => countEnded(client, RECONCILE_WORKFLOW, { as: ['Failed', 'TimedOut'], sinceMs: FAILED_MS }),
    },
    {
      name: 'ledgerline_reconciliation_age_seconds',
      help: 'Time since the last comparison with Stripe that ended well; none before the first one',
      read: async () => {
        const found = await last();
        return found ? [{ value: (Date.now() - found.endedAt.getTime()) / 1000 }] : [];
      },
    },
    {
      name: 'ledgerline_missed_payments',
      help: 'Payments that the last comparison with Stripe credited because their events had not come',
      read: async () => [{ value: (await last())?.credited ?? 0 }],
    },
  ];
  return gauges.map((gauge) => ({ ...gauge, limitMs: TEMPORAL_LIMIT_MS }));
}

async function readLast(client: Client): Promise<{ endedAt: Date; credited: number } | undefined> {
  const query = `WorkflowType = '${RECONCILE_WORKFLOW}' AND ExecutionStatus = 'Completed'`;
  for await (const { workflowId, runId, closeTime } of client.workflow.list({ query, pageSize: 1 })) {
    const { credited } = (await client.workflow.getHandle(workflowId, runId).result()) as ReconcileResult;
    return { endedAt: closeTime ?? new Date(), credited };
  }
  return undefined;
}
