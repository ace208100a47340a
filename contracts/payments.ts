/** The workflow of an automatic payment, one at a time for a workspace. */
export const AUTO_TOPUP_WORKFLOW = 'autoTopup';
export const autoTopupIdOf = (workspaceId: string): string => `autotopup/${workspaceId}`;

/** How an automatic payment ended. */
export type AutoTopupResult = { workspaceId: string; end: 'none' | 'paid' | 'processing' | 'declined' };

/** The schedule of the reconciliation with Stripe, and the workflow that it starts. */
export const RECONCILE_SCHEDULE_ID = 'reconcile-payments';
export const RECONCILE_WORKFLOW = 'reconcilePayments';

/** The number of payments that a reconciliation read, and of those whose events were missed. */
export type ReconcileResult = { read: number; credited: number };
