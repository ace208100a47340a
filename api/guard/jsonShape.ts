const [QUOTE, BACKSLASH] = [34, 92];

/** What a byte outside of strings means for the shape of a JSON text: 0 for nothing. */
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

/** How deep a caller's JSON may be nested. */
export const JSON_DEPTH_MAX = 64;

// The end of a longer string is searched for natively: within a short one the call would cost more than the walk.
const WALKED_BYTES_MAX = 48;

/**
 * Whether a text has so few brackets that it cannot be nested too deep: at 16 KB this costs 1 us, a walk 40. Values are members and elements;
 * a text has at most one for two of its characters.
 */
export function isSurelyFlat(text: string): boolean {
  let openings = 0;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1))
      if ((openings += 1) > JSON_DEPTH_MAX) return false;
  return true;
}

/**
 * What of a JSON text is more than a route takes: its depth, or its values (members and elements, counted by commas and brackets); undefined
 * when neither is. Asked before parsing: the parser takes any depth and number, but everything that walks the result afterwards would
 * overflow or take seconds. Stops where it is known.
 */
export function excessOf(json: Buffer, valuesMax: number): 'depth' | 'values' | undefined {
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

/** Where a string ends whose first byte is at `from`: the place after its quote. */
function endOfString(json: Buffer, from: number): number {
  const walkedTo = Math.min(json.length, from + WALKED_BYTES_MAX);
  let at = from;
  for (; at < walkedTo; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at += 1;
  }
  for (;;) {
    const quote = json.indexOf(QUOTE, at);
    if (quote === -1) return json.length;
    let first = quote;
    while (first > at && json[first - 1] === BACKSLASH) first -= 1;
    // After an even number of backslashes it is the end.
    if ((quote - first) % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}
