import { decimalOf, type Usd } from './nanos.ts';
import { usdText } from './usdText.ts';

/** The precision that the amounts of a column share. */

const MINUS = '−';
const CENT_DIGITS = 2;
const NANO_DIGITS = 9;
// Of the largest amount, on both sides of the point: more would push other columns out of sight.
const FIGURES_MAX = 10;

/**
 * The digits after the point with which a column of amounts shows each of them: cents, or as many as the smallest one needs for two
 * figures. `[1.5, 0.000034]` needs six. Beside large amounts there are fewer, and what is smaller is shown as less than the last of them.
 */
export function digitsOf(amounts: (Usd | null | undefined)[]): number {
  const sizes = amounts.map((usd) => Math.abs(Number(usd ?? 0))).filter((usd) => usd > 0);
  const smallest = Math.min(...sizes);
  if (!Number.isFinite(smallest) || smallest >= 0.1) return CENT_DIGITS;
  const wholeDigits = Math.max(1, Math.floor(Math.log10(Math.max(...sizes))) + 1);
  const digitsMax = Math.max(CENT_DIGITS, Math.min(NANO_DIGITS, FIGURES_MAX - wholeDigits));
  return Math.min(digitsMax, Math.ceil(-Math.log10(smallest)) + 1);
}

/** The digits with which a column shows each of its amounts exactly. */
export const exactDigitsOf = (amounts: (Usd | null | undefined)[]): number =>
  Math.max(CENT_DIGITS, ...amounts.map((usd) => usdText(usd ?? 0).split('.')[1]?.length ?? 0));

/** Writes each of some amounts with the precision of their column, as a text. */
export const columnText = (amounts: (number | null | undefined)[]): ((usd: number) => string) => {
  const digits = digitsOf(amounts);
  return (usd) => fixedText(usd, digits);
};

const FIXED = Array.from(
  { length: NANO_DIGITS + 1 },
  (_, digits) => new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);

/** An amount with so many digits after the point. */
export function fixedText(usd: Usd, digits: number): string {
  const amount = Number(usd);
  const last = 10 ** -digits;
  // Not shown as nothing.
  if (amount !== 0 && Math.abs(amount) < last / 2)
    return `${amount > 0 ? '< ' : `> ${MINUS}`}$${FIXED[digits]!.format(last)}`;
  return `${amount < 0 ? MINUS : ''}$${FIXED[digits]!.format(decimalOf(usd)).replace('-', '')}`;
}
