const KEY_CHARACTERS = 12;

/** The part of a key that is found by: the rest is secret, and stays here. */
export const withoutSecret = (text: string): string => (text.startsWith('sk_') ? text.slice(0, KEY_CHARACTERS) : text);
