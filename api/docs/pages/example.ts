import { readFileSync } from 'node:fs';

/** A program of the folder `docs/examples`, as a guide shows it. */
export const example = (file: string): string =>
  readFileSync(new URL(`../../../docs/examples/${file}`, import.meta.url), 'utf8').trimEnd();
