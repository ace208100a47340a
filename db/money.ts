/**
 * The platform's money. Internally it is `bigint` nano-USD (10^-9); rates are `bigint` pico-USD (10^-12) per unit, because 0.30 USD per
 * million tokens is 0.3 micro-USD a token. A price is rounded once, when it is settled.
 */

export const PICOS_PER_NANO = 1_000n;
const NANOS_PER_USD = 1_000_000_000n;

/** The prices of units, by the unit's name: the part of a rate card that prices a usage. */
export type Rates = Record<string, bigint>;

/** The consumed units by the same names: whole numbers, and time (`audio_minutes`, `audio_seconds`) to the millisecond. */
export type Quantities = Record<string, number>;

/** Milliseconds in a unit of time. A price of such a unit is the exact price of the used fraction. */
const UNIT_MS: Record<string, number> = { audio_minutes: 60_000, audio_seconds: 1_000 };
/** A multiple of every unit's milliseconds, so that sums of fractions stay whole numbers. */
const COMMON_PARTS = 60_000n;

/** Price of a usage in nano-USD, rounded once, half up. Throws when a quantity has no rate, so that nothing is free by mistake. */
export function costNanosOf(quantities: Quantities, rates: Rates): bigint {
  let picoParts = 0n;
  for (const [unit, quantity] of Object.entries(quantities)) {
    const rate = rates[unit];
    if (rate === undefined) throw new RangeError(`no rate for the unit ${unit}`);
    picoParts += partsOf(unit, quantity) * rate;
  }
  return roundHalfUp(picoParts, PICOS_PER_NANO * COMMON_PARTS);
}

/** The exact price of one unit's quantity in pico-USD; a fraction of time is rounded down. */
export function linePicosOf(unit: string, quantity: number, rate: bigint): bigint {
  return (partsOf(unit, quantity) * rate) / COMMON_PARTS;
}

/** A duration of audio in a unit of time. */
export function quantityOfMs(unit: 'audio_minutes' | 'audio_seconds', durationMs: number): number {
  return durationMs / UNIT_MS[unit]!;
}

function partsOf(unit: string, quantity: number): bigint {
  const unitMs = UNIT_MS[unit];
  if (unitMs === undefined) return BigInt(quantity) * COMMON_PARTS;
  return BigInt(Math.round(quantity * unitMs)) * (COMMON_PARTS / BigInt(unitMs));
}

/** Divides two non-negative integers, rounding to the nearest, halves up. */
export function roundHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend * 2n + divisor) / (divisor * 2n);
}

/** Divides two non-negative integers, rounding up: for amounts that must be covered. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

const HUNDREDTHS = 100n;

/** Rates times a factor of two decimals, rounded up to the pico-USD. */
export function timesRates(rates: Rates, factor: number): Rates {
  const hundredths = BigInt(Math.round(factor * Number(HUNDREDTHS)));
  const pairs = Object.entries(rates).map(([unit, picos]) => [unit, divideUp(picos * hundredths, HUNDREDTHS)] as const);
  return Object.fromEntries(pairs);
}

export const NANOS_PER_CENT = 10_000_000n;

/** The whole cents of an amount that is not negative: a bank moves no less. */
export const wholeCentsOf = (nanos: bigint): bigint => nanos - (nanos % NANOS_PER_CENT);

/** Whether an amount in US dollars is whole cents. */
export const isWholeCents = (usd: number): boolean => /^\d+(\.\d{1,2})?$/.test(String(usd));

/** The JSON number for an amount, made from exact decimal text, so that no float arithmetic affects money. */
export function usdOf(nanos: bigint): number {
  return Number(usdTextOf(nanos));
}

/** An amount as decimal text in US dollars, without trailing zeros: `1.5`, `0.0000003`, `-2`. */
export function usdTextOf(nanos: bigint): string {
  return decimalTextOf(nanos, NANOS_PER_USD, 9);
}

/** The same for readers: grouped digits, at least cents or as many decimals, and all further ones: a call may cost millionths. */
export function amountText(nanos: bigint, decimals = 2): string {
  const [whole, fraction = ''] = usdTextOf(nanos).split('.');
  return `${grouped(whole!)}.${fraction.padEnd(Math.max(2, decimals), '0')}`;
}

/** The same with its sign and currency: `$59.50`, `-$2.00`, `$0.0000003`. */
export const dollarText = (nanos: bigint): string => (nanos < 0n ? `-${dollarText(-nanos)}` : `$${amountText(nanos)}`);

/** Digits in groups of three. */
export const grouped = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** An amount in pico-USD as decimal text, the price of one unit. */
export function usdTextOfPicos(picos: bigint): string {
  return decimalTextOf(picos, NANOS_PER_USD * PICOS_PER_NANO, 12);
}

function decimalTextOf(amount: bigint, perUsd: bigint, decimals: number): string {
  const magnitude = amount < 0n ? -amount : amount;
  const fraction = (magnitude % perUsd).toString().padStart(decimals, '0').replace(/0+$/, '');
  const text = `${magnitude / perUsd}${fraction && `.${fraction}`}`;
  return amount < 0n ? `-${text}` : text;
}

/** Parses decimal text or a JSON number in US dollars to nano-USD. Throws on anything finer than a nano-USD, and on other text. */
export function nanosOfUsd(usd: number | string): bigint {
  return scaledDecimalOf(usd, 9);
}

/** Whether an amount in US dollars is a whole number of nano-USD, as `nanosOfUsd` needs it. */
export function isWholeNanos(usd: number): boolean {
  try {
    nanosOfUsd(usd);
    return true;
  } catch {
    return false;
  }
}

/** The same as pico-USD: a unit's price may have twelve decimals. */
export function picosOfUsd(usd: number | string): bigint {
  return scaledDecimalOf(usd, 12);
}

/** Rate in pico-USD per unit from a catalogue price in US dollars per million units. */
export function picosPerUnitOf(usdPerMillionUnits: number): bigint {
  return nanosOfUsd(usdPerMillionUnits) / 1_000n;
}

function scaledDecimalOf(usd: number | string, decimals: number): bigint {
  const text = typeof usd === 'number' ? plainDecimalOf(usd) : usd.trim();
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals) throw new RangeError(`not an amount in US dollars: ${usd}`);
  const scaled = BigInt(whole + fraction.padEnd(decimals, '0'));
  return sign ? -scaled : scaled;
}

// 3e-7 prints in exponent form, and a price list may contain such a number. All its digits are kept, so none is rounded.
function plainDecimalOf(usd: number): string {
  const [digits, exponent] = String(usd).split('e-');
  if (exponent === undefined) return digits!;
  return usd.toFixed((digits!.split('.')[1] ?? '').length + Number(exponent));
}
