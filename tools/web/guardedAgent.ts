import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector } from 'undici';
import { isPublicAddress } from './publicAddress.ts';

/** Where calls to the outside may go. */
export interface Egress {
  /** Hosts whose private addresses are allowed, as `name:port`; false for none. */
  allowPrivate: false | readonly string[];
  /** Whether plain `http:` is allowed beside `https:`. */
  allowHttp?: boolean;
}

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** A host that has no public address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

const CONNECT_TIMEOUT_MS = 4_000;
const HEADER_BYTES_MAX = 16 * 1024;

/**
 * An HTTP client that reaches public addresses alone. Three steps, as each alone has a way around: an address written in
 * the URL is judged before anything (it is never looked up), every answer of the resolver is judged and only the judged
 * ones are connected to (a second look-up could say something else), and the peer that the socket has reached is judged
 * again. A connection that is refused fails with AddressRefused.
 */
export function createGuardedAgent(egress: Egress, resolve: Resolve = lookupAll): Agent {
  const open = buildConnector({ lookup: publicOnly(resolve), timeout: CONNECT_TIMEOUT_MS, allowH2: false });
  const openPrivate = buildConnector({ lookup: asFunction(resolve), timeout: CONNECT_TIMEOUT_MS, allowH2: false });
  return new Agent({
    maxHeaderSize: HEADER_BYTES_MAX,
    // Every call connects anew, so that each is judged.
    pipelining: 0,
    connect(options, callback) {
      if (isAllowedPrivate(egress, options)) return openPrivate(options, callback);
      const hostname = withoutBrackets(options.hostname);
      if (isIP(hostname) && !isPublicAddress(hostname)) return callback(refused(hostname), null);
      open(options, (error, socket) => {
        if (error) return callback(error, null);
        if (isPublicAddress(socket.remoteAddress ?? '')) return callback(null, socket);
        socket.destroy();
        callback(refused(options.hostname), null);
      });
    },
  });
}

const refused = (hostname: string) => new AddressRefused(`'${hostname}' has no public address`);

const lookupAll: Resolve = (hostname) => lookup(hostname, { all: true });

const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');

function isAllowedPrivate({ allowPrivate }: Egress, { hostname, port, protocol }: buildConnector.Options): boolean {
  return allowPrivate && allowPrivate.includes(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);
}

const publicOnly = (resolve: Resolve): LookupFunction =>
  asFunction(async (hostname) => {
    const addresses = (await resolve(hostname)).filter(({ address }) => isPublicAddress(address));
    if (addresses.length === 0) throw refused(hostname);
    return addresses;
  });

/** Sockets ask with a callback, for all addresses or for one. */
function asFunction(resolve: Resolve): LookupFunction {
  const ask = callbackify(resolve);
  return (hostname, { all }: LookupOptions, callback) =>
    ask(hostname, (error, addresses) => {
      if (error) callback(error, '');
      else if (all) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
}
