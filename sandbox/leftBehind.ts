import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const PATTERN = /^sandbox-(\d+)-/;

/** How the names begin of what a call keeps on the host while it runs: they tell which worker's it is. */
export const namePrefix = (): string => `sandbox-${process.pid}-`;

/** The paths in a folder that workers left which are gone: who is killed can't tidy up. */
export function leftBehindIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !isAlive(Number(PATTERN.exec(name)?.[1] ?? process.pid)))
    .map((name) => join(folder, name));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
