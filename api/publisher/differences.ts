import { isDeepStrictEqual } from 'node:util';

/** One change in JSON Patch form (RFC 6902), with the previous value. */
export interface Difference {
  op: 'add' | 'remove' | 'replace';
  /** JSON pointer. */
  path: string;
  from?: unknown;
  to?: unknown;
}

/** The changes that turn one JSON value into another, member by member; arrays are compared by position. */
export function differencesOf(from: unknown, to: unknown, path = ''): Difference[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (!isContainer(from) || !isContainer(to) || Array.isArray(from) !== Array.isArray(to))
    return [{ op: 'replace', path, from, to }];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.flatMap((name) => {
    const place = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(to, name)) return [{ op: 'remove' as const, path: place, from: from[name] }];
    if (!Object.hasOwn(from, name)) return [{ op: 'add' as const, path: place, to: to[name] }];
    return differencesOf(from[name], to[name], place);
  });
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
