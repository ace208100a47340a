/** Numbers in [0, 1) from a seed (mulberry32), so that a failed test can be repeated. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The seed of all random choices in tests, including fast-check's values (`environment.cjs`). Fixed, so that a failure repeats; `npm run
 * faults` explores other seeds by `FLOW_SEED`.
 */
export const flowSeed = Number(process.env.FLOW_SEED ?? 1);

const drillShare = Number(process.env.DRILL_SHARE ?? 1);

/**
 * How often a drill repeats what it does. `.ci/tests.mjs` asks for a share by `DRILL_SHARE`: with a fixed seed it only repeats what is known to
 * hold, while `npm run faults` explores with all of them.
 */
export const repetitions = (all: number): number => Math.ceil(all * drillShare);
