import type { UpstreamConfig } from './config.ts';
import { firstSuccessful, noteFailure, watched } from './fallback.ts';
import { createOpenAiProvider } from './openai.ts';
import { createOpenedUpstreams } from './openedUpstreams.ts';
import { ProviderError, type ChunkStream, type Held, type Json, type TestCall, type TextProvider } from './provider.ts';
import { createRouting, demandsOf, type RoutedPlace } from './routing/routing.ts';
import type { UpstreamHealth } from './routing/upstreamHealth.ts';
import { createTestText, type SharedParts, type TestPlace } from './testMode/testText.ts';
import { optionsOf, type ServedModel, type UpstreamAddress, type UpstreamCatalog } from './upstreamOptions.ts';

export type TextProviders = ReturnType<typeof createTextProviders>;

/**
 * The providers of the catalogue's models: one connection pool for each upstream, chosen by `routing`. Calls paid with test
 * money go to the test upstream instead.
 */
export function createTextProviders(
  catalog: UpstreamCatalog,
  config: UpstreamConfig,
  { routing = createRouting(), openTestUpstream }: SharedParts = {},
) {
  const tests = openTestUpstream && createTestText({ openTestUpstream, config, connect: createOpenAiProvider });
  const upstreams = createOpenedUpstreams(catalog, open);
  // One for each model as it is priced and routed, and for what its calls demand.
  const served = new WeakMap<ServedModel, TextProvider>();

  function open(name: string, address: UpstreamAddress): TextProvider & { close?(): Promise<void> } {
    if (!address.baseUrl) return unavailable(address.setup ?? `The address of the upstream "${name}" is not set.`);
    return createOpenAiProvider(optionsOf(address, config));
  }

  function servedBy(held: Held, model: ServedModel): TextProvider {
    const known = (!held.noRetention && served.get(model)) || routedProvider(held, model);
    if (!held.noRetention) served.set(model, known);
    return known;
  }

  function routedProvider(held: Held, model: ServedModel): TextProvider {
    const places = routing.placesOf(model, catalog.upstreams);
    const { routing: rules } = model;
    const isAlone = places.length === 1;
    const needsMembers = places.some(({ without }) => without);
    const demands = demandsOf(held);
    const demandsFor = (body: Json) => (needsMembers ? demandsOf(held, body) : demands);
    return {
      answer: (path, body, signal) =>
        routing.first(
          {
            places,
            routing: rules,
            kind: 'wholes',
            demands: demandsFor(body),
            begin: ({ upstream, model: named }, own) =>
              upstreams.of(upstream).answer(path, { ...body, model: named }, own),
          },
          signal,
        ),
      stream: (path, body, signal) =>
        routing.first(
          {
            places,
            routing: rules,
            kind: 'streams',
            demands: demandsFor(body),
            begin: async (place, own) => {
              const chunks = await upstreams.of(place.upstream).stream(path, { ...body, model: place.model }, own);
              // An upstream that accepts a call and then sends nothing is replaced too, while others remain.
              if (!isAlone) await begun(chunks, catalog.upstreams.get(place.upstream)?.timeoutsMs?.firstByte);
              return watchedChunks(isAlone ? place.health : brokenAt(place), chunks);
            },
            discard: (chunks) => chunks.cancel(),
          },
          signal,
        ),
    };
  }

  function testedBy(test: TestCall, { id }: ServedModel): TextProvider {
    return tests ? createUpstreams(tests.placesOf(id, test)) : unavailable('This process serves no test calls.');
  }

  return {
    /** A model's provider, for a call with held money. */
    of: (held: Held, model: ServedModel): TextProvider =>
      held.test ? testedBy(held.test, model) : servedBy(held, model),
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

/** Serves a test call from the first upstream that can. The next upstream is tried only before any of the answer has arrived. */
function createUpstreams(upstreams: TestPlace[]): TextProvider {
  return {
    answer: (path, body, signal) =>
      firstSuccessful(
        upstreams,
        ({ provider, upstreamModel }, own) => provider.answer(path, { ...body, model: upstreamModel }, own),
        signal,
      ),
    stream: (path, body, signal) =>
      firstSuccessful(
        upstreams,
        async ({ provider, upstreamModel, health }, own) => {
          const chunks = await provider.stream(path, { ...body, model: upstreamModel }, own);
          await chunks.begun();
          return watchedChunks(health, chunks);
        },
        signal,
      ),
  };
}

/** An answer that breaks off after its first chunk counts for its model at this upstream, too. */
const brokenAt = ({ health, own }: RoutedPlace): Pick<UpstreamHealth, 'failed'> => ({
  failed: (error) => {
    health.failed(error);
    own.circuit.broke();
    own.streams.broke();
  },
});

/** The chunks; their upstream's health records how they broke off. */
function watchedChunks(health: Pick<UpstreamHealth, 'failed'>, chunks: ChunkStream): ChunkStream {
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
