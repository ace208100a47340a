import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '../config.ts';
import type { Connection } from '../credentials/connection.ts';
import { makeSecret } from './signing.ts';

const file = join(config.folder, 'listen.json');

/** The secret of this machine that signs for a login, or for an address when the key is of the environment: the same at each start. */
export function keptSecret({ profile, baseUrl }: Connection): string {
  const secrets = read();
  const name = profile ?? baseUrl;
  const known = secrets[name];
  if (known) return known;
  const secret = makeSecret();
  write({ ...secrets, [name]: secret });
  return secret;
}

function read(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function write(secrets: Record<string, string>): void {
  mkdirSync(config.folder, { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, file);
}
