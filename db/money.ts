/**
 * Money of the platform. Inside it is `bigint` nano-USD (10^-9); rates are `bigint` pico-USD (10^-12) per unit, because
 * 0.30 USD per million tokens is 0.3 micro-USD a token. A price is rounded once, when it is settled.
 */

const PICOS_PER_NANO = 1_000n;
const NANOS_PER_USD = 1_000_000_000n;

/** What one unit costs, by the unit's name: the part of a rate card that a usage is priced with. */
export type Rates = Record<string, bigint>;

/** How many units were consumed, by the same names: whole numbers, and time (`audio_minutes`, `audio_seconds`) to the millisecond. */
export type Quantities = Record<string, number>;

/** Milliseconds in a unit of time. A price of such a unit is the exact price of the fraction that was used. */
const UNIT_MS: Record<string, number> = { audio_minutes: 60_000, audio_seconds: 1_000 };
/** A multiple of every unit's milliseconds, so that sums of fractions stay whole numbers. */
const COMMON_PARTS = 60_000n;

/** Price of a usage in nano-USD, rounded once, half up. Throws when a quantity has no rate: nothing is given away silently. */
export function costNanosOf(quantities: Quantities, rates: Rates): bigint {
  let picoParts = 0n;
  for (const [unit, quantity] of Object.entries(quantities)) {
    const rate = rates[unit];
    if (rate === undefined) throw new RangeError(`no rate for the unit ${unit}`);
    picoParts += partsOf(unit, quantity) * rate;
  }
  return roundHalfUp(picoParts, PICOS_PER_NANO * COMMON_PARTS);
}

/** A stretch of sound in a unit of time. */
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

/** Divides two non-negative integers, rounding up: what must be covered at the least. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** The JSON number for an amount: exact decimal text first, so that no float arithmetic touches money. */
export function usdOf(nanos: bigint): number {
  return Number(usdTextOf(nanos));
}

/** An amount as decimal text in US dollars, without trailing zeros: `1.5`, `0.0000003`, `-2`. */
export function usdTextOf(nanos: bigint): string {
  const magnitude = nanos < 0n ? -nanos : nanos;
  const fraction = (magnitude % NANOS_PER_USD).toString().padStart(9, '0').replace(/0+$/, '');
  const text = `${magnitude / NANOS_PER_USD}${fraction && `.${fraction}`}`;
  return nanos < 0n ? `-${text}` : text;
}

/** Reads decimal text or a JSON number in US dollars as nano-USD. Throws on anything finer than a nano-USD or not a number. */
export function nanosOfUsd(usd: number | string): bigint {
  return scaledDecimalOf(usd, 9);
}

/** The same as pico-USD: what a unit costs may have twelve decimals. */
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

// 3e-7 prints in exponent form; a price list may well hold such a number. With as many digits as it has, none is rounded.
function plainDecimalOf(usd: number): string {
  const [digits, exponent] = String(usd).split('e-');
  if (exponent === undefined) return digits!;
  return usd.toFixed((digits!.split('.')[1] ?? '').length + Number(exponent));
}
