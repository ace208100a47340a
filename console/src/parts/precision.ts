import { decimalOf, type Usd } from './nanos.ts';
import { usdText } from './usdText.ts';

/** The precision that the amounts of a column share. */

const MINUS = '−';
const CENT_DIGITS = 2;
const NANO_DIGITS = 9;
// On both sides of the point, without a zero before it: more of them would push other columns out of sight.
const FIGURES_MAX = 9;

/**
 * The digits after the point with which a column of amounts shows each of them: cents, or as many as the smallest one needs for two
 * figures. `[1.5, 0.000034]` needs six.
 */
export function digitsOf(amounts: (Usd | null | undefined)[]): number {
  const smallest = Math.min(...amounts.map((usd) => Math.abs(Number(usd ?? 0))).filter((usd) => usd > 0));
  if (!Number.isFinite(smallest) || smallest >= 0.1) return CENT_DIGITS;
  return Math.min(NANO_DIGITS, Math.ceil(-Math.log10(smallest)) + 1);
}

/** Those that one amount of the column shows: thousands and millions beside nano-dollars have fewer, so that they fit. */
export function digitsBeside(usd: Usd | null | undefined, digits: number): number {
  const size = Math.abs(Number(usd ?? 0));
  const wholeDigits = size < 1 ? 0 : Math.floor(Math.log10(size)) + 1;
  return Math.min(digits, Math.max(CENT_DIGITS, FIGURES_MAX - wholeDigits));
}

/** The digits with which a column shows each of its amounts exactly. */
export const exactDigitsOf = (amounts: (Usd | null | undefined)[]): number =>
  Math.max(CENT_DIGITS, ...amounts.map((usd) => usdText(usd ?? 0).split('.')[1]?.length ?? 0));

/** Writes each of some amounts with the precision of their column, as a text. */
export const columnText = (amounts: (number | null | undefined)[]): ((usd: number) => string) => {
  const digits = digitsOf(amounts);
  return (usd) => fixedText(usd, digitsBeside(usd, digits));
};

const FIXED = Array.from(
  { length: NANO_DIGITS + 1 },
  (_, digits) => new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);

/** An amount with so many digits after the point. */
export const fixedText = (usd: Usd, digits: number): string =>
  `${Number(usd) < 0 ? MINUS : ''}$${FIXED[digits]!.format(decimalOf(usd)).replace('-', '')}`;
