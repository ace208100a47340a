// Doubles are exact up to here; a longer number would not survive JSON.parse.
const LONGEST_INTEGER = '999999999999999';

/** The whole numbers that a schema's bounds allow: none where `min` is above `max`. */
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
 * A grammar expression for the whole numbers from `min` to `max`, both included and both whole or infinite.
 * Returns undefined when there are none.
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
