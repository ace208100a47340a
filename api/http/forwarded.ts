import type { IncomingMessage } from 'node:http';
import { isIP, type BlockList } from 'node:net';
import { isWithin } from '../../base/addressRanges.ts';

/**
 * The address of a request's caller, without the zone of a link-local address: the connection's address or, for a trusted proxy, the
 * address that the proxy has appended to `X-Forwarded-For`. The header is read from the right and only through trusted proxies, because
 * entries further left may be forged. Without trusted proxies it is ignored.
 */
export function callerAddressOf({ socket, headers }: IncomingMessage, trustedProxies: BlockList | null): string {
  let address = (socket.remoteAddress ?? '').replace(/%.*$/, '');
  const forwarded = headers['x-forwarded-for'];
  if (trustedProxies === null || forwarded === undefined) return address;
  for (const hop of String(forwarded).split(',').toReversed()) {
    if (!isWithin(trustedProxies, address)) break;
    const before = addressIn(hop.trim());
    // If a trusted proxy sends no valid address, its own address counts.
    if (before === undefined) break;
    address = before;
  }
  return address;
}

/** The address in an entry of `X-Forwarded-For`, which some proxies write with a port: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function addressIn(hop: string): string | undefined {
  const [, bracketed, v4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? [];
  const address = (bracketed ?? v4 ?? hop).replace(/%.*$/, '');
  return isIP(address) === 0 ? undefined : address;
}

/** Whether a trusted proxy reports in `X-Forwarded-Proto` that its caller used no TLS. */
export function cameWithoutTls({ socket, headers }: IncomingMessage, trustedProxies: BlockList | null): boolean {
  const scheme = headers['x-forwarded-proto'];
  if (trustedProxies === null || scheme === undefined) return false;
  // Each proxy appends one: the last is from the connected proxy.
  const isPlain = String(scheme).split(',').at(-1)!.trim().toLowerCase() === 'http';
  return isPlain && isWithin(trustedProxies, (socket.remoteAddress ?? '').replace(/%.*$/, ''));
}
