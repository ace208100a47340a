/** Whether a value of an upstream's JSON is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object without its members that are null: clients and models send them for what they leave out. The object itself when it has none. */
export function withoutNulls<Value extends object>(value: Value): Value {
  for (const name in value) {
    if (value[name] === null)
      return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as Value;
  }
  return value;
}

/** Whether PostgreSQL can hold a text, as such and in JSON: it holds no NUL, and no half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** A text with U+FFFD in place of what cannot be stored: for what is not a caller's to mend. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** The same for all texts in a JSON object, names of members included. */
export function storableJson(value: object): object {
  return JSON.parse(JSON.stringify(value), (_name, member: unknown) => {
    if (typeof member === 'string') return storableText(member);
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [storableText(name), inner]));
  }) as object;
}
