import { isLongInteger } from '../base/json.ts';

/** Nesting limit for JSON from models and plugins, because later readers recurse. */
const JSON_DEPTH_MAX = 64;

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

/** Messages of one answer: each costs its reader some time. */
const MESSAGES_MAX = 10_000;

/**
 * Checks a JSON text, or server-sent events with one text each, as its bytes arrive: returns what is wrong so far, as the end of a sentence.
 * A line end also ends a string, since JSON strings contain none; the empty line that ends an event closes all levels. The messages of a
 * JSON text are the objects of its outer list.
 */
export function createAnswerWatch({ isEvents }: { isEvents: boolean }): (chunk: Uint8Array) => string | undefined {
  let [depth, messages] = [0, 0];
  let [isInString, isEscaped, isLineEmpty, endsWithReturn] = [false, false, true, false];
  const endLine = () => {
    if (isEvents && isLineEmpty) [depth, messages] = [0, messages + 1];
    isLineEmpty = true;
    isInString = false;
  };
  const read = (byte: number) => {
    isLineEmpty = false;
    if (isInString) {
      isInString = isEscaped || byte !== QUOTE;
      isEscaped = !isEscaped && byte === BACKSLASH;
    } else if (byte === QUOTE) isInString = true;
    else if (OPENINGS.has(byte)) {
      depth += 1;
      if (!isEvents && depth === 2) messages += 1;
    } else if (CLOSINGS.has(byte)) depth -= 1;
  };
  return (chunk) => {
    for (const byte of chunk) {
      // Both together are one line end.
      const isSecond = endsWithReturn && byte === LINE_FEED;
      endsWithReturn = byte === CARRIAGE_RETURN;
      if (isSecond) continue;
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) endLine();
      else read(byte);
      if (depth > JSON_DEPTH_MAX) return `is nested deeper than ${JSON_DEPTH_MAX} levels`;
      if (messages > MESSAGES_MAX) return `has more than ${MESSAGES_MAX} messages`;
    }
    return undefined;
  };
}
