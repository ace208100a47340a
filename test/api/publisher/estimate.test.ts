import { afterAll, expect, test } from '@jest/globals';
import { nanosOfUsd } from '../../../db/money.ts';
import { publishAgent } from '../../support/agent.ts';
import { setPublisherStage } from './publisherStage.ts';

const stage = await setPublisherStage();
afterAll(() => stage.close());

interface Estimate {
  based_on: string;
  run_id: string | null;
  quantities: Record<string, number>;
  lines: { meter: string; quantity: number; price_usd: number; cost_usd: number }[];
  total_usd: number;
  network_fee_usd: number;
  platform_cost_usd: number;
  earned_usd: number;
}

interface Run {
  id: string;
  usage: { total_usd: number; network_fee_usd: number; platform_cost_usd: number };
}

const pricing = {
  minimum_cost_usd: 0.01,
  maximum_cost_usd: 1,
  rates: [
    { meter: 'model_input_tokens' as const, price_usd: 0.0001 },
    { meter: 'model_output_tokens' as const, price_usd: 0.0004 },
  ],
};

async function publish(prices = pricing): Promise<{ name: string; path: string }> {
  const { workspaceId } = stage.publisher;
  const name = await publishAgent(stage.db, { pricing: prices }, { workspaceId });
  const { rows } = await stage.db.pool.query('select id from agents where slug = $1', [name.split('/')[1]]);
  return { name, path: `/v1/publisher/agents/${rows[0].id}/estimate` };
}

const estimate = (path: string, body: object = {}) => stage.read<Estimate>(stage.call(path, { body }), 200);

function run(agent: string, key: string): Promise<Run> {
  const body = { agent, input: JSON.stringify({ scripted: { text: 'Rain falls on the roof.' } }) };
  return stage.read<Run>(stage.call('/v1/runs', { key, body, headers: { prefer: 'wait=30' } }), 200);
}

test('prices what the last run used exactly as its bill does, and names the earning of the ledger', async () => {
  const { name, path } = await publish();
  const own = await run(name, stage.publisher.secret);
  const shown = await estimate(path);
  expect(shown).toMatchObject({ based_on: 'run', run_id: own.id, total_usd: own.usage.total_usd });
  expect(shown.network_fee_usd).toBe(own.usage.network_fee_usd);
  expect(shown.platform_cost_usd).toBe(own.usage.platform_cost_usd);
  const sold = await run(name, stage.stranger.secret);
  const { rows } = await stage.db.pool.query(
    `select amount_nanos from ledger_entries where subject = $1 and kind = 'earning'`,
    [sold.id],
  );
  expect(nanosOfUsd(shown.earned_usd)).toBe(BigInt(rows[0].amount_nanos));
});

test('prices sent quantities and prices, raised to the minimum and cut to the maximum', async () => {
  const { path } = await publish();
  const quantities = { model_output_tokens: 1_000 };
  const plain = await estimate(path, { quantities });
  // 1,000 tokens at 0.0004, and a fee of a tenth; the model costs 0.0000025 a token.
  expect(plain).toMatchObject({ based_on: 'sent', run_id: null, quantities, total_usd: 0.44, network_fee_usd: 0.04 });
  expect(plain).toMatchObject({ platform_cost_usd: 0.0025, earned_usd: 0.3975 });
  const cut = await estimate(path, { quantities, pricing: { ...pricing, maximum_cost_usd: 0.11 } });
  expect(cut).toMatchObject({ total_usd: 0.11, network_fee_usd: 0.01, earned_usd: 0.0975 });
  const raised = await estimate(path, { quantities: { model_output_tokens: 1 } });
  expect(raised.total_usd).toBe(0.01);
  expect(raised.lines.at(-1)).toMatchObject({ meter: 'minimum_cost' });
  const open = await estimate(path, { quantities, pricing: { ...pricing, maximum_cost_usd: 0 } });
  expect(open.total_usd).toBe(0.44);
});

test('assumes quantities before the first run, and sells unpriced meters at the platform’s cost', async () => {
  const { path } = await publish({ ...pricing, minimum_cost_usd: 0, rates: [] });
  const shown = await estimate(path);
  expect(shown).toMatchObject({ based_on: 'assumed', earned_usd: 0 });
  expect(shown.total_usd).toBeGreaterThan(shown.platform_cost_usd);
});

test('refuses prices that nothing can be sold at, in the order and in the draft; and an unknown agent', async () => {
  const { path } = await publish();
  const wrong = { ...pricing, minimum_cost_usd: -1 };
  await stage.read(stage.call(path, { body: { pricing: wrong } }), 422);
  const { path: unfinished } = await publish(wrong);
  const { detail } = await stage.read<{ detail: { loc: string[] }[] }>(stage.call(unfinished, { body: {} }), 422);
  expect(detail[0]!.loc).toEqual(['configuration', 'pricing', 'minimum_cost_usd']);
  await stage.read(stage.call('/v1/publisher/agents/agent_0000000000000000/estimate', { body: {} }), 404);
  await stage.read(stage.call(path, { body: {}, key: stage.stranger.secret }), 404);
});
