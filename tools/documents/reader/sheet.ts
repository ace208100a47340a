import type { Cell } from './cells.ts';

/** A sheet as data: its rows with values, each from the first column to its last value. */
export interface Sheet {
  name: string;
  rows: Cell[][];
}

/** The limit of cells read as data from a file. */
export const CELLS_MAX = 200_000;
