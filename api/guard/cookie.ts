import type { IncomingHttpHeaders } from 'node:http';

/** The path prefix of the account endpoints. */
export const AUTH_PATH = '/console/v1/auth';

/** Lifetime of a session. */
export const SESSION_DAYS = 14;

/** The origin of an address, in the form of the `Origin` header. */
export const originOf = (url: string): string => new URL(url).origin;

/**
 * The prefix of the console's cookie names. `__Host-` binds them to the host, its root path and TLS; browsers refuse it over plain HTTP,
 * which only local installations use.
 */
export const cookiePrefixOf = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-ledgerline' : 'ledgerline';

/** The token of the session cookie, or undefined. Its signature is not checked, because the token cannot be guessed. */
export function sessionTokenOf({ cookie }: IncomingHttpHeaders, prefix: string): string | undefined {
  if (cookie === undefined) return undefined;
  const name = `${prefix}.session_token=`;
  const sent = cookie.split(/;\s*/).filter((one) => one.startsWith(name));
  // With two cookies of one name it is unclear which applies.
  if (sent.length !== 1) return undefined;
  const value = decoded(sent[0]!.slice(name.length));
  const end = value.indexOf('.');
  return end > 0 ? value.slice(0, end) : undefined;
}

/** A percent-encoded value; empty when its encoding is malformed. */
export function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
