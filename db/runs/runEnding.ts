import type { LimitKind } from './cost/limitObject.ts';

/** How a run's work came to its end. */
export type RunEnding =
  | { status: 'completed' }
  | { status: 'cancelled' }
  | { status: 'limit_reached'; limit: LimitKind }
  | { status: 'failed'; fault: RunFault; code: string; message: string };

/** Whose fault a failure is. */
type RunFault = 'platform' | 'provider' | 'agent' | 'caller';
