import type { ProviderFault } from './provider.ts';

type Outcome = 'answered' | ProviderFault;

// An operator acts within it, and a call in between renews it.
const REFUSED_MS = 15 * 60_000;
// All of them are series from the start: an increase is seen only from a value before it.
const OUTCOMES: Record<Outcome, 0> = {
  answered: 0,
  refused: 0,
  account: 0,
  overloaded: 0,
  failed: 0,
  unreachable: 0,
  stalled: 0,
  unavailable: 0,
};

const countsOf = new Map<string, Record<Outcome, number>>();
const refusedAtMs = new Map<string, number>();

/** Counts how one try of a call at an upstream ended. A stream that breaks off later counts again. */
export function noteOutcome(upstream: string, outcome: Outcome): void {
  let counts = countsOf.get(upstream);
  if (!counts) countsOf.set(upstream, (counts = { ...OUTCOMES }));
  counts[outcome] += 1;
  if (outcome === 'account') refusedAtMs.set(upstream, performance.now());
}

/** How the upstreams of the catalogue served this process: in memory, so these figures are there while the database is not. */
export const upstreamGauges = ({ upstreams }: { readonly upstreams: ReadonlyMap<string, unknown> }) => [
  {
    name: 'ledgerline_upstream_calls_total',
    help: 'Tries of calls at upstreams, by outcome: answered, refused (the caller is at fault), account, overloaded, failed, unreachable, stalled, unavailable',
    labels: ['upstream', 'outcome'],
    isCounter: true as const,
    read: () =>
      namesOf(upstreams).flatMap((upstream) =>
        Object.entries(countsOf.get(upstream) ?? OUTCOMES).map(([outcome, value]) => ({
          labels: { upstream, outcome },
          value,
        })),
      ),
  },
  {
    name: 'ledgerline_upstream_account_refused',
    help: "Whether an upstream has refused the platform's key or account within 15 minutes: 1 or 0",
    labels: ['upstream'],
    read: () =>
      namesOf(upstreams).map((upstream) => {
        const atMs = refusedAtMs.get(upstream) ?? -Infinity;
        return { labels: { upstream }, value: performance.now() - atMs < REFUSED_MS ? 1 : 0 };
      }),
  },
];

// Also those that the catalogue no longer has: a counter that vanished and came back would count twice.
const namesOf = (upstreams: ReadonlyMap<string, unknown>): string[] => [
  ...new Set([...upstreams.keys(), ...countsOf.keys()]),
];
