/** The grammar's rules for plain JSON. Whitespace is at most one space: a small model could otherwise write endless blanks. */
export const JSON_RULES: Record<string, string> = {
  comma: '"," " "?',
  colon: '":" " "?',
  char: '[^"\\\\\\x7F\\x00-\\x1F] | "\\\\" ["\\\\bfnrt]',
  string: '"\\"" char* "\\""',
  integer: '"-"? ("0" | [1-9] [0-9]{0,14})',
  number: 'integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?',
  member: 'string colon value',
  object: '"{" (member (comma member)*)? "}"',
  array: '"[" (value (comma value)*)? "]"',
  boolean: '"true" | "false"',
  null: '"null"',
  value: 'object | array | string | number | boolean | null',
  hex: '[0-9a-f]',
  label: '[a-z] [a-z0-9]{0,20}',
  host: 'label ("." label){0,2} "." [a-z]{2,6}',
  octet: '"25" [0-5] | "2" [0-4] [0-9] | "1" [0-9] [0-9] | [1-9] [0-9] | [0-9]',
  date: '[0-9]{4} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | "1" [0-9] | "2" [0-8])',
  time: '([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] "Z"',
};

/** The content of a string, by JSON Schema format: the part of the format on which every validator agrees. */
export const STRING_FORMATS = new Map<unknown, string>(
  Object.entries({
    date: 'date',
    time: 'time',
    'date-time': 'date "T" time',
    uuid: 'hex{8} "-" hex{4} "-4" hex{3} "-" [89ab] hex{3} "-" hex{12}',
    email: 'label ("." label)? "@" host',
    hostname: 'host',
    ipv4: 'octet "." octet "." octet "." octet',
    uri: '"https://" host ("/" [a-zA-Z0-9_-]{0,30}){0,4}',
  }),
);

/** A literal text. */
export function literal(text: string): string {
  return JSON.stringify(text);
}

/** A literal JSON value. */
export function jsonLiteral(value: unknown): string {
  return literal(JSON.stringify(value));
}

// Doubles are exact up to here; a longer number would not survive JSON.parse.
const LONGEST_INTEGER = '999999999999999';

/** The integers that a schema's bounds allow: none where `min` is above `max`. */
export function wholeBounds(schema: Record<string, unknown>): { min: number; max: number } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return {
    min: Math.ceil(Math.max(lowest(minimum), Math.floor(lowest(exclusiveMinimum)) + 1)),
    max: Math.floor(Math.min(highest(maximum), Math.ceil(highest(exclusiveMaximum)) - 1)),
  };
}

const lowest = (bound: unknown): number => (typeof bound === 'number' ? bound : -Infinity);
const highest = (bound: unknown): number => (typeof bound === 'number' ? bound : Infinity);

/**
 * A grammar expression for the integers from `min` to `max`, both inclusive and both whole or infinite. Returns undefined when there are
 * none.
 */
export function integerRange(min: number, max: number): string | undefined {
  if (min > max) return undefined;
  const alternatives: string[] = [];
  if (min < 0) alternatives.push(`"-" (${naturals(Math.max(1, -max), -min)})`);
  if (max >= 0) alternatives.push(naturals(Math.max(0, min), max));
  return alternatives.join(' | ');
}

function naturals(min: number, max: number): string {
  const low = min > Number(LONGEST_INTEGER) ? LONGEST_INTEGER : String(min);
  const high = max > Number(LONGEST_INTEGER) ? LONGEST_INTEGER : String(max);
  const alternatives: string[] = [];
  for (let digits = low.length; digits <= high.length; digits += 1) {
    const from = digits === low.length ? low : `1${'0'.repeat(digits - 1)}`;
    const to = digits === high.length ? high : '9'.repeat(digits);
    alternatives.push(between(from, to));
  }
  return alternatives.join(' | ');
}

/** The digit strings from `low` to `high`, which are equally long. */
function between(low: string, high: string): string {
  if (low === high) return `"${low}"`;
  const [first, last] = [Number(low[0]), Number(high[0])];
  const rest = low.length - 1;
  if (rest === 0) return `[${first}-${last}]`;
  const [zeros, nines] = ['0'.repeat(rest), '9'.repeat(rest)];
  if (low.slice(1) === zeros && high.slice(1) === nines) return `[${first}-${last}] [0-9]{${rest}}`;
  if (first === last) return `"${first}" (${between(low.slice(1), high.slice(1))})`;
  const middle = first + 1 <= last - 1 ? [`[${first + 1}-${last - 1}] [0-9]{${rest}}`] : [];
  return [
    `"${first}" (${between(low.slice(1), nines)})`,
    ...middle,
    `"${last}" (${between(zeros, high.slice(1))})`,
  ].join(' | ');
}
