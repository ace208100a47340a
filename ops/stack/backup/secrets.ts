import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createSealingKey } from '../../../db/sealing/sealingKeys.ts';
import { keepSecret } from '../environmentFile.ts';
import { copyHashed } from './backups.ts';

/** Files of the data folder with keys that seal values of the database, separated by commas: the first one seals, all of them open. */
const KEY_FILES = ['pluginSecretsKey', 'catalogSecretsKey', 'contentsKey'] as const;
export type KeyFile = (typeof KEY_FILES)[number];

const PASSWORD_FILES = ['postgres/password', 'postgres/applicationPassword'];

/** The folder beside the backups with every key that the installation has had: the log has values that no backup's own keys open. */
const KEYS_FOLDER = 'keys';

/**
 * The keys in a file of the data folder, of which the first is made at the first call. They are also kept beside the backups, so that a
 * restore up to now opens what they seal, whichever backup it begins with.
 */
export async function keepKeys(
  { dataDir, backupDir }: { dataDir: string; backupDir?: string },
  name: KeyFile,
): Promise<string> {
  const keys = await keepSecret(join(dataDir, name), createSealingKey);
  if (backupDir) {
    const path = join(backupDir, KEYS_FOLDER, name);
    await writeKeys(path, [...keysOf(keys), ...(await readKeys(path))]);
  }
  return keys;
}

/** Copies the secrets that open the database and its sealed values into a new backup. */
export async function copySecrets(dataDir: string, draft: string): Promise<void> {
  // A key of the environment has no file.
  const files = [...PASSWORD_FILES, ...KEY_FILES.filter((file) => existsSync(join(dataDir, file)))];
  for (const file of files) await copyHashed(join(dataDir, file), join(draft, 'secrets', file));
}

/**
 * Brings the secrets of a backup into the data folder. Passwords that are there stay. Keys that are there stay first, and those of the
 * backup and of the time since then follow them: a rotation may have replaced either.
 */
export async function restoreSecrets(backupDir: string, name: string, dataDir: string): Promise<void> {
  const secrets = join(backupDir, name, 'secrets');
  for (const file of PASSWORD_FILES) {
    const path = join(dataDir, file);
    if (!existsSync(path)) await copyHashed(join(secrets, file), path);
  }
  for (const file of KEY_FILES) {
    const places = [join(dataDir, file), join(backupDir, KEYS_FOLDER, file), join(secrets, file)];
    const keys = (await Promise.all(places.map(readKeys))).flat();
    if (keys.length > 0) await writeKeys(places[0]!, keys);
  }
}

const keysOf = (text: string): string[] =>
  text
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');

async function readKeys(path: string): Promise<string[]> {
  return existsSync(path) ? keysOf(await readFile(path, 'utf8')) : [];
}

/** Writes each key once, and nothing where the file has them already. */
async function writeKeys(path: string, keys: string[]): Promise<void> {
  const text = `${[...new Set(keys)].join(',')}\n`;
  if (existsSync(path) && (await readFile(path, 'utf8')) === text) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, text, { mode: 0o600, flush: true });
}
