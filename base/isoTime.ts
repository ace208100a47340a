const SECOND_MS = 1000;

let second = Number.NaN;
let secondText = '';

/**
 * A time (milliseconds since 1970) in the format of `Date.toISOString`. The text of the current second is cached: a busy process formats
 * thousands of times per second, and only the last digits differ.
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

/** A time in whole seconds since 1970, as OpenAI's objects have it. */
export const unixSecondsOf = (time: Date): number => Math.floor(time.getTime() / SECOND_MS);
