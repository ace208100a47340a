// What Geist can draw: Latin letters with their accents, those of Vietnamese too, Cyrillic letters, and the usual marks.
const BESIDES_GEIST =
  /[^\x20-\x7e\xa0-\xac\xae-\u0113\u0116-\u012b\u012e-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u017e\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u0400-\u045f\u0490-\u0493\u049a\u049b\u04a2\u04a3\u04ae-\u04b1\u04ba\u04bb\u04d8\u04d9\u04e8\u04e9\u1ea0-\u1ef9\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u20ac\u2116\u2122]/gu;

// What DejaVu can draw: all of that, Greek, Armenian, Georgian, Hebrew and Arabic letters.
const BESIDES_DEJAVU =
  /[^\x20-\x7e\xa0-\xac\xae-\u017e\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u0370-\u0373\u0376\u0377\u037a-\u037e\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ff\u0400-\u0525\u0531-\u0556\u0561-\u0587\u05d0-\u05ea\u05f0-\u05f4\u060c\u061b\u061f\u0621-\u063a\u0640-\u064a\u0660-\u0669\u0679-\u06bf\u06c6-\u06c8\u06cb\u06cc\u06ce\u06d0\u06f0-\u06f9\u10d0-\u10fa\u1e00-\u1ef9\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u20ac\u2116\u2122]/gu;

/** A text with a question mark for each character that neither font has. */
export const printableOf = (text: string): string => text.replaceAll(BESIDES_DEJAVU, '?');

/** Whether the fonts have every character. */
export const isPrintable = (text: string): boolean => printableOf(text) === text;

/** Whether a printable text has characters that Geist lacks: DejaVu draws it whole, so that it has one look. */
export const needsDejaVu = (text: string): boolean => text.search(BESIDES_GEIST) >= 0;
