/** Whether a JSON value is an object and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object without its null members, which clients and models send for omitted ones. Returns the same object when it has none. */
export function withoutNulls<Value extends object>(value: Value): Value {
  for (const name in value) {
    if (value[name] === null)
      return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as Value;
  }
  return value;
}

/** Whether PostgreSQL can store a text, as text and in JSON: no NUL and no unpaired surrogate. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** A text with U+FFFD in place of what cannot be stored: for texts that no caller can correct. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** The same for all texts in a JSON value, including member names. */
export function storableJson(value: object): object {
  return JSON.parse(JSON.stringify(value), (_name, member: unknown) => {
    if (typeof member === 'string') return storableText(member);
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [storableText(name), inner]));
  }) as object;
}
