// An answer's id is its request's id with the prefix of its route, so each is found by the other without a column.
const PREFIXES = [
  { route: /\/chat\/completions$/, prefix: 'chatcmpl-' },
  { route: /\/completions$/, prefix: 'cmpl-' },
  { route: /\/responses$/, prefix: 'resp_' },
];
const REQUEST = 'req_';

/** The `id` in the body of an answer of this route; null where bodies have none. */
export function responseIdOf(route: string, requestId: string): string | null {
  const known = PREFIXES.find((one) => one.route.test(route));
  return known ? known.prefix + requestId.slice(REQUEST.length) : null;
}

/**
 * The request with this id, or whose answer has this id: the request's id, and whether an answer of this route may have this id. Undefined
 * for a malformed id.
 */
export function requestIdIn(id: string): { requestId: string; isOf: (route: string) => boolean } | undefined {
  const prefix = [REQUEST, ...PREFIXES.map((one) => one.prefix)].find((one) => id.startsWith(one));
  const rest = prefix && id.slice(prefix.length);
  if (!rest || !/^[0-9A-Za-z]{1,60}$/.test(rest)) return undefined;
  const requestId = REQUEST + rest;
  return { requestId, isOf: (route) => prefix === REQUEST || responseIdOf(route, requestId) === id };
}
