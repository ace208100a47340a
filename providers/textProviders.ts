import type { UpstreamConfig } from './config.ts';
import { createOpenAiProvider } from './openai.ts';
import { ProviderError, type TextProvider } from './provider.ts';
import { createUpstreamHealth, type AccountAlarm } from './upstreamHealth.ts';
import { createUpstreams } from './upstreams.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** An address that models run at. `setup` tells an operator what to do when the address is not set. */
interface UpstreamAddress {
  baseUrl: string;
  apiKey?: string;
  setup?: string;
  timeoutsMs?: { connect?: number; firstByte?: number; idle?: number; answer?: number };
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
  { onAlarm }: { onAlarm?: AccountAlarm } = {},
) {
  const opened: { close(): Promise<void> }[] = [];
  const byUpstream = new Map([...catalog.upstreams].map(([name, address]) => [name, open(name, address)]));
  const health = new Map([...catalog.upstreams.keys()].map((name) => [name, createUpstreamHealth({ name, onAlarm })]));
  const byModel = new Map(catalog.models.map((model) => [model.id, providerOf(model)]));

  function open(name: string, { baseUrl, apiKey, setup, timeoutsMs = {} }: UpstreamAddress): TextProvider {
    if (!baseUrl) return unavailable(setup ?? `The address of the upstream "${name}" is not set.`);
    const provider = createOpenAiProvider({
      baseUrl,
      apiKey,
      connectTimeoutMs: timeoutsMs.connect ?? CONNECT_TIMEOUT_MS,
      firstByteTimeoutMs: timeoutsMs.firstByte,
      idleTimeoutMs: timeoutsMs.idle ?? config.idleTimeoutMs,
      answerTimeoutMs: timeoutsMs.answer ?? config.answerTimeoutMs,
      connectionsMax: config.connectionsMax,
    });
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
