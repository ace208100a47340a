import type { Guard } from '../context.ts';
import { elapsedMs } from '../http/answer.ts';

// A key in memory is valid for this long, so a request that arrived in less time needs no second check.
const PROMPT_MS = 1_000;

/** Builds a route's guards from the checks that come between its key and its limits: the scope first. */
export type Keyed = (...checks: Guard[]) => Guard[];

/**
 * The guards of every handler that needs a key, in order: key, scope, the request itself, then the key's limits. A request that is
 * refused earlier uses none of the limits. Uploads are checked by their handler, after the guards.
 */
export function keyedBy(key: Guard, rate: Guard): Keyed {
  // A slow sender may lose its key while it sends.
  const counted: Guard = (ctx, next) =>
    elapsedMs(ctx) > PROMPT_MS ? key(ctx, () => rate(ctx, next)) : rate(ctx, next);
  return (...checks) => [key, ...checks, counted];
}
