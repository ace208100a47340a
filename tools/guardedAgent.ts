import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector } from 'undici';

/** Restrictions on outgoing calls. */
export interface Egress {
  /** Hosts whose private addresses are allowed, as `name:port`; false for none. */
  allowPrivate: false | readonly string[];
  /** Whether plain `http:` is allowed beside `https:`. */
  allowHttp?: boolean;
}

/** Resolves a host name to addresses. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** A host without a public address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

const CONNECT_TIMEOUT_MS = 4_000;
const HEADER_BYTES_MAX = 16 * 1024;

/**
 * An HTTP client that reaches public addresses alone. Three checks, because each alone can be bypassed: an address in the URL is checked
 * first (it is never looked up); every answer of the resolver is checked and only checked ones are connected to (a second look-up could
 * differ); and the peer address of the socket is checked again. A refused connection fails with AddressRefused.
 */
export function createGuardedAgent(egress: Egress, resolve: Resolve = lookupAll): Agent {
  const open = buildConnector({ lookup: publicOnly(resolve), timeout: CONNECT_TIMEOUT_MS, allowH2: false });
  const openPrivate = buildConnector({ lookup: asFunction(resolve), timeout: CONNECT_TIMEOUT_MS, allowH2: false });
  return new Agent({
    maxHeaderSize: HEADER_BYTES_MAX,
    // Every call uses a new connection, so that each is checked.
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

/** Sockets look up with a callback, all addresses or one. */
function asFunction(resolve: Resolve): LookupFunction {
  const ask = callbackify(resolve);
  return (hostname, { all }: LookupOptions, callback) =>
    ask(hostname, (error, addresses) => {
      if (error) callback(error, '');
      else if (all) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the public internet. An IPv6 address that embeds an IPv4 one (mapped, translated, 6to4, Teredo) does not,
 * whatever it embeds: they are unnecessary here, and each could bypass the check.
 */
export function isPublicAddress(text: string): boolean {
  // The library also accepts the forms of inet_aton, which a resolver never returns.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  // The library counts unassigned addresses as unicast; ::127.0.0.1 is one of them.
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}
