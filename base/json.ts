/** Whether a JSON value is an object and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A caller's JSON. Integers beyond the range of a double keep their digits: each becomes an object that serialises to them. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // A reviver makes parsing ten times slower, so only a text with such a number uses one.
  return hasLongNumber(value, DEPTH_MAX) ? JSON.parse(text, exactly as never) : value;
}

/** JSON of any form that is stored or checked: exactly parsed only if it has a number that `lostNumberIn` finds. */
export function parseData(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!hasLongNumber(value, DEPTH_MAX)) return value;
  const exact = parseExact(text);
  return lostNumberIn(exact) ? exact : value;
}

/** The same value with plain numbers instead of long integers. */
export const withPlainNumbers = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** Whether a value is an integer that kept its digits. */
export const isLongInteger = (value: unknown): value is object => raw.isRawJSON(value);

/** Why data with such a number is refused. */
export const LOST_NUMBER = 'This number has more digits than can be kept: send it as a text.';

/** Path of the first integer in exactly parsed JSON that would lose digits, or of a number out of range. Deeper parts are refused elsewhere. */
export function lostNumberIn(value: unknown, levelsLeft = DEPTH_MAX): string[] | undefined {
  if (value === Infinity || value === -Infinity) return [];
  if (typeof value !== 'object' || value === null || levelsLeft < 0) return undefined;
  if (raw.isRawJSON(value)) return isLost(JSON.stringify(value)) ? [] : undefined;
  for (const name in value) {
    const path = lostNumberIn((value as Record<string, unknown>)[name], levelsLeft - 1);
    if (path) return [name.slice(0, NAME_CHARS_MAX), ...path];
  }
  return undefined;
}

function isLost(digits: string): boolean {
  const value = Number(digits);
  return !Number.isFinite(value) || BigInt(digits) !== BigInt(value);
}

// Part of the language since ES2026; the compiler's library lacks it.
const raw = JSON as unknown as { rawJSON(text: string): object; isRawJSON(value: unknown): boolean };
// Deeper texts are refused.
const DEPTH_MAX = 64;

function exactly(_name: string, value: unknown, { source }: { source?: string }): unknown {
  const isLong = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '');
  return isLong ? raw.rawJSON(source!) : value;
}

function hasLongNumber(value: unknown, levelsLeft: number): boolean {
  if (typeof value === 'number') return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER;
  if (typeof value !== 'object' || value === null || levelsLeft === 0) return false;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) if (hasLongNumber(value[at], levelsLeft - 1)) return true;
    return false;
  }
  for (const name in value) if (hasLongNumber((value as Record<string, unknown>)[name], levelsLeft - 1)) return true;
  return false;
}

/** The object without its null members, which clients and models send for omitted ones. Returns the same object when it has none. */
export function withoutNulls<Value extends object>(value: Value): Value {
  for (const name in value) {
    if (value[name] === null)
      return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as Value;
  }
  return value;
}

/**
 * The object without those of its `switches` that are off: what they would switch on is off anyway, so they count as not sent. Texts of a
 * form are read by `valueOf`. Returns the same object when none is off.
 */
export function withoutOff<Value extends object>(
  value: Value,
  switches: readonly (keyof Value & string)[],
  valueOf: (member: Value[keyof Value]) => unknown = (member) => member,
): Value {
  const off: readonly string[] = switches.filter(
    (name) => Object.hasOwn(value, name) && valueOf(value[name]) === false,
  );
  if (off.length === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !off.includes(name))) as Value;
}

/** Whether PostgreSQL can store a text, as text and in JSON: no NUL and no unpaired surrogate. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Why a text is refused that is not storable. */
export const UNSTORABLE = 'A text holds no NUL (U+0000) and no half of a surrogate pair.';

const NAME_CHARS_MAX = 100;

/** Path of the first text in a value that PostgreSQL cannot store, behind `at`; member names are texts too. */
export function unstorableIn(value: unknown, at: string[] = []): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : at;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const place = isStorable(name) ? unstorableIn(member, [...at, name.slice(0, NAME_CHARS_MAX)]) : at;
    if (place) return place;
  }
  return undefined;
}

/** A text with U+FFFD for each character that PostgreSQL cannot store: for texts that no caller can correct. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** The same for all texts in a JSON value, including member names. */
export function storableJson(value: object): object {
  return JSON.parse(JSON.stringify(value), (_name, member: unknown) => {
    if (typeof member === 'string') return storableText(member);
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [storableText(name), inner]));
  }) as object;
}

/** The beginning of a text, as PostgreSQL can store it: a cut may go through a character of two halves. */
export const storableBeginning = (text: string, charactersMax: number): string =>
  storableText(text.slice(0, charactersMax));
