// The blocks of letters that are written from right to left, and marks that turn the text after them around.
const TURNING = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}\p{Bidi_Control}]/u;
const [ISOLATE, POP] = ['\u2068', '\u2069'];
// Isolates of the name’s own would end the one around it, or leave it open.
const ISOLATES = /[\u2066-\u2069]/g;

/** A name within a sentence: isolated where it would change the order of the words around it. */
export const apart = (name: string): string =>
  TURNING.test(name) ? `${ISOLATE}${name.replaceAll(ISOLATES, '')}${POP}` : name;
