import { ProviderError } from './provider.ts';
import type { Json, TextProvider } from './provider.ts';
import type { UpstreamHealth } from './upstreamHealth.ts';

/** One way to serve a model: an upstream, and what it calls the model. */
export interface Upstream {
  provider: TextProvider;
  upstreamModel: string;
  health: UpstreamHealth;
  /** The longest wait for a stream's first chunk; as long as for any other when left out. */
  firstByteTimeoutMs?: number;
}

/**
 * Serves a model from the first upstream that can. The next one is tried while nothing of an answer has arrived, and only if
 * the failure was the upstream's; a refused request would be refused elsewhere too. Upstreams that have not answered lately come last.
 * Throws the last upstream's error.
 */
export function createUpstreams(upstreams: Upstream[]): TextProvider {
  return {
    answer: (path, body, signal) =>
      firstThatCan(upstreams, ({ provider, upstreamModel }) =>
        provider.answer(path, { ...body, model: upstreamModel }, signal),
      ),
    stream: (path, body, signal) =>
      firstThatCan(upstreams, async ({ provider, upstreamModel, firstByteTimeoutMs }) => {
        const items = await provider.stream(path, { ...body, model: upstreamModel }, signal);
        // An upstream that accepts a call and then sends nothing can be replaced too, as long as there is a choice.
        return upstreams.length > 1 ? withFirstItem(items, firstByteTimeoutMs) : items;
      }),
  };
}

async function firstThatCan<T>(upstreams: Upstream[], attempt: (upstream: Upstream) => Promise<T>): Promise<T> {
  let failure: ProviderError | undefined;
  for (const upstream of inOrder(upstreams)) {
    try {
      const answer = await attempt(upstream);
      upstream.health.answered();
      return answer;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      upstream.health.failed(error);
      if (error.fault === 'refused') throw error;
      failure = error;
    }
  }
  throw failure ?? new ProviderError('unavailable', 'no upstream serves this model');
}

/** In the catalogue's order, the demoted ones behind the others. */
function inOrder(upstreams: Upstream[]): Upstream[] {
  if (upstreams.length < 2 || upstreams.every(({ health }) => health.isHealthy())) return upstreams;
  const inTurn = upstreams.filter(({ health }) => health.mayTry());
  return [...inTurn, ...upstreams.filter((upstream) => !inTurn.includes(upstream))];
}

/** Resolves when the first item is there, to the same items. */
async function withFirstItem(
  items: AsyncIterable<Json[]>,
  timeoutMs: number | undefined,
): Promise<AsyncIterableIterator<Json[]>> {
  const rest = items[Symbol.asyncIterator]();
  const first = await (timeoutMs === undefined ? rest.next() : firstWithin(timeoutMs, rest));
  let unread: IteratorResult<Json[]> | undefined = first;
  const all: AsyncIterableIterator<Json[]> = {
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
  return all;
}

async function firstWithin(timeoutMs: number, items: AsyncIterator<Json[]>): Promise<IteratorResult<Json[]>> {
  const late = Promise.withResolvers<never>();
  const stalled = new ProviderError('stalled', 'the upstream sent no chunk within its time for the first');
  const timer = setTimeout(() => late.reject(stalled), timeoutMs);
  try {
    return await Promise.race([items.next(), late.promise]);
  } catch (error) {
    if (error === stalled) await items.return?.();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
