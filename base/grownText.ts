// A text up to this length is joined at each step of that many characters, a longer one at each eighth of its length.
const STEP_BITS = 12;
const STEPS_BITS = 3;

// A search needs the characters one after another, so V8 joins the pieces.
const ANY_START = /^/;

/**
 * The text with a piece added, for texts that grow by many pieces. V8 keeps such a text as a tree of them, which takes ten times the memory of
 * its characters, and keeps the reads that the pieces are parts of: so the pieces are joined now and then.
 */
export function grownText(text: string, piece: string): string {
  const grown = text + piece;
  const bits = STEP_BITS + 31 - Math.clz32((grown.length >> (STEP_BITS + STEPS_BITS)) | 1);
  if (grown.length >> bits !== text.length >> bits) ANY_START.test(grown);
  return grown;
}
