import type { Context } from '../context.ts';

/** Whole milliseconds since a request began, on the steady clock: somebody may set the other one meanwhile. */
export const elapsedMs = ({ state }: Pick<Context, 'state'>): number => Math.round(performance.now() - state.begunAtMs);
