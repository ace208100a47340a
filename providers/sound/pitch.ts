/** The range of voices; anything lower or higher is a hum or a whistle. */
const PITCH_MIN_HZ = 60;
const PITCH_MAX_HZ = 400;

const VOICED_MIN = 0.6;
const LEVEL_MIN = 300;

/**
 * The period of the signal at a position, in samples; 0 if it is unvoiced. Found by the normalised correlation of two neighbouring
 * windows, as the shortest lag that is nearly the best: twice a period fits equally well.
 */
export function periodAt(samples: Int16Array, at: number, sampleRate: number): number {
  const shortest = Math.floor(sampleRate / PITCH_MAX_HZ);
  const longest = Math.ceil(sampleRate / PITCH_MIN_HZ);
  const start = at - longest;
  if (start < 0 || at + longest > samples.length) return 0;
  const scores = new Float64Array(longest + 1);
  const level = energy(samples, start, longest);
  if (level < LEVEL_MIN ** 2 * longest) return 0;
  let best = 0;
  for (let lag = shortest; lag <= longest; lag++) {
    scores[lag] = correlation(samples, { start, lag, length: longest, level });
    best = Math.max(best, scores[lag]!);
  }
  if (best < VOICED_MIN) return 0;
  return firstPeak(scores, shortest, best * 0.9);
}

/** The first lag with a peak of sufficient score. */
function firstPeak(scores: Float64Array, shortest: number, enough: number): number {
  for (let lag = shortest; lag < scores.length - 1; lag++) {
    const isPeak = scores[lag]! >= scores[lag + 1]! && scores[lag]! >= (scores[lag - 1] ?? 0);
    if (isPeak && scores[lag]! >= enough) return lag;
  }
  return 0;
}

function correlation(
  samples: Int16Array,
  { start, lag, length, level }: { start: number; lag: number; length: number; level: number },
): number {
  let product = 0;
  let other = 1;
  // Every second sample is enough to find a period, at half the cost.
  for (let i = 0; i < length; i += 2) {
    const b = samples[start + i + lag]!;
    product += samples[start + i]! * b;
    other += b * b;
  }
  return (2 * product) / Math.sqrt(level * 2 * other + 1);
}

function energy(samples: Int16Array, start: number, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += samples[start + i]! ** 2;
  return sum;
}
