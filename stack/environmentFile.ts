import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** The file's name in the data folder. */
export const environmentFileName = 'stack.env';

/** Writes the addresses of the parts, so that commands started beside the installation find them. Holds the database's password. */
export async function writeEnvironmentFile(path: string, variables: Record<string, string | undefined>): Promise<void> {
  const lines = Object.entries(variables).flatMap(([name, value]) => (value ? [`${name}=${value}\n`] : []));
  await writeFile(path, lines.join(''), { mode: 0o600 });
}

/** The addresses that the installation with this data folder had when it last started; none when it never did. */
export function readEnvironmentFile(dataDir: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(join(dataDir, environmentFileName), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
