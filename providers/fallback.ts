import { ProviderError } from './provider.ts';
import type { UpstreamHealth } from './upstreamHealth.ts';

/** One way to serve a call: what is known of its upstream, and whatever an attempt there needs. */
interface Place {
  readonly health: UpstreamHealth;
}

/**
 * The result of the first place that can serve a call. The next place is tried only if the failure was the upstream's: a refused request
 * would be refused elsewhere too. Places that have not answered lately come last. Throws the last upstream's error.
 */
export async function firstSuccessful<P extends Place, T>(
  places: readonly P[],
  attempt: (place: P) => Promise<T>,
): Promise<T> {
  let failure: ProviderError | undefined;
  for (const place of inOrder(places)) {
    try {
      return await observed(place.health, attempt(place));
    } catch (error) {
      if (!(error instanceof ProviderError) || error.fault === 'refused') throw error;
      failure = error;
    }
  }
  throw failure ?? new ProviderError('unavailable', 'no upstream serves this model');
}

/** The items of the first place that brings one; its upstream is demoted when it stalls later. Throws as `firstSuccessful` does while there is none, then what its items throw. */
export async function* firstStarted<P extends Place, T>(
  places: readonly P[],
  attempt: (place: P) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const { items } = await firstSuccessful(places, async (place) =>
    withFirstItem(watched(place.health, attempt(place))),
  );
  yield* items;
}

/** The outcome of a call, which its upstream's health takes note of. */
export async function observed<T>(health: UpstreamHealth, call: Promise<T>): Promise<T> {
  try {
    const result = await call;
    health.answered();
    return result;
  } catch (error) {
    if (error instanceof ProviderError) health.failed(error);
    throw error;
  }
}

/** The items, with the health of their upstream noting how they fail. Costs each item one reaction to its promise. */
export function watched<T>(health: UpstreamHealth, items: AsyncIterable<T>): AsyncIterableIterator<T> {
  const rest = items[Symbol.asyncIterator]();
  const note = (error: unknown): void => {
    if (error instanceof ProviderError) health.failed(error);
  };
  const all: AsyncIterableIterator<T> = {
    next() {
      const result = rest.next();
      result.catch(note);
      return result;
    },
    async return() {
      await rest.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]: () => all,
  };
  return all;
}

/** In the given order, the demoted ones behind the others. */
function inOrder<P extends Place>(places: readonly P[]): readonly P[] {
  if (places.length < 2 || places.every(({ health }) => health.isHealthy())) return places;
  const inTurn = places.filter(({ health }) => health.mayTry());
  return [...inTurn, ...places.filter((place) => !inTurn.includes(place))];
}

/** Resolves when the first item is there, to it and to all items with it. `nextWithin` may bound the wait for it. */
export async function withFirstItem<T>(
  items: AsyncIterable<T>,
  nextWithin: (rest: AsyncIterator<T>) => Promise<IteratorResult<T>> = (rest) => rest.next(),
): Promise<{ first: T | undefined; items: AsyncIterableIterator<T> }> {
  const rest = items[Symbol.asyncIterator]();
  const first = await nextWithin(rest);
  let unread: IteratorResult<T> | undefined = first;
  const all: AsyncIterableIterator<T> = {
    next() {
      const result = unread ? Promise.resolve(unread) : rest.next();
      unread = undefined;
      return result;
    },
    async return() {
      await rest.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]: () => all,
  };
  return { first: first.done ? undefined : first.value, items: all };
}
