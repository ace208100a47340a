import { digitsOfStep } from './scale.ts';

/** An amount at an axis: with as many digits as tell its ticks apart. */
export const usdTick = (usd: number, step: number): string => {
  const digits = digitsOfStep(step);
  const shown = digits === 1 ? 2 : digits;
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: shown, maximumFractionDigits: shown })}`;
};
