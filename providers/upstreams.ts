import { firstSuccessful, watched, withFirstItem } from './fallback.ts';
import { ProviderError } from './provider.ts';
import type { Json, TextProvider } from './provider.ts';
import type { UpstreamHealth } from './upstreamHealth.ts';

/** One upstream of a model, and its name for the model. */
export interface Upstream {
  provider: TextProvider;
  upstreamModel: string;
  health: UpstreamHealth;
  /** The longest wait for a stream's first chunk; defaults to the limit for all others. */
  firstByteTimeoutMs?: number;
}

/** Serves a model from the first upstream that can (`firstSuccessful`). The next one is tried while nothing of an answer has arrived. */
export function createUpstreams(upstreams: Upstream[]): TextProvider {
  return {
    answer: (path, body, signal) =>
      firstSuccessful(upstreams, ({ provider, upstreamModel }) =>
        provider.answer(path, { ...body, model: upstreamModel }, signal),
      ),
    stream: (path, body, signal) =>
      firstSuccessful(upstreams, async ({ provider, upstreamModel, firstByteTimeoutMs, health }) => {
        const items = watched(health, await provider.stream(path, { ...body, model: upstreamModel }, signal));
        // An upstream that accepts a call and then sends nothing can be replaced too, as long as there is another one.
        return upstreams.length > 1 ? started(items, firstByteTimeoutMs) : items;
      }),
  };
}

/** Resolves when the first chunk has arrived, to an iterable of all of them. */
async function started(items: AsyncIterable<Json[]>, timeoutMs: number | undefined): Promise<AsyncIterable<Json[]>> {
  const nextWithin =
    timeoutMs === undefined ? undefined : (rest: AsyncIterator<Json[]>) => firstWithin(timeoutMs, rest);
  return (await withFirstItem(items, nextWithin)).items;
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
