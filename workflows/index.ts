export { run } from './run.ts';
export { sweep, sweeper } from './sweep.ts';
export { checkLedger, signDays } from './sweep.ts';
export { eraseWorkspaces } from './erasure.ts';
export { autoTopup, reconcilePayments } from './payments.ts';
export { review } from './review.ts';
export { webhook } from './webhook.ts';
export { batch } from './batch.ts';
export { scheduledRun } from './scheduledRun.ts';
