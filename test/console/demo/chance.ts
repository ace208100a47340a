import { seededRandom } from '../../support/random.ts';

export type Chance = ReturnType<typeof createChance>;

/** Random choices of a demonstration; the same seed makes the same ones. */
export function createChance(seed: number) {
  const next = seededRandom(seed);

  /** A value by its weight. The weights of an array are summed once. */
  function weighted<Value>(pairs: [Value, number][]): Value {
    const sums = sumsOf(pairs);
    const wanted = next() * sums.at(-1)!;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! <= wanted) low = middle + 1;
      else high = middle;
    }
    return pairs[low]![0];
  }

  const known = new WeakMap<object, number[]>();
  function sumsOf(pairs: [unknown, number][]): number[] {
    const found = known.get(pairs);
    if (found) return found;
    let sum = 0;
    const sums = pairs.map(([, weight]) => (sum += weight));
    known.set(pairs, sums);
    return sums;
  }

  /** A positive number around a median, with a long tail above it (log-normal). */
  function spread(median: number, sigma: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    return median * Math.exp(sigma * normal);
  }

  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(next() * values.length)]!;

  return { next, weighted, spread, pick };
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('');

/** An id as it would have been made at a time: ids grow with time. */
export function idAt(prefix: string, timeMs: number, { pick }: Pick<Chance, 'pick'>): string {
  const random = Array.from({ length: 14 }, () => pick(LETTERS)).join('');
  return `${prefix}_${Math.floor(timeMs).toString(36).padStart(8, '0')}${random}`;
}
