import type { UpstreamConfig } from './config.ts';
import { createOpenAiProvider } from './openai.ts';
import { ProviderError, type TextProvider } from './provider.ts';
import { createUpstreams } from './upstreams.ts';

/** An address that models run at. `setup` tells an operator what to do when the address is not set. */
interface UpstreamAddress {
  baseUrl: string;
  apiKey?: string;
  setup?: string;
}

/** A model by the service's id, and where it runs, in order of preference. */
interface ServedModel {
  id: string;
  upstreams: { upstream: string; model: string }[];
}

export type TextProviders = ReturnType<typeof createTextProviders>;

/** The providers of the catalogue's models: one connection pool for each upstream, tried in the catalogue's order. */
export function createTextProviders(
  catalog: { models: ServedModel[]; upstreams: ReadonlyMap<string, UpstreamAddress> },
  config: UpstreamConfig,
) {
  const opened: { close(): Promise<void> }[] = [];
  const byUpstream = new Map([...catalog.upstreams].map(([name, address]) => [name, open(name, address)]));
  const byModel = new Map(catalog.models.map((model) => [model.id, providerOf(model)]));

  function open(name: string, { baseUrl, apiKey, setup }: UpstreamAddress): TextProvider {
    if (!baseUrl) return unavailable(setup ?? `The address of the upstream "${name}" is not set.`);
    const provider = createOpenAiProvider({ baseUrl, apiKey, connectTimeoutMs: 5_000, ...config });
    opened.push(provider);
    return provider;
  }

  function providerOf(model: ServedModel): TextProvider {
    return createUpstreams(
      model.upstreams.map(({ upstream, model }) => ({ provider: byUpstream.get(upstream)!, upstreamModel: model })),
    );
  }

  return {
    of: (model: ServedModel): TextProvider => byModel.get(model.id)!,
    close: async () => {
      await Promise.all(opened.map((provider) => provider.close()));
    },
  };
}

function unavailable(setup: string): TextProvider {
  const refuse = () => Promise.reject(new ProviderError('unavailable', setup));
  return { answer: refuse, stream: refuse };
}
