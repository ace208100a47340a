import type { Guard } from '../context.ts';
import { elapsedMs } from '../http/answer.ts';

// A key in memory is good for this long, so a request that was sent in less has been checked as it ought to be.
const PROMPT_MS = 1_000;

/** The guards of a route, given what is checked of its requests beside their key: the scope first. */
export type Keyed = (...checks: Guard[]) => Guard[];

/**
 * What stands before every handler that needs a key, in the order in which it is checked: the key, its scope, the request itself, and then
 * the key's limits, of which nothing is taken by what is refused before. What an upload holds is checked by its handler, after them.
 */
export function keyedBy(key: Guard, rate: Guard): Keyed {
  // Who takes longer to send a request may lose the key meanwhile.
  const counted: Guard = (ctx, next) =>
    elapsedMs(ctx) > PROMPT_MS ? key(ctx, () => rate(ctx, next)) : rate(ctx, next);
  return (...checks) => [key, ...checks, counted];
}
