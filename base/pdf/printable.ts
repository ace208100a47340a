// What the fonts can draw: Latin letters with their accents, those of Vietnamese too, Cyrillic letters, and the usual marks.
const OTHERS =
  /[^\x20-\x7e\xa0-\xac\xae-\u0113\u0116-\u012b\u012e-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u017e\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u0400-\u045f\u0490-\u0493\u049a\u049b\u04a2\u04a3\u04ae-\u04b1\u04ba\u04bb\u04d8\u04d9\u04e8\u04e9\u1ea0-\u1ef9\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u20ac\u2116\u2122]/gu;

/** A text with a question mark for each character that the fonts lack. */
export const printableOf = (text: string): string => text.replaceAll(OTHERS, '?');

/** Whether the fonts have every character. */
export const isPrintable = (text: string): boolean => printableOf(text) === text;
