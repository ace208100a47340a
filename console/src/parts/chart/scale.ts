/** Scales of a picture: nice ticks upwards, bands from left to right. */

const FACTORS = [1, 2, 2.5, 5, 10];

/** Ticks from zero to the first nice value at or above `max`: about `count` of them, `[0, 5, 10, 15]`. */
export function niceTicks(max: number, count = 4, isWhole = false): number[] {
  if (!(max > 0)) return [0, isWhole ? 1 : 0.01];
  const rough = max / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    FACTORS.map((factor) => factor * power).find(
      (size) => size >= rough * 0.999_999 && (!isWhole || Number.isInteger(size)),
    ) ?? 1;
  const last = Math.ceil((max / step) * 0.999_999);
  return Array.from({ length: last + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** Places of `count` bands of equal width between `left` and `right`. */
export function bandsOf(count: number, left: number, right: number) {
  const width = count === 0 ? 0 : Math.max(0, right - left) / count;
  return {
    width,
    startOf: (at: number): number => left + at * width,
    centerOf: (at: number): number => left + (at + 0.5) * width,
    /** The band at a place; the nearest one beside them. */
    at: (x: number): number => Math.min(count - 1, Math.max(0, Math.floor((x - left) / width))),
  };
}

const ROUND = [1, 2, 3, 5, 6, 10, 12, 15, 30, 60, 120, 180, 360, 720];

/**
 * Which bands get a label, so that labels have at least `gap` pixels each: times of the day at round numbers, others counted from the
 * last one.
 */
export function labelledBands(steps: { place?: number }[], width: number, gap: number): number[] {
  const least = Math.max(1, Math.ceil(gap / Math.max(width, 0.1)));
  const isDaytime = steps.length > 0 && steps.every(({ place }) => place !== undefined);
  const every = isDaytime ? (ROUND.find((size) => size >= least) ?? least) : least;
  const placeOf = (at: number) => (isDaytime ? steps[at]!.place! : steps.length - 1 - at);
  return steps.map((_, at) => at).filter((at) => placeOf(at) % every === 0);
}

/** A number of digits that tells ticks apart: none for `5`, two for `0.25`. */
export const digitsOfStep = (step: number): number => {
  for (let digits = 0; digits < 12; digits += 1) {
    if (Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 1e-6) return digits;
  }
  return 12;
};

/** An amount at an axis: with as many digits as tell its ticks apart. */
export const usdTick = (usd: number, step: number): string => {
  const digits = digitsOfStep(step);
  const shown = digits === 1 ? 2 : digits;
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: shown, maximumFractionDigits: shown })}`;
};
