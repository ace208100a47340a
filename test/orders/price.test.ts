import { afterAll, expect, test } from '@jest/globals';
import { recordNetworkFee } from '../../db/catalog/networkFee.ts';
import type { AgentConfiguration } from '../../db/agents/configuration.ts';
import { cappedCostOf, maxCostOf, priceOf, readTerms } from '../../orders/price.ts';
import { OrderRefused } from '../../orders/refused.ts';
import { testModels } from '../support/agent.ts';
import { setTestDatabase } from '../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const rates = [{ meter: 'tool_calls' as const, price_usd: 0.01 }];
const configuration: AgentConfiguration = {
  name: 'Tester',
  description: 'Tests.',
  instructions: 'Test.',
  tools: [],
  plugins: [],
  pricing: { minimum_cost_usd: 0.02, maximum_cost_usd: 1, rates },
  icon_file_id: null,
  categories: [],
  example_prompts: [],
};
const agent = {
  agentId: 'agent_1',
  agent: 'acme/tester',
  agentName: 'Tester',
  publisherWorkspaceId: 'ws_1',
  versionId: 'aver_1',
  version: '2026-11-21',
  configuration,
  subsidised: true,
  suspended: false,
};
const sold = { workspaceId: 'ws_2', agent };
const services = () => ({ db, agentModels: testModels });

test('a recorded fee counts for the next run that is priced, and a promised price list stays', async () => {
  const { pricing: quoted } = await priceOf(services(), sold);
  expect(quoted.network_fee_percentage).toBe(10);
  await recordNetworkFee(db.pool, 12);
  expect((await priceOf(services(), sold)).pricing.network_fee_percentage).toBe(12);
  expect((await readTerms(services(), 'ws_2'))(configuration).networkFeePercentage).toBe(12);
  expect((await priceOf(services(), { ...sold, quoted })).pricing).toEqual(quoted);
});

test('a run of the platform itself has no fee, and other prices than the version’s are not subsidised', async () => {
  const prices = { minimum_cost_usd: 0, maximum_cost_usd: 0.25, rates: [] };
  const { pricing } = await priceOf(services(), { ...sold, prices, isOwn: true });
  expect(pricing).toMatchObject({ minimum_cost_usd: 0, maximum_cost_usd: 0.25, network_fee_percentage: 0 });
  expect(pricing.subsidised).toBe(false);
  expect((await priceOf(services(), sold)).pricing.subsidised).toBe(true);
});

test('a caller’s limit must be within the prices, an agent’s is cut to them', async () => {
  const { pricing } = await priceOf(services(), sold);
  expect(maxCostOf({}, pricing)).toBe(1_000_000_000n);
  expect(maxCostOf({ max_cost_usd: 0.5 }, pricing)).toBe(500_000_000n);
  expect(() => maxCostOf({ max_cost_usd: 0.01 }, pricing)).toThrow(OrderRefused);
  expect(() => maxCostOf({ max_cost_usd: 1.5 }, pricing)).toThrow(OrderRefused);
  expect(cappedCostOf({ max_cost_usd: 1.5 }, pricing)).toBe(1_000_000_000n);
  expect(cappedCostOf({ max_cost_usd: 0.01 }, pricing)).toBe(10_000_000n);
});
