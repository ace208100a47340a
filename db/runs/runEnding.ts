import type { LimitKind } from './cost/limitObject.ts';

/** How a run's work came to its end. */
export type RunEnding =
  | { status: 'completed' }
  | { status: 'cancelled' }
  | { status: 'limit_reached'; limit: Exclude<LimitKind, 'model_output_limit'> }
  /** `tokens`: how many the model writes at once. */
  | { status: 'limit_reached'; limit: 'model_output_limit'; tokens: number }
  | { status: 'failed'; fault: RunFault; code: string; message: string };

/** Whose fault a failure is. */
type RunFault = 'platform' | 'provider' | 'agent' | 'caller';
