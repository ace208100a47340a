import { writeFile } from 'node:fs/promises';

/** Writes the addresses of the parts, so that commands started beside the installation find them. Holds the database's password. */
export async function writeEnvironmentFile(path: string, variables: Record<string, string | undefined>): Promise<void> {
  const lines = Object.entries(variables).flatMap(([name, value]) => (value ? [`${name}=${value}\n`] : []));
  await writeFile(path, lines.join(''), { mode: 0o600 });
}
