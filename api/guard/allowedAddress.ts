import type { Context } from '../context.ts';
import { ipNotAllowed } from '../../base/errors/keyErrors.ts';
import { callerAddressOf } from '../http/forwarded.ts';

const load = () => import('ipaddr.js').then((module) => module.default);

/** Throws 403 `ip_not_allowed` for addresses outside the key's ranges. */
export async function fromAllowedAddress(
  ctx: Context,
  allowedIps: readonly string[],
  next: () => Promise<void>,
): Promise<void> {
  const from = clientAddressOf(ctx);
  if (!(await isAllowed(from, allowedIps))) throw ipNotAllowed(from);
  return next();
}

/** The address of a request's caller. */
export const clientAddressOf = ({ req, state }: Context): string => callerAddressOf(req, state.trustedProxies);

/** The same as people read it: 192.0.2.1 for `::ffff:192.0.2.1`. */
export const shownAddressOf = (ctx: Context): string => clientAddressOf(ctx).replace(/^::ffff:(?=[\d.]+$)/i, '');

async function isAllowed(from: string, allowedIps: readonly string[]): Promise<boolean> {
  const ipaddr = await load();
  if (!ipaddr.isValid(from)) return false;
  // A dual-stack socket reports 192.0.2.1 as `::ffff:192.0.2.1`.
  const address = ipaddr.process(from);
  return allowedIps.some((allowed) => {
    const [network, bits] = ipaddr.parseCIDR(allowed);
    return address.kind() === network.kind() && address.match(network, bits);
  });
}

/**
 * An address or range in its stored form, with its prefix length: `192.0.2.7/32`, `2001:db8::/48`; undefined when invalid. Short and octal
 * forms of IPv4 are refused, because programs read them differently.
 */
export async function canonicalRange(text: string): Promise<string | undefined> {
  const ipaddr = await load();
  const [address = '', bits, ...more] = text.split('/');
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  if (!(isV4 || (address.includes(':') && ipaddr.IPv6.isValid(address))) || address.includes('%')) return undefined;
  const parsed = ipaddr.parse(address);
  const length = bits ?? (isV4 ? '32' : '128');
  if (more.length > 0 || !/^\d{1,3}$/.test(length) || Number(length) > (isV4 ? 32 : 128)) return undefined;
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) {
    const v4Length = Number(length) - 96;
    return v4Length < 0 ? undefined : canonicalRange(`${parsed.toIPv4Address().toString()}/${v4Length}`);
  }
  const family = isV4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${address}/${length}`).toString()}/${Number(length)}`;
}
