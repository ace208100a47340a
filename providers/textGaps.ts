// How far behind the part before a part may be: punctuation, and what a model writes otherwise in the text.
const AHEAD_CHARS_MAX = 100;

/**
 * Whether each of these parts of a text, which follow one another, is apart from the one before: some languages write no spaces. A hyphen
 * that belongs to neither part counts as a space, and so does the place of a part that is not found.
 */
export function spacedIn(text: string, parts: string[]): boolean[] {
  let at = 0;
  return parts.map((part) => {
    const near = text.slice(at, at + part.length + AHEAD_CHARS_MAX);
    const found = near.indexOf(part);
    if (found < 0) return true;
    at += found + part.length;
    return /[\s!-~]/.test(near.slice(0, found));
  });
}
