/** Exact arithmetic of amounts: as whole nano-dollars, because binary fractions of dollars lose digits in the millions. */

/** An amount of US dollars: as the API has it, or as decimal text, which keeps all digits of any sum. */
export type Usd = number | `${number}`;

const NANO_DIGITS = 9;
// From there a number has no room for more digits than its shortest text has.
const TEXT_USD = 1e6;

/** The shortest decimal text of an amount. */
export const decimalOf = (usd: Usd): `${number}` => `${usd}` as const;

function nanosOf(usd: number): bigint {
  const text = Math.abs(usd) < TEXT_USD ? usd.toFixed(NANO_DIGITS) : String(usd);
  const [whole, fraction = ''] = text.split('.');
  return BigInt(whole! + fraction.slice(0, NANO_DIGITS).padEnd(NANO_DIGITS, '0'));
}

/** The exact sum of amounts, which are all whole numbers of nano-dollars, as decimal text. */
export function sumText(amounts: number[]): `${number}` {
  return usdOfNanos(amounts.reduce((sum, usd) => sum + nanosOf(usd), 0n));
}

/** Whole nano-dollars as the decimal text of dollars. */
export function usdOfNanos(nanos: bigint): `${number}` {
  const digits = String(nanos < 0n ? -nanos : nanos).padStart(NANO_DIGITS + 1, '0');
  return `${nanos < 0n ? '-' : ''}${digits.slice(0, -NANO_DIGITS)}.${digits.slice(-NANO_DIGITS)}` as `${number}`;
}

/** The same as a number: for charts and comparisons. */
export const sumOf = (amounts: number[]): number => Number(sumText(amounts));
