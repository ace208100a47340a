const [QUOTE, BACKSLASH] = [34, 92];

/** The role of a byte outside of strings in a JSON text's shape; 0: none. */
const [STRING, COMMA, OPENING, CLOSING] = [1, 2, 3, 4];
const MEANING = new Uint8Array(256);
for (const [characters, meaning] of [
  ['"', STRING],
  [',', COMMA],
  ['{[', OPENING],
  ['}]', CLOSING],
] as const)
  // prettier-ignore
  for (const character of characters) MEANING[character.charCodeAt(0)] = meaning;

/** Greatest nesting depth of a caller's JSON. */
export const JSON_DEPTH_MAX = 64;

// The end of a longer string is searched natively. Within a short string that call would cost more than the loop, and so it would between
// escaped quotes that are close to each other.
const WALKED_BYTES_MAX = 48;

// Parsing takes a microsecond for seven levels.
const CHEAP_OPENINGS_MAX = 8 * 1024;

/** The limit of the route that a JSON text exceeds. */
export type Excess = 'depth' | 'values';

/** Whether a text has so few brackets that parsing is cheap at any nesting. Costs 1 us for 16 KB of a conversation. */
export function hasFewBrackets(text: string): boolean {
  let openings = 0;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1))
      if ((openings += 1) > CHEAP_OPENINGS_MAX) return false;
  return true;
}

/**
 * The limit that a parsed value exceeds: depth, or number of values (members and elements; an empty array or object counts as one).
 * Undefined if none. Takes 1 to 8 us for 16 KB, where `excessOfText` takes 17 to 42.
 */
export function excessOfValue(value: unknown, valuesMax: number): Excess | undefined {
  const values = countValues(value, JSON_DEPTH_MAX);
  if (values === Infinity) return 'depth';
  return values > valuesMax ? 'values' : undefined;
}

/** Infinity for a value with more levels than `levelsLeft`. */
function countValues(value: unknown, levelsLeft: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (levelsLeft === 0) return Infinity;
  let members = 0;
  let below = 0;
  if (Array.isArray(value)) {
    members = value.length;
    for (let at = 0; at < members; at += 1) below += countValues(value[at], levelsLeft - 1);
  } else {
    // Twice as fast as `Object.values`. Parsed JSON inherits no member that this loop would visit.
    for (const name in value) {
      members += 1;
      below += countValues((value as Record<string, unknown>)[name], levelsLeft - 1);
    }
  }
  return below + Math.max(1, members);
}

/**
 * The same for a JSON text, counted by its commas and brackets before parsing. The parser accepts any depth and number of values, at up to
 * 14 times the usual cost per byte. Stops once the answer is known.
 */
export function excessOfText(json: Buffer, valuesMax: number): Excess | undefined {
  let depth = 0;
  let values = 0;
  let at = 0;
  while (at < json.length) {
    const meaning = MEANING[json[at]!];
    at += 1;
    if (meaning === 0) continue;
    if (meaning === STRING) at = endOfString(json, at);
    else if (meaning === CLOSING) depth -= 1;
    else {
      if (meaning === OPENING && (depth += 1) > JSON_DEPTH_MAX) return 'depth';
      if ((values += 1) > valuesMax) return 'values';
    }
  }
  return undefined;
}

/** The position after the closing quote of the string whose first byte is at `from`. */
function endOfString(json: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const walkedTo = Math.min(json.length, at + WALKED_BYTES_MAX);
    for (; at < walkedTo; at += 1) {
      const byte = json[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at += 1;
    }
    const quote = json.indexOf(QUOTE, at);
    if (quote === -1) return json.length;
    let first = quote;
    while (first > at && json[first - 1] === BACKSLASH) first -= 1;
    // After an even number of backslashes the quote ends the string.
    if ((quote - first) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}
