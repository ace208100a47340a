import { ProviderError } from './provider.ts';
import type { UpstreamAddress, UpstreamCatalog } from './upstreamOptions.ts';

/**
 * What is open at each upstream, by its name: opened at its first use, and again when its address has changed. What was open before serves
 * its calls to their end: it is closed with the rest.
 */
export function createOpenedUpstreams<Opened>(
  catalog: UpstreamCatalog,
  open: (name: string, address: UpstreamAddress) => Opened,
) {
  const current = new Map<string, { address: UpstreamAddress; opened: Opened }>();
  const all: Opened[] = [];

  return {
    /** Whether the catalogue has it, or had it since this process began. */
    has: (name: string): boolean => catalog.upstreams.has(name) || current.has(name),
    /** Throws `ProviderError` for an upstream that the catalogue does not have. */
    of(name: string): Opened {
      const known = current.get(name);
      // A call may end at an upstream that was removed meanwhile.
      const address = catalog.upstreams.get(name) ?? known?.address;
      if (!address) throw new ProviderError('unavailable', `The catalogue has no upstream "${name}".`);
      if (known && (known.address === address || isSame(known.address, address))) {
        known.address = address;
        return known.opened;
      }
      const opened = open(name, address);
      current.set(name, { address, opened });
      all.push(opened);
      return opened;
    },
    all: (): readonly Opened[] => all,
  };
}

const isSame = (one: UpstreamAddress, other: UpstreamAddress): boolean => keyOf(one) === keyOf(other);

const keyOf = ({ protocol, baseUrl, apiKey, setup, outputLimit, timeoutsMs }: UpstreamAddress): string =>
  JSON.stringify([protocol, baseUrl, apiKey, setup, outputLimit, timeoutsMs]);

/** The same thing for each name, made at its first use. */
export function byName<Made>(make: (name: string) => Made): (name: string) => Made {
  const made = new Map<string, Made>();
  return (name) => {
    const known = made.get(name) ?? make(name);
    made.set(name, known);
    return known;
  };
}
