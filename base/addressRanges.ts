import { BlockList, isIP } from 'node:net';

/**
 * The addresses and ranges (CIDR) in a text, with commas between.
 * @throws a sentence about the first part that is neither, or that means every address.
 */
export function parseRanges(text: string): BlockList {
  const ranges = new BlockList();
  for (const part of text.split(',').map((one) => one.trim())) {
    const [address = '', bits, ...more] = part.split('/');
    const family = isIP(address);
    const bitsMax = family === 4 ? 32 : 128;
    const length = bits === undefined ? bitsMax : Number(bits);
    const isRange = family !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits ?? '0') && length <= bitsMax;
    if (!isRange) throw new Error(`must be addresses or ranges like 10.0.0.0/8 with commas between, not "${part}"`);
    if (length === 0) throw new Error(`must not hold "${part}", which means every address`);
    ranges.addSubnet(address, length, family === 4 ? 'ipv4' : 'ipv6');
  }
  return ranges;
}

/** Whether an address is in the ranges. `::ffff:192.0.2.1` matches as 192.0.2.1: a dual-stack socket reports IPv4 peers in that form. */
export function isWithin(ranges: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && ranges.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
