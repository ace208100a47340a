import { expect, test } from '@jest/globals';
import { readAgentUpstream } from '../../../db/config.ts';
import { createAgentModels } from '../../../db/agents/agentModels.ts';
import { readCatalog } from '../../support/readCatalog.ts';

const catalogWith = (env: NodeJS.ProcessEnv) => readCatalog('catalog.json', () => '', readAgentUpstream(env));
const picosPerToken = (usdPerMillion: number) => BigInt(usdPerMillion * 1e6);

test('without a key or an address of a vendor the catalogue is that of the file', () => {
  expect(readAgentUpstream({})).toBeNull();
  expect(readAgentUpstream({ AGENT_UPSTREAM_MODEL: 'other', AGENT_UPSTREAM_KEY: '' })).toBeNull();
  expect(catalogWith({}).agentModel).toBe('ledgerline-rehearsal');
});

test('a key alone gives agents a model of OpenAI, at its list price', () => {
  const catalog = catalogWith({ AGENT_UPSTREAM_KEY: 'sk-vendor' });
  const { standard } = createAgentModels(catalog);
  expect(standard).toMatchObject({ id: 'gpt-4.1-mini', kind: 'text', rates: { input_tokens: picosPerToken(0.4) } });
  expect(catalog.upstreams.get(standard.upstreams[0]!.upstream)).toMatchObject({
    baseUrl: 'https://api.openai.com/v1',
    apiKey: 'sk-vendor',
  });
});

test.each([
  [{}, 150, 600],
  [{ AGENT_UPSTREAM_USD_PER_MILLION: '2/8.5' }, 2, 8.5],
])('a model with the prices of %j is sold at %d and %d', (prices, input, output) => {
  const env = { AGENT_UPSTREAM_URL: 'http://127.0.0.1:9/v1', AGENT_UPSTREAM_MODEL: 'gpt-4.1-mini', ...prices };
  const { standard } = createAgentModels(catalogWith(env));
  expect(standard.rates).toEqual({ input_tokens: picosPerToken(input), output_tokens: picosPerToken(output) });
});

test('a model that the file already has keeps its prices and becomes that of agents', () => {
  const env = { AGENT_UPSTREAM_KEY: 'sk-vendor', AGENT_UPSTREAM_MODEL: 'ledgerline-text' };
  const { standard } = createAgentModels(catalogWith(env));
  expect(standard).toMatchObject({ id: 'smollm2-135m-instruct', rates: { input_tokens: picosPerToken(0.3) } });
});

test.each([
  [{ AGENT_UPSTREAM_URL: 'ftp://x' }, /AGENT_UPSTREAM_URL: must be an address like https:\/\/api.openai.com\/v1/],
  [{ AGENT_UPSTREAM_USD_PER_MILLION: '2' }, /AGENT_UPSTREAM_USD_PER_MILLION: must be the prices/],
  [{ AGENT_UPSTREAM_MODEL: 'a b' }, /AGENT_UPSTREAM_MODEL: must be the name of a model/],
])('%j is refused by name', (env, message) => {
  expect(() => readAgentUpstream({ AGENT_UPSTREAM_KEY: 'k', ...env })).toThrow(message);
});
