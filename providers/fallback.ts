import { type CallSignal, ProviderError, type ProviderFault } from './provider.ts';

/** One upstream for a call: its health, and the inputs of an attempt. */
interface Place {
  readonly health: UpstreamHealth;
}

/**
 * The result of the first upstream that serves a call. The next upstream is tried only if the failure was the upstream's: the others
 * would refuse a refused request too. Demoted upstreams come last. `signal` is notified of each attempt. Throws the last upstream's
 * error.
 */
export function firstSuccessful<P extends Place, T>(
  places: readonly P[],
  attempt: (place: P) => Promise<T>,
  signal?: CallSignal,
): Promise<T> {
  const left = inOrder(places);
  // Not an async function: almost every call ends with its first attempt.
  const tryFrom = (at: number, failure?: ProviderError): Promise<T> => {
    const place = left[at];
    if (!place) return Promise.reject(failure ?? new ProviderError('unavailable', 'no upstream serves this model'));
    signal?.attempted?.(place.health.name);
    return observed(place.health, begun(place), (error) => {
      if (error.fault === 'refused') throw error;
      return tryFrom(at + 1, error);
    });
  };
  const begun = (place: P): Promise<T> => {
    try {
      return attempt(place);
    } catch (error) {
      return Promise.reject(error);
    }
  };
  return tryFrom(0);
}

/**
 * The items of the first upstream that delivers any; it is demoted when it stalls later. Before the first item it throws as
 * `firstSuccessful` does, then whatever its items throw.
 */
export async function* firstStarted<P extends Place, T>(
  places: readonly P[],
  attempt: (place: P) => AsyncIterable<T>,
  signal?: CallSignal,
): AsyncGenerator<T> {
  const { items } = await firstSuccessful(
    places,
    async (place) => withFirstItem(watched(place.health, attempt(place))),
    signal,
  );
  yield* items;
}

const rethrow = (error: ProviderError): never => {
  throw error;
};

/** The result of a call, recorded in its upstream's health. `instead` gets the upstream's error; by default it is thrown. */
export function observed<T>(
  health: UpstreamHealth,
  call: Promise<T>,
  instead: (error: ProviderError) => Promise<T> = rethrow,
): Promise<T> {
  return call.then(
    (result) => {
      health.answered();
      return result;
    },
    (error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      health.failed(error);
      return instead(error);
    },
  );
}

/** Records what an upstream's call broke on. Other errors are not its fault. */
export function noteFailure(health: UpstreamHealth, error: unknown): void {
  if (error instanceof ProviderError) health.failed(error);
}

/** The items; their upstream's health records failures. Costs one promise reaction per item. */
export function watched<T>(health: UpstreamHealth, items: AsyncIterable<T>): AsyncIterableIterator<T> {
  const rest = items[Symbol.asyncIterator]();
  const all: AsyncIterableIterator<T> = {
    next() {
      const result = rest.next();
      result.catch((error: unknown) => noteFailure(health, error));
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

/** In the given order, demoted upstreams last. */
function inOrder<P extends Place>(places: readonly P[]): readonly P[] {
  if (places.length < 2 || places.every(({ health }) => health.isHealthy())) return places;
  const inTurn = places.filter(({ health }) => health.mayTry());
  return [...inTurn, ...places.filter((place) => !inTurn.includes(place))];
}

/** Resolves when the first item has arrived, to an iterable of all items. */
export async function withFirstItem<T>(
  items: AsyncIterable<T>,
): Promise<{ first: T | undefined; items: AsyncIterableIterator<T> }> {
  const rest = items[Symbol.asyncIterator]();
  const first = await rest.next();
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

/** How long an upstream without an answer is demoted. */
const DEMOTED_MS = 30_000;
/** An active alarm repeats at this interval, not with every call. */
const ALARM_MS = 60_000;

export type UpstreamHealth = ReturnType<typeof createUpstreamHealth>;

/** An operator has to act: the upstream refuses the platform's own key or account. */
export type AccountAlarm = (upstream: string, error: ProviderError) => void;

/**
 * The health of one upstream, shared by its models. States: healthy -> demoted (unreachable or stalled); demoted -> healthy (any answer).
 * A demoted upstream is tried last, so that not every call waits for its timeout; after 30 s, one call every 30 s tries it in its order.
 */
export function createUpstreamHealth({
  name,
  onAlarm = () => undefined,
  onOutcome = () => undefined,
  nowMs = () => performance.now(),
}: {
  name: string;
  onAlarm?: AccountAlarm;
  /** Called with each answer and each failure. */
  onOutcome?: (upstream: string, outcome: 'answered' | ProviderFault) => void;
  nowMs?: () => number;
}) {
  let isDemoted = false;
  let demotedUntilMs = 0;
  let alarmedAtMs = -Infinity;

  return {
    name,
    isHealthy: () => !isDemoted,
    /** Whether this call may try the upstream in its order: once per period after a demotion. */
    mayTry(): boolean {
      if (!isDemoted) return true;
      if (nowMs() < demotedUntilMs) return false;
      demotedUntilMs = nowMs() + DEMOTED_MS;
      return true;
    },
    answered(): void {
      isDemoted = false;
      onOutcome(name, 'answered');
    },
    failed(error: ProviderError): void {
      onOutcome(name, error.fault);
      if (error.fault === 'stalled' || error.fault === 'unreachable') {
        isDemoted = true;
        demotedUntilMs = nowMs() + DEMOTED_MS;
      }
      if (error.fault !== 'account' || nowMs() < alarmedAtMs + ALARM_MS) return;
      alarmedAtMs = nowMs();
      onAlarm(name, error);
    },
  };
}
