// Letters that are written from right to left, and marks that turn the text after them around.
const TURNING = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Bidi_Control}]/u;
const [ISOLATE, POP] = ['\u2068', '\u2069'];

/** A name within a sentence: isolated where it would change the order of the words around it. */
export const apart = (name: string): string => (TURNING.test(name) ? `${ISOLATE}${name}${POP}` : name);
