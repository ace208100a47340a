const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, QUOTE, BACKSLASH] = [123, 125, 91, 93, 34, 92];

/** How deep a caller's JSON may be nested. */
export const JSON_DEPTH_MAX = 64;

/**
 * Whether a JSON text is nested deeper than that. Asked before parsing: the parser takes any depth, but everything that walks the result
 * afterwards would overflow.
 */
export function isTooDeep(json: Uint8Array): boolean {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (inString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) deepest = Math.max(deepest, ++depth);
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
  }
  return deepest > JSON_DEPTH_MAX;
}
