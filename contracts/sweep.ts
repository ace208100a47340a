/** The schedule, and the workflow that it starts. */
export const SWEEP_SCHEDULE_ID = 'sweep';
export const SWEEP_WORKFLOW = 'sweeper';

/** The number of calls that one sweep ended for dead processes. */
export type SweepResult = {
  processesReaped: number;
  requestsSettled: number;
  holdsReleased: number;
  /** Whether automatic payments are enabled. Sweeps without this member always look for them. */
  takesPayments?: boolean;
};

/** What one activity of the sweeper did: sweeps, and parts of them that failed. */
export type SweepLoopResult = { sweeps: number; failures: number };

/** The schedule of the ledger's check, and the workflow that it starts. */
export const CHECK_SCHEDULE_ID = 'check-ledger';
export const CHECK_WORKFLOW = 'checkLedger';

/** The result of a check without violations. */
export type LedgerCheckResult = { entries: number; transactions: number };

/** The schedule that signs the ledger's daily roots, and the workflow that it starts. */
export const SIGN_SCHEDULE_ID = 'sign-days';
export const SIGN_WORKFLOW = 'signDays';

/** The number of signed days. */
export type SignResult = { days: number };
