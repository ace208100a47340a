import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFilePath } from '../filePath.ts';
import type { ProgramFile } from '../types.ts';

/** The modification time of given files until a program writes to them. */
export const UNTOUCHED = new Date(0);

/** The files below a folder that were written since they were given. Links, devices and pipes are ignored. */
export function changedFiles(folder: string, diskBytes: number, prefix = ''): ProgramFile[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry): ProgramFile[] => {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) return changedFiles(folder, diskBytes, `${path}/`);
    if (!entry.isFile() || !isFilePath(path)) return [];
    const { mtimeMs, size } = lstatSync(join(folder, path));
    // A sparse file reports more than the disk holds.
    if (mtimeMs === UNTOUCHED.getTime() || size > diskBytes) return [];
    return [{ path, bytes: readFileSync(join(folder, path)) }];
  });
}
