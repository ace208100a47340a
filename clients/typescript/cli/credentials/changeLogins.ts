import { Ledgerline, NotFoundError } from '../../src/index.ts';
import { keyOf } from './connection.ts';
import { keyring } from './keyring.ts';
import { readLogins, writeLogins, type Login } from './logins.ts';

type NewLogin = Omit<Login, 'kept' | 'key'>;

/** Stores a key, in the keyring of the system if there is one, and makes its profile the current one. Says where it is. */
export function storeLogin(profile: string, login: NewLogin, key: string): Login['kept'] {
  const { logins } = readLogins();
  const stored: Login = keyring.store(profile, key) ? { ...login, kept: 'keyring' } : { ...login, kept: 'file', key };
  writeLogins({ current: profile, logins: { ...logins, [profile]: stored } });
  return stored.kept;
}

/** Forgets a login; another one becomes the current one if this was it. */
export function forgetLogin(profile: string): void {
  const { current, logins } = readLogins();
  const { [profile]: forgotten, ...rest } = logins;
  if (forgotten?.kept === 'keyring') keyring.remove(profile);
  writeLogins({ current: current === profile ? (Object.keys(rest)[0] ?? null) : current, logins: rest });
}

/** Revokes the key of a login that `login` has made. Says whether it does not count any more. */
export async function revokeLogin(profile: string, login: Login): Promise<boolean> {
  if (login.keyId === undefined) return false;
  try {
    const { baseUrl } = login;
    const client = new Ledgerline({
      baseUrl,
      apiKey: keyOf({ baseUrl, source: 'login', profile, login }),
      maxRetries: 0,
    });
    await client.api.DELETE('/platform/v1/keys/{key_id}', { params: { path: { key_id: login.keyId } } });
    return true;
  } catch (error) {
    return error instanceof NotFoundError;
  }
}
