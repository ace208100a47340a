import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the public internet. An IPv6 address that carries an IPv4 one (mapped, translated, 6to4,
 * Teredo) does not, whatever it carries: nobody needs these, and each is a way around.
 */
export function isPublicAddress(text: string): boolean {
  // The library also takes the forms of inet_aton, which a resolver never answers with.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  // What is unassigned counts as unicast there; ::127.0.0.1 is such an address.
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}
