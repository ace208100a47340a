import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readSandboxConfig } from './config.ts';

/** The path of a tier's program: the configured one, else the first on the search path, else null. */
export function findProgram(name: 'bwrap' | 'runsc'): string | null {
  const { bwrapPath, runscPath, searchPath } = readSandboxConfig();
  const configured = name === 'bwrap' ? bwrapPath : runscPath;
  const folders = searchPath.split(delimiter).filter(Boolean);
  return configured ?? folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
