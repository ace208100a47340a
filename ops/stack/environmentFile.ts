import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** The file's name in the data folder. */
export const ENVIRONMENT_FILE_NAME = 'stack.env';

/**
 * Writes the addresses of the parts, so that commands on this machine find the installation. Contains the database's password and the key
 * of the plugins' credentials.
 */
export async function writeEnvironmentFile(path: string, variables: Record<string, string | undefined>): Promise<void> {
  const lines = Object.entries(variables).flatMap(([name, value]) => (value ? [`${name}=${value}\n`] : []));
  await writeFile(path, lines.join(''), { mode: 0o600 });
}

/** The secret in a file that only its owner may read; created at the first call. */
export async function keepSecret(path: string, makeSecret: () => string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (kept.trim()) return kept.trim();
  const secret = makeSecret();
  await writeFile(path, `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** The addresses of the installation in this data folder, from its last start; empty before the first. */
export function readEnvironmentFile(dataDir: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(join(dataDir, ENVIRONMENT_FILE_NAME), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
