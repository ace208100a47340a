import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readVariables } from '../../base/environment.ts';

/** The path of a tier's program: the configured one, else the first on the search path, else null. */
export function findProgram(name: 'bwrap' | 'runsc', env: NodeJS.ProcessEnv = process.env): string | null {
  const { SANDBOX_BWRAP, SANDBOX_RUNSC } = readVariables(env, ['SANDBOX_BWRAP', 'SANDBOX_RUNSC']);
  const configured = name === 'bwrap' ? SANDBOX_BWRAP : SANDBOX_RUNSC;
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  return configured ?? folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}
