/** A linear scale from values to places, with round ticks. */
export interface Scale {
  ticks: number[];
  place(value: number): number;
}

const TICKS_MAX = 6;

/** A scale over the values, extended to round numbers. */
export function scaleOf(
  values: readonly number[],
  { from, to }: { from: number; to: number },
  hasZero: boolean,
): Scale {
  const all = hasZero || values.length === 0 ? [0, ...values] : values;
  const low = all.reduce((least, value) => Math.min(least, value), Infinity);
  const high = all.reduce((most, value) => Math.max(most, value), -Infinity);
  const step = roundStep((high - low || Math.abs(high) || 1) / (TICKS_MAX - 1));
  const start = Math.floor(low / step);
  const end = Math.max(Math.ceil(high / step), start + 1);
  const ticks = Array.from({ length: end - start + 1 }, (_, at) => Number(((start + at) * step).toPrecision(12)));
  const span = (end - start) * step;
  return { ticks, place: (value) => from + ((value - start * step) / span) * (to - from) };
}

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= step * 0.999) ?? 10) * power;
}

/** A number as on an axis: 1,200 or 3.4M. */
export const numberText = (value: number): string =>
  value.toLocaleString('en-US', {
    notation: Math.abs(value) >= 1e6 ? 'compact' : 'standard',
    maximumFractionDigits: Math.abs(value) >= 1e6 ? 2 : 6,
  });
