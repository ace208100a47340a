import type { Catalog, Model, UpstreamEntry } from '../../db/catalog.ts';
import { createOpenAiProvider } from '../../providers/openai.ts';
import { ProviderError, type TextProvider } from '../../providers/provider.ts';
import { createUpstreams } from '../../providers/upstreams.ts';
import type { ApiConfig } from '../config.ts';

export type TextProviders = ReturnType<typeof createTextProviders>;

/** The providers of the catalogue's models: one connection pool for each upstream, tried in the catalogue's order. */
export function createTextProviders(catalog: Catalog, config: ApiConfig) {
  const opened: { close(): Promise<void> }[] = [];
  const byUpstream = new Map([...catalog.upstreams].map(([name, entry]) => [name, open(name, entry)]));
  const byModel = new Map(catalog.models.map((model) => [model.id, providerOf(model)]));

  function open(name: string, entry: UpstreamEntry): TextProvider {
    if (!entry.baseUrl) return unavailable(entry.setup ?? `The address of the upstream "${name}" is not set.`);
    const provider = createOpenAiProvider({
      baseUrl: entry.baseUrl,
      apiKey: entry.apiKey,
      idleTimeoutMs: config.upstreamIdleTimeoutMs,
      answerTimeoutMs: config.upstreamAnswerTimeoutMs,
      connectTimeoutMs: 5_000,
      connectionsMax: config.upstreamConnectionsMax,
    });
    opened.push(provider);
    return provider;
  }

  function providerOf(model: Model): TextProvider {
    return createUpstreams(
      model.upstreams.map(({ upstream, model }) => ({ provider: byUpstream.get(upstream)!, upstreamModel: model })),
    );
  }

  return {
    of: (model: Model): TextProvider => byModel.get(model.id)!,
    close: async () => {
      await Promise.all(opened.map((provider) => provider.close()));
    },
  };
}

function unavailable(setup: string): TextProvider {
  const refuse = () => Promise.reject(new ProviderError('unavailable', setup));
  return { answer: refuse, stream: refuse };
}
