import type { LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector } from 'undici';
import { MIB } from '../base/limits.ts';
import { tracedConnections } from '../base/tracedDispatch.ts';
import { lookUpBy, type Resolve } from './lookUp.ts';
import { isPublicAddress } from './publicAddress.ts';

/** Restrictions on outgoing calls. */
export interface Egress {
  /** URLs at whose hosts and ports private addresses are allowed; `loopback` for this machine, under its usual names; false for none. */
  allowPrivate: false | 'loopback' | readonly string[];
  /** Whether plain `http:` is allowed beside `https:`. */
  allowHttp?: boolean;
}

/** A host without a public address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** A server that sends and sends. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

const CONNECT_TIMEOUT_MS = 4_000;
const HEADER_BYTES_MAX = 16 * 1024;
// More than any answer that is read: headers before the last (1xx), reasons and extensions of chunks are in no other limit.
const RECEIVED_BYTES_MAX = 8 * MIB;

/**
 * An HTTP client that reaches only public addresses. Three checks, because each alone can be bypassed: an address in the URL is checked
 * first (it is never looked up); every answer of the resolver is checked and only checked ones are connected to (a second look-up could
 * differ); and the peer address of the socket is checked again. A refused connection fails with AddressRefused. Hosts whose private
 * addresses are allowed are looked up as the system does it. A connection that receives more than 8 MiB fails with AnswerTooLong.
 */
export function createGuardedAgent(egress: Egress, resolve?: Resolve): Agent {
  const lookUp = { public: publicOnly(resolve ?? lookUpBy()), private: asFunction(resolve ?? lookupAll) };
  const open = buildConnector({ lookup: lookUp.public, timeout: CONNECT_TIMEOUT_MS, allowH2: false });
  const openPrivate = buildConnector({ lookup: lookUp.private, timeout: CONNECT_TIMEOUT_MS, allowH2: false });
  const agent = new Agent({
    maxHeaderSize: HEADER_BYTES_MAX,
    // Every call uses a new connection, so that each is checked.
    pipelining: 0,
    connect(options, done) {
      const callback: typeof done = (...[error, socket]: Parameters<typeof done>) =>
        error ? done(error, null) : done(null, bounded(socket));
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
  return tracedConnections(agent);
}

function bounded<Connection extends Socket>(socket: Connection): Connection {
  return socket.prependListener('readable', () => {
    if (socket.bytesRead > RECEIVED_BYTES_MAX) socket.destroy(new AnswerTooLong('the answer is too long'));
  });
}

const refused = (hostname: string) => new AddressRefused(`'${hostname}' has no public address`);

const lookupAll: Resolve = (hostname) => lookup(hostname, { all: true });

const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1');

/** Whether a host's private addresses are allowed. */
export function isAllowedPrivate({ allowPrivate }: Egress, target: Target): boolean {
  if (allowPrivate === 'loopback') return isLoopback(target.hostname);
  return allowPrivate && allowPrivate.some((url) => placeOf(new URL(url)) === placeOf(target));
}

type Target = Pick<buildConnector.Options, 'hostname' | 'port' | 'protocol'>;

const placeOf = ({ hostname, port, protocol }: Target): string =>
  `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;

const isLoopback = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]', '::1'].includes(hostname);

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
