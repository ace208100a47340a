import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '../config.ts';

/** A login on this machine. Its key is in the keyring of the system, or here where there is none. */
export interface Login {
  baseUrl: string;
  /** Where the key is kept. */
  kept: 'keyring' | 'file';
  key?: string;
  /** The key's id when the device flow made it: it can be revoked by `logout`. */
  keyId?: string | undefined;
  /** The first characters of the key, which tell keys apart. */
  label?: string | undefined;
  workspace?: string | undefined;
}

export interface Logins {
  /** The profile that commands use without `--profile` and `--base-url`. */
  current: string | null;
  logins: Record<string, Login>;
}

const file = join(config.folder, 'logins.json');

export function readLogins(): Logins {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Logins;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, logins: {} };
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Replaces the file at once: a reader sees the logins before or after, and only its owner reads them. */
export function writeLogins(logins: Logins): void {
  mkdirSync(config.folder, { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  try {
    writeFileSync(next, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600, flush: true });
    chmodSync(next, 0o600);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}
