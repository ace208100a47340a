import { decimalOf, type Usd } from './nanos.ts';

const exact = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 9,
});

/** US dollars to the nano, and at least to the cent: `$0.000012`, with a true minus. */
export const usdText = (usd: Usd): string => exact.format(decimalOf(usd)).replace('-', '−');
