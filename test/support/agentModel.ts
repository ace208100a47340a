import { createTextProviders } from '../../providers/textProviders.ts';

/** What thinks for agents in tests. */
const agentModel = {
  id: 'ledgerline-text-1',
  kind: 'text' as const,
  aliases: [],
  created: 1_761_955_200,
  contextTokens: 8192,
  outputTokensMax: 4096,
  inputMediaTypes: ['image/png', 'audio/wav', 'audio/mpeg'],
  upstreams: [{ upstream: 'main', model: 'scripted' }],
  rates: { input_tokens: 300_000n, output_tokens: 2_500_000n },
};

/** That model at an upstream, and how to let go of it. */
export function openAgentModel(upstreamUrl: string) {
  const providers = createTextProviders(
    { models: [agentModel], upstreams: new Map([['main', { baseUrl: upstreamUrl }]]) },
    { idleTimeoutMs: 20_000, answerTimeoutMs: 20_000, connectionsMax: 100 },
  );
  return { model: agentModel, textProviders: providers, close: () => providers.close() };
}
