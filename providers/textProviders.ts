import type { UpstreamConfig } from './config.ts';
import { createOpenAiProvider } from './openai.ts';
import { ProviderError, type Held, type TextProvider } from './provider.ts';
import { createUpstreamHealth, type AccountAlarm } from './upstreamHealth.ts';
import { optionsOf, type ServedModel, type UpstreamAddress } from './upstreamOptions.ts';
import { createUpstreams } from './upstreams.ts';

export type TextProviders = ReturnType<typeof createTextProviders>;

/** The providers of the catalogue's models: one connection pool for each upstream, tried in the catalogue's order. */
export function createTextProviders(
  catalog: { models: ServedModel[]; upstreams: ReadonlyMap<string, UpstreamAddress> },
  config: UpstreamConfig,
  { onAlarm }: { onAlarm?: AccountAlarm } = {},
) {
  const opened: { close(): Promise<void> }[] = [];
  const byUpstream = new Map([...catalog.upstreams].map(([name, address]) => [name, open(name, address)]));
  const health = new Map([...catalog.upstreams.keys()].map((name) => [name, createUpstreamHealth({ name, onAlarm })]));
  const byModel = new Map(catalog.models.map((model) => [model.id, providerOf(model)]));

  function open(name: string, address: UpstreamAddress): TextProvider {
    if (!address.baseUrl) return unavailable(address.setup ?? `The address of the upstream "${name}" is not set.`);
    const provider = createOpenAiProvider(optionsOf(address, config));
    opened.push(provider);
    return provider;
  }

  function providerOf(model: ServedModel): TextProvider {
    return createUpstreams(
      model.upstreams.map(({ upstream, model }) => ({
        provider: byUpstream.get(upstream)!,
        upstreamModel: model,
        health: health.get(upstream)!,
        firstByteTimeoutMs: catalog.upstreams.get(upstream)!.timeoutsMs?.firstByte,
      })),
    );
  }

  return {
    /** The provider of a model, for a call whose money is held. */
    of: (_held: Held, model: ServedModel): TextProvider => byModel.get(model.id)!,
    close: async () => {
      await Promise.all(opened.map((provider) => provider.close()));
    },
  };
}

function unavailable(setup: string): TextProvider {
  const refuse = () => Promise.reject(new ProviderError('unavailable', setup));
  return { answer: refuse, stream: refuse };
}
