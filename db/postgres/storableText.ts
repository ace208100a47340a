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
