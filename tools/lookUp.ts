import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Resolves a host name to addresses. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

const LIMIT_MS = 3_500;
const TIMEOUT_MS = 1_200;
const TRIES = 2;
// Some name servers never answer for one of the two families.
const GRACE_MS = 300;
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Looks up names that strangers chose, by its own sockets: `dns.lookup` gives two threads to all connections of a process, so that two
 * names whose server is silent would hold up every other one, models and the database included. Asks the servers of the system, or
 * `servers`; names of the hosts file are unknown. IPv4 addresses come first. Throws ENOTFOUND for an unknown name, otherwise EAI_AGAIN.
 */
export const lookUpBy =
  (servers?: readonly string[]): Resolve =>
  async (hostname) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    const timers = [setTimeout(cancel, LIMIT_MS)];
    const asked = ([4, 6] as const).map(async (family) => {
      const addresses = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname));
      timers.push(setTimeout(cancel, GRACE_MS));
      return addresses.map((address) => ({ address, family }));
    });
    const answers = await Promise.allSettled(asked);
    for (const timer of timers) clearTimeout(timer);
    const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (found.length > 0) return found;
    const causes = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code?: string }] : []));
    const code = causes.every((cause) => UNKNOWN.has(cause.code ?? '')) ? 'ENOTFOUND' : 'EAI_AGAIN';
    throw Object.assign(new Error(`the name was not resolved (${code})`, { cause: causes[0] }), { code, hostname });
  };
