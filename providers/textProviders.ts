import type { UpstreamConfig } from './config.ts';
import {
  createUpstreamHealth,
  type AccountAlarm,
  firstSuccessful,
  noteFailure,
  watched,
  type UpstreamHealth,
} from './fallback.ts';
import { createOpenAiProvider } from './openai.ts';
import { byName, createOpenedUpstreams } from './openedUpstreams.ts';
import { ProviderError, type ChunkStream, type Held, type TestCall, type TextProvider } from './provider.ts';
import { createTestText, type OpenTestUpstream } from './testMode/testText.ts';
import { optionsOf, type ServedModel, type UpstreamAddress } from './upstreamOptions.ts';
import { noteOutcome } from './upstreamOutcomes.ts';

export type TextProviders = ReturnType<typeof createTextProviders>;

/**
 * The providers of the catalogue's models: one connection pool for each upstream, tried in the catalogue's order. Calls paid with test
 * money go to the test upstream instead.
 */
export function createTextProviders(
  catalog: { readonly upstreams: ReadonlyMap<string, UpstreamAddress> },
  config: UpstreamConfig,
  { onAlarm, openTestUpstream }: { onAlarm?: AccountAlarm; openTestUpstream?: OpenTestUpstream } = {},
) {
  const tests = openTestUpstream && createTestText({ openTestUpstream, config, connect: createOpenAiProvider });
  const upstreams = createOpenedUpstreams(catalog, open);
  const healthOf = byName((name) => createUpstreamHealth({ name, onAlarm, onOutcome: noteOutcome }));
  // A model's upstreams are one list, also where its price is another.
  const byPlaces = new WeakMap<ServedModel['upstreams'], TextProvider>();

  function open(name: string, address: UpstreamAddress): TextProvider & { close?(): Promise<void> } {
    if (!address.baseUrl) return unavailable(address.setup ?? `The address of the upstream "${name}" is not set.`);
    return createOpenAiProvider(optionsOf(address, config));
  }

  function providerOf(places: ServedModel['upstreams']): TextProvider {
    return createUpstreams(
      places.map(({ upstream, model }) => ({
        get provider() {
          return upstreams.of(upstream);
        },
        upstreamModel: model,
        health: healthOf(upstream),
        get firstByteTimeoutMs() {
          return catalog.upstreams.get(upstream)?.timeoutsMs?.firstByte;
        },
      })),
    );
  }

  function servedBy({ upstreams: places }: ServedModel): TextProvider {
    const known = byPlaces.get(places) ?? providerOf(places);
    byPlaces.set(places, known);
    return known;
  }

  function testedBy(test: TestCall, { id }: ServedModel): TextProvider {
    return tests ? createUpstreams(tests.placesOf(id, test)) : unavailable('This process serves no test calls.');
  }

  return {
    /** A model's provider, for a call with held money. */
    of: ({ test }: Held, model: ServedModel): TextProvider => (test ? testedBy(test, model) : servedBy(model)),
    /** The provider of an address, for an operator's probe: its call is not held, as the platform pays for it itself. */
    probing: (address: UpstreamAddress) => open('probe', address),
    close: async () => {
      await Promise.all([tests?.close(), ...upstreams.all().map((provider) => provider.close?.())]);
    },
  };
}

function unavailable(setup: string): TextProvider {
  const refuse = () => Promise.reject(new ProviderError('unavailable', setup));
  return { answer: refuse, stream: refuse };
}

/** One upstream of a model, and its name for the model. */
interface Upstream {
  readonly provider: TextProvider;
  upstreamModel: string;
  health: UpstreamHealth;
  /** The longest wait for a stream's first chunk; the general limit by default. */
  readonly firstByteTimeoutMs?: number | undefined;
}

/**
 * Serves a model from the first upstream that can (`firstSuccessful`). The next upstream is tried only before any of the answer has
 * arrived.
 */
export function createUpstreams(upstreams: Upstream[]): TextProvider {
  return {
    answer: (path, body, signal) =>
      firstSuccessful(
        upstreams,
        ({ provider, upstreamModel }) => provider.answer(path, { ...body, model: upstreamModel }, signal),
        signal,
      ),
    stream: (path, body, signal) =>
      firstSuccessful(
        upstreams,
        async ({ provider, upstreamModel, firstByteTimeoutMs, health }) => {
          const chunks = await provider.stream(path, { ...body, model: upstreamModel }, signal);
          // An upstream that accepts a call and then sends nothing is replaced too, while others remain.
          if (upstreams.length > 1) await begun(chunks, firstByteTimeoutMs);
          return watchedChunks(health, chunks);
        },
        signal,
      ),
  };
}

/** The chunks; their upstream's health records how they broke off. */
function watchedChunks(health: UpstreamHealth, chunks: ChunkStream): ChunkStream {
  const rethrow = (error: unknown): never => {
    noteFailure(health, error);
    throw error;
  };
  return {
    each: (take) => chunks.each(take).catch(rethrow),
    begun: () => chunks.begun(),
    cancel: () => chunks.cancel(),
    [Symbol.asyncIterator]: () => watched(health, chunks),
  };
}

/** Resolves when the first chunk has arrived. */
async function begun(chunks: ChunkStream, timeoutMs: number | undefined): Promise<void> {
  if (timeoutMs === undefined) return chunks.begun();
  const late = Promise.withResolvers<never>();
  const stalled = new ProviderError('stalled', 'the upstream sent no chunk within its time for the first');
  const timer = setTimeout(() => late.reject(stalled), timeoutMs);
  try {
    await Promise.race([chunks.begun(), late.promise]);
  } catch (error) {
    if (error === stalled) chunks.cancel();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
