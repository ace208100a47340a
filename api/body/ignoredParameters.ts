import { isObject } from '../../base/json.ts';
import type { Context } from '../context.ts';
import { invalidRequest } from '../../base/errors/requestErrors.ts';

/** The request header by which a caller whose client always sends a refused parameter has it left out. */
export const IGNORED_HEADER = 'x-ignored-parameters';

/** Parameters that a route or its model refuses, and without which an answer is the same: they make it sooner or cheaper, or name its client. */
export const IGNORABLE = ['client_metadata', 'prediction', 'prompt_cache_key'] as const;
export type Ignorable = (typeof IGNORABLE)[number];

/**
 * The body without those of the route's `refused` parameters that the caller's header names. A named one that the route takes stays. Throws
 * 400 `invalid_value` for a name that is not ignorable.
 */
export function withoutIgnored({ req }: Context, body: unknown, refused: readonly Ignorable[]): unknown {
  const header = req.headers[IGNORED_HEADER];
  if (header === undefined || !isObject(body)) return body;
  const names = String(header)
    .split(',')
    .map((name) => name.trim());
  const unknown = names.find((name) => !IGNORABLE.some((one) => one === name));
  if (unknown !== undefined) {
    const choice = IGNORABLE.map((one) => `"${one}"`).join(', ');
    throw invalidRequest('invalid_value', `The header ${IGNORED_HEADER} may name ${choice}.`, IGNORED_HEADER);
  }
  const left = { ...body };
  for (const name of refused) if (names.includes(name)) delete left[name];
  return left;
}
