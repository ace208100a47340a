import type { Guard } from '../context.ts';

/** The guards of a route, given what is checked of its requests beside their key: the scope first. */
export type Keyed = (...checks: Guard[]) => Guard[];

/**
 * What stands before every handler that needs a key, in the order in which it is checked: the key, its scope, the request itself, and then
 * the key's limits, of which nothing is taken by what is refused before. What an upload holds is checked by its handler, after them.
 */
export function keyedBy(key: Guard, rate: Guard): Keyed {
  return (...checks) => [key, ...checks, rate];
}
