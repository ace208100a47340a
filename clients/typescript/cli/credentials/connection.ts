import type { Command } from 'commander';
import { Ledgerline } from '../../src/index.ts';
import { config } from '../config.ts';
import { ExitCode } from '../exitCodes.ts';
import { Failure, usageError } from '../failure.ts';
import type { GlobalOptions } from '../globalOptions.ts';
import { keyring } from './keyring.ts';
import { readLogins, type Login } from './logins.ts';

/** The installation of a command, and where its key comes from. */
export interface Connection {
  baseUrl: string;
  source: 'environment' | 'login' | 'none';
  /** The name of the login, where it is one. */
  profile?: string;
  login?: Login;
}

export const LOCAL = 'http://127.0.0.1:4000';

/**
 * `--profile`, then LEDGERLINE_API_KEY, then the stored logins. A stored key goes only to the installation that gave it, and a key of the
 * environment never to the address of a login.
 */
export function connectionOf({ baseUrl, profile }: GlobalOptions, { ignoresKey = false } = {}): Connection {
  const address = originOf(baseUrl ?? config.baseUrl);
  if (profile === undefined && config.apiKey && !ignoresKey)
    return { baseUrl: address ?? LOCAL, source: 'environment' };
  const { current, logins } = readLogins();
  const name = profile ?? (address === undefined ? current : profileAt(address, { current, logins }));
  const login = name === null ? undefined : logins[name];
  if (name === null || !login) {
    if (profile !== undefined)
      throw usageError(`There is no login ${profile}.`, '`ledgerline profiles list` lists them.');
    return { baseUrl: address ?? LOCAL, source: 'none' };
  }
  if (address !== undefined && address !== login.baseUrl)
    throw usageError(`The login ${name} is of ${login.baseUrl}, not of ${address}.`);
  return { baseUrl: login.baseUrl, source: 'login', profile: name, login };
}

/** The client of a command. Says how to sign in when there is no key. */
export async function clientOf(command: Command): Promise<Ledgerline> {
  const connection = connectionOf(command.optsWithGlobals<GlobalOptions>());
  return new Ledgerline({ baseUrl: connection.baseUrl, apiKey: keyOf(connection) });
}

export function keyOf({ baseUrl, source, profile, login }: Connection): string {
  if (source === 'none')
    throw new Failure(`You are not signed in at ${baseUrl}.`, {
      hint: `Sign in with \`ledgerline login${baseUrl === LOCAL ? '' : ` --base-url ${baseUrl}`}\`, or set LEDGERLINE_API_KEY.`,
      exitCode: ExitCode.notSignedIn,
    });
  if (source === 'environment') return config.apiKey!;
  const key = login!.kept === 'file' ? login!.key : keyring.lookup(profile!);
  if (!key)
    throw new Failure(`The keyring of the system does not have the key of ${profile}, or is locked.`, {
      hint: 'Unlock it, or sign in again with `ledgerline login`.',
      exitCode: ExitCode.notSignedIn,
    });
  return key;
}

/** An address without a path, as logins are kept: `http://host:port`. */
export function originOf(address: string | undefined): string | undefined {
  if (!address) return undefined;
  const text = address.includes('://') ? address : `https://${address}`;
  if (!URL.canParse(text)) throw usageError(`${address} is not the address of an installation.`);
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/(\/v1)?\/*$/, '');
}

/** The login of an installation: the current one if it is of that installation. */
function profileAt(address: string, { current, logins }: ReturnType<typeof readLogins>): string | null {
  if (current !== null && logins[current]?.baseUrl === address) return current;
  return Object.keys(logins).find((name) => logins[name]!.baseUrl === address) ?? null;
}
