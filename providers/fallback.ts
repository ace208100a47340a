import { ProviderError, type CallSignal } from './provider.ts';
import { Attempts } from './routing/attempts.ts';
import type { UpstreamHealth } from './routing/upstreamHealth.ts';

/** One upstream for a call: its health, and the inputs of an attempt. */
interface Place {
  readonly health: UpstreamHealth;
}

/** The signal of a caller who never ends a call. */
const NEVER: CallSignal = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined };

/**
 * The result of the first upstream that serves a call, in the order of the list. The next one is tried only if the failure was the
 * upstream's: the others would refuse a refused request too. Throws the last upstream's error. Models of the catalogue are routed instead
 * (`routing/routing.ts`).
 */
export function firstSuccessful<P extends Place, T>(
  places: readonly P[],
  attempt: (place: P, signal: CallSignal) => Promise<T>,
  signal: CallSignal = NEVER,
): Promise<T> {
  const plan = {
    places,
    nameOf: ({ health }: P) => health.name,
    begin: attempt,
    lateMsOf: () => undefined,
    mayGoOn: () => true,
    answered: ({ health }: P) => health.answered(),
    failed: ({ health }: P, error: ProviderError) => health.failed(error),
    late: () => undefined,
    broke: () => undefined,
    discard: () => undefined,
    note: { by: 'order' as const, healthy: places.length, of: places.length, skipped: [] },
  };
  return new Attempts<P, T>(plan, signal).run();
}

/** The items of the first upstream that delivers any. Before the first item it throws as `firstSuccessful` does, then whatever its items throw. */
export async function* firstStarted<P extends Place, T>(
  places: readonly P[],
  attempt: (place: P, signal: CallSignal) => AsyncIterable<T>,
  signal?: CallSignal,
): AsyncGenerator<T> {
  const { items } = await firstSuccessful(
    places,
    async (place, own) => withFirstItem(watched(place.health, attempt(place, own))),
    signal,
  );
  yield* items;
}

/** The result of a call, recorded in its upstream's health. */
export function observed<T>(health: UpstreamHealth, call: Promise<T>): Promise<T> {
  return call.then(
    (result) => {
      health.answered();
      return result;
    },
    (error: unknown) => {
      if (error instanceof ProviderError) health.failed(error);
      throw error;
    },
  );
}

/** Records what an upstream's call broke on. Other errors are not its fault. */
export function noteFailure(health: Pick<UpstreamHealth, 'failed'>, error: unknown): void {
  if (error instanceof ProviderError) health.failed(error);
}

/** The items; their upstream's health records failures. Costs one promise reaction per item. */
export function watched<T>(health: Pick<UpstreamHealth, 'failed'>, items: AsyncIterable<T>): AsyncIterableIterator<T> {
  const rest = items[Symbol.asyncIterator]();
  return iterableOf(rest, () => {
    const result = rest.next();
    result.catch((error: unknown) => noteFailure(health, error));
    return result;
  });
}

/** Resolves when the first item has arrived, to an iterable of all items. */
export async function withFirstItem<T>(
  items: AsyncIterable<T>,
): Promise<{ first: T | undefined; items: AsyncIterableIterator<T> }> {
  const rest = items[Symbol.asyncIterator]();
  const first = await rest.next();
  let unread: IteratorResult<T> | undefined = first;
  const all = iterableOf(rest, () => {
    const result = unread ? Promise.resolve(unread) : rest.next();
    unread = undefined;
    return result;
  });
  return { first: first.done ? undefined : first.value, items: all };
}

/** What `next` gives, until the reader leaves. */
function iterableOf<T>(rest: AsyncIterator<T>, next: () => Promise<IteratorResult<T>>): AsyncIterableIterator<T> {
  const all: AsyncIterableIterator<T> = {
    next,
    async return() {
      await rest.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]: () => all,
  };
  return all;
}
