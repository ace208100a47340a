import { Context, log } from '@temporalio/activity';
import { findDueTopups } from '../db/payments/cardOrders.ts';
import { endOldCheckouts } from '../db/payments/openCheckouts.ts';
import type { Database } from '../db/database.ts';
import { payAutoTopup, type AutoTopupEnd } from '../providers/payments/autoTopup.ts';
import { reconcilePayments, type Reconciliation, type Uncredited } from '../providers/payments/reconcile.ts';
import type { Payments } from '../providers/payments/stripe.ts';

// Stripe retries an event for three days; a week leaves no gap when one or two reconciliations fail.
const RECONCILED_MS = 7 * 24 * 3_600_000;

/** Services that the activities of payments use. */
export interface PaymentDependencies {
  db: Pick<Database, 'pool' | 'everywhere' | 'read'>;
  /** Null when payments are disabled. */
  payments: Payments | null;
  topups: TopupWorkflows;
}

/** Access to the workflows of automatic payments. */
export interface TopupWorkflows {
  /** Starts the payment of a workspace, unless one runs. */
  start: (workspaceId: string) => Promise<void>;
}

/** The activities of payments, by their registered names. Each is idempotent. */
export function createPaymentActivities({ db, payments, topups }: PaymentDependencies) {
  return {
    /** Starts the automatic payments that are due. Returns how many. */
    startAutoTopups: async (): Promise<number> => {
      const due = payments ? await findDueTopups(db.pool) : [];
      for (const workspaceId of due) await topups.start(workspaceId);
      return due.length;
    },
    payAutoTopup: async (workspaceId: string): Promise<AutoTopupEnd> =>
      payments ? payAutoTopup(db, payments, workspaceId) : 'none',
    reconcilePayments: async (): Promise<Reconciliation> => {
      const since = new Date(Date.now() - RECONCILED_MS);
      const { heartbeat } = Context.current();
      if (!payments) return { read: 0, credited: 0 };
      const onUncredited = (uncredited: Uncredited) =>
        log.error('a payment was not credited', { event: 'payment_alarm', ...uncredited });
      const compared = await reconcilePayments(db, payments, {
        since,
        onProgress: (read) => heartbeat(read),
        onUncredited,
      });
      // Afterwards, since a listed page says itself how it ended.
      await endOldCheckouts(db.pool);
      return compared;
    },
  };
}
