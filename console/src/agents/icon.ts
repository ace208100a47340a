const HUES = 6;
const CELL = 8;
const START = 8;
/** Shapes of a cell of 8: full, a disc, and the four quarters of a disc. */
const SHAPES = [
  'M0 0h8v8H0z',
  'M4 0a4 4 0 1 1 0 8 4 4 0 0 1 0-8z',
  'M0 0a8 8 0 0 1 8 8H0z',
  'M8 0a8 8 0 0 1-8 8V0z',
  'M8 8a8 8 0 0 1-8-8h8z',
  'M0 8a8 8 0 0 1 8-8v8z',
];
/** The left column, the middle one, and the mirror of the left one. */
const MIRRORED = [0, 1, 3, 2, 5, 4];

interface Cell {
  x: number;
  y: number;
  shape: string;
  isStrong: boolean;
}

/** A drawing made of a name: the same each time, and symmetric, so that it is recognised. */
export function iconOf(name: string): { hue: number; cells: Cell[] } {
  const next = numbersOf(name);
  const hue = next(HUES);
  const cells: Cell[] = [];
  for (let row = 0; row < 3; row += 1) {
    const y = START + row * CELL;
    const [side, middle] = [next(SHAPES.length), next(2)];
    const [isSideStrong, isMiddleStrong] = [next(3) > 0, next(3) > 0];
    if (next(6) > 0) {
      cells.push({ x: START, y, shape: SHAPES[side]!, isStrong: isSideStrong });
      cells.push({ x: START + 2 * CELL, y, shape: SHAPES[MIRRORED[side]!]!, isStrong: isSideStrong });
    }
    if (next(5) > 0) cells.push({ x: START + CELL, y, shape: SHAPES[middle]!, isStrong: isMiddleStrong });
  }
  return { hue, cells };
}

/** Whole numbers below a bound, from the hash of a text (FNV-1a, then xorshift). */
function numbersOf(text: string): (bound: number) => number {
  let state = 2_166_136_261;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0)!, 16_777_619);
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}
