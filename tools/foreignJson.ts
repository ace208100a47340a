import { isLongInteger } from '../base/json.ts';

/** Nesting limit for JSON from models and plugins, because later readers recurse. */
export const JSON_DEPTH_MAX = 64;

const [QUOTE, BACKSLASH, LINE_FEED, CARRIAGE_RETURN] = [34, 92, 10, 13];
const OPENINGS = new Set(Buffer.from('{['));
const CLOSINGS = new Set(Buffer.from('}]'));

/**
 * Why a parsed value cannot be passed on, as the end of a sentence; undefined if it can. Does not recurse.
 * @param hasDigits whether it goes on as text, with all digits of its integers.
 */
export function faultOfValue(value: unknown, { hasDigits = false } = {}): string | undefined {
  const isLost = (one: unknown) => one === Infinity || one === -Infinity || (!hasDigits && isLongInteger(one));
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const objects = level.filter((one) => typeof one === 'object' && one !== null);
    if (objects.some((one) => Object.hasOwn(one, '__proto__'))) return "it has a member named '__proto__'";
    if (level.some(isLost)) return 'it has a number with more digits than can be kept: write it as a text';
    if (objects.length > 0 && depth === JSON_DEPTH_MAX) return `it is nested deeper than ${JSON_DEPTH_MAX} levels`;
    level = objects.flatMap((one) => Object.values(one));
  }
  return undefined;
}

/**
 * Checks the nesting of a JSON text, or of server-sent events with one text each, as its bytes arrive: returns whether it is too deep so
 * far. A line end also ends a string, since JSON strings contain none; the empty line that ends an event closes all levels.
 */
export function createDepthWatch({ isEvents }: { isEvents: boolean }): (chunk: Uint8Array) => boolean {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let isLineEmpty = true;
  const endLine = () => {
    if (isEvents && isLineEmpty) depth = 0;
    isLineEmpty = true;
    isInString = false;
  };
  return (chunk) => {
    for (const byte of chunk) {
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
        endLine();
        continue;
      }
      isLineEmpty = false;
      if (isInString) {
        isInString = isEscaped || byte !== QUOTE;
        isEscaped = !isEscaped && byte === BACKSLASH;
      } else if (byte === QUOTE) isInString = true;
      else if (OPENINGS.has(byte)) depth += 1;
      else if (CLOSINGS.has(byte)) depth -= 1;
      if (depth > JSON_DEPTH_MAX) return true;
    }
    return false;
  };
}
