const SECOND_MS = 1000;

let second = Number.NaN;
let secondText = '';

/**
 * A time (milliseconds since 1970) as `Date.toISOString` writes it. The text of the second is kept from one call to the next: a busy
 * process writes the time of thousands of calls a second, and all but the last digits are the same.
 */
export function isoTimeOf(timeMs: number): string {
  const wholeMs = Math.floor(timeMs);
  const inSecond = Math.floor(wholeMs / SECOND_MS);
  if (inSecond !== second) {
    second = inSecond;
    secondText = new Date(inSecond * SECOND_MS).toISOString().slice(0, -4);
  }
  return `${secondText}${String(wholeMs - inSecond * SECOND_MS).padStart(3, '0')}Z`;
}
