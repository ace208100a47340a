// What the fonts can draw: Latin letters with their accents, and the usual marks.
const OTHERS =
  /[^\x20-\x7e\xa0-\u0113\u0116-\u012b\u012e-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u017e\u0218-\u021b\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u20ac\u2122]/gu;

/** A text with a question mark for each character that the fonts lack. */
export const printableOf = (text: string): string => text.replaceAll(OTHERS, '?');

/** Whether the fonts have every character. */
export const isPrintable = (text: string): boolean => printableOf(text) === text;
