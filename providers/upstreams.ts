import { ProviderError } from './provider.ts';
import type { Json, TextProvider } from './provider.ts';

/** One way to serve a model: an upstream, and what it calls the model. */
export interface Upstream {
  provider: TextProvider;
  upstreamModel: string;
}

/**
 * Serves a model from the first upstream that can. The next one is tried while nothing of an answer has arrived, and only if
 * the failure was the upstream's; a refused request would be refused elsewhere too. Throws the last upstream's error.
 */
export function createUpstreams(upstreams: Upstream[]): TextProvider {
  return {
    answer: (path, body, signal) =>
      firstThatCan(upstreams, ({ provider, upstreamModel }) =>
        provider.answer(path, { ...body, model: upstreamModel }, signal),
      ),
    stream: (path, body, signal) =>
      firstThatCan(upstreams, async ({ provider, upstreamModel }) => {
        const items = await provider.stream(path, { ...body, model: upstreamModel }, signal);
        // An upstream that accepts a call and then sends nothing can be replaced too, as long as there is a choice.
        return upstreams.length > 1 ? withFirstItem(items) : items;
      }),
  };
}

async function firstThatCan<T>(upstreams: Upstream[], attempt: (upstream: Upstream) => Promise<T>): Promise<T> {
  let failure: ProviderError | undefined;
  for (const upstream of upstreams) {
    try {
      return await attempt(upstream);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.fault === 'refused') throw error;
      failure = error;
    }
  }
  throw failure ?? new ProviderError('unavailable', 'no upstream serves this model');
}

/** Resolves when the first item is there, to the same items. */
async function withFirstItem(items: AsyncIterable<Json[]>): Promise<AsyncIterableIterator<Json[]>> {
  const rest = items[Symbol.asyncIterator]();
  const first = await rest.next();
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
