import type { Routing } from '../upstreamOptions.ts';
import { isClosed, mayTry, type Place } from './place.ts';
import type { RoutingNote } from '../routingNote.ts';

/** Calls that decide about an upstream by its figures; with fewer it is unknown. */
const KNOWN_CALLS = 10;
/** The share of calls that try an unknown upstream first. */
const EXPLORED_SHARE = 0.05;

/** Which calls are compared: the first byte of streams is no measure for whole answers. */
export type CallKind = 'streams' | 'wholes';

/** The upstreams of a call in the order in which they are tried, and why. */
export interface Choice<P> {
  order: readonly P[];
  by: RoutingNote['by'];
  healthy: number;
  /** Those that would have been tried before the first one, were their circuits not open. */
  skipped: readonly P[];
}

/**
 * Sorts the upstreams of a call by its model's rule. Upstreams with an open circuit come last. A half-open one keeps its place for one call
 * of each cool-down, where that is the first place; others are tried last as before.
 */
export function sortPlaces<P extends Place>(
  places: readonly P[],
  { by = 'order' }: Routing,
  { kind, random }: { kind: CallKind; random: () => number },
): Choice<P> {
  let healthy = 0;
  for (const place of places) if (isClosed(place)) healthy += 1;
  // Almost every call.
  if (by === 'order' && healthy === places.length) return { order: places, by, healthy, skipped: [] };
  const sorted = by === 'order' ? places : sortedBy(by, places, kind, random);
  const first = sorted[0]!;
  if (!isClosed(first) && mayTry(first))
    return { order: [first, ...closedFirst(sorted.slice(1))], by: 'probe', healthy, skipped: [] };
  const isExplored =
    (by === 'latency' || by === 'errors') &&
    isClosed(first) &&
    !isKnown(first, kind) &&
    sorted.some((place) => isKnown(place, kind));
  const ready = sorted.findIndex(isClosed);
  return {
    order: closedFirst(sorted),
    by: isExplored ? 'explore' : by,
    healthy,
    skipped: ready > 0 ? sorted.slice(0, ready) : [],
  };
}

const closedFirst = <P extends Place>(places: readonly P[]): P[] => [
  ...places.filter(isClosed),
  ...places.filter((place) => !isClosed(place)),
];

const isKnown = (place: Place, kind: CallKind): boolean => place.own[kind].summary().calls >= KNOWN_CALLS;

type Sorted = Exclude<NonNullable<Routing['by']>, 'order'>;

function sortedBy<P extends Place>(
  by: Sorted,
  places: readonly P[],
  kind: CallKind,
  random: () => number,
): readonly P[] {
  if (by === 'weighted') return drawn(places, random);
  if (by === 'price') return places.toSorted((one, other) => (one.cost ?? Infinity) - (other.cost ?? Infinity) || 0);
  const figureOf = by === 'latency' ? waitOf : failuresOf;
  const known = places.filter((place) => isKnown(place, kind));
  const unknown = shuffled(
    places.filter((place) => !isKnown(place, kind)),
    random,
  );
  const sorted = known.toSorted((one, other) => figureOf(one, kind) - figureOf(other, kind));
  if (unknown.length === 0 || known.length === 0) return [...sorted, ...unknown];
  // All unknown ones share what is explored.
  return random() < EXPLORED_SHARE ? [unknown[0]!, ...sorted, ...unknown.slice(1)] : [...sorted, ...unknown];
}

const waitOf = ({ own }: Place, kind: CallKind): number => own[kind].summary().p95Ms ?? Infinity;

function failuresOf({ own }: Place, kind: CallKind): number {
  const { calls, failures } = own[kind].summary();
  return failures / calls;
}

/** Draws one after another, each with the probability of its weight among those that are left. Weight 0: only when no other is left. */
function drawn<P extends Place>(places: readonly P[], random: () => number): P[] {
  const left = [...places];
  const order: P[] = [];
  while (left.length > 0) {
    const total = left.reduce((sum, { weight }) => sum + weight, 0);
    let at = random() * total;
    const index = left.findIndex(({ weight }) => (at -= weight) < 0);
    order.push(...left.splice(Math.max(index, 0), 1));
  }
  return order;
}

function shuffled<P extends Place>(places: readonly P[], random: () => number): P[] {
  return drawn(
    places.map((place) => ({ ...place, place, weight: 1 })),
    random,
  ).map(({ place }) => place);
}
