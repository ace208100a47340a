export { run } from './run.ts';
export { sweep } from './sweep.ts';
export { checkLedger } from './sweep.ts';
export { autoTopup, reconcilePayments } from './payments.ts';
export { review } from './review.ts';
