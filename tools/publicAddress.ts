import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is public. An IPv6 address that embeds an IPv4 address (mapped, translated, 6to4, Teredo) never counts as public: such
 * addresses are unnecessary here, and each could bypass the check.
 */
export function isPublicAddress(text: string): boolean {
  // The library also accepts the forms of inet_aton, which a resolver never returns.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  // The library counts unassigned addresses as unicast, for example ::127.0.0.1.
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}
