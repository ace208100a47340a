import { afterAll, describe, expect, test } from '@jest/globals';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import { publishAgent } from '../../support/agent.ts';
import { setPublisherStage } from './publisherStage.ts';

const stage = await setPublisherStage();
afterAll(() => stage.close());

// The catalogue's prices of the agents' model in tests.
const INPUT_USD = 0.0000003;
const OUTPUT_USD = 0.0000025;

interface Meter {
  id: string;
  quantity: number;
  price_usd: number;
  platform_cost_usd: number;
  cost_usd: number;
}

interface Run {
  id: string;
  status: string;
  usage: {
    meters: Meter[];
    subtotal_usd: number;
    platform_cost_usd: number;
    network_fee_usd: number;
    total_usd: number;
  };
}

/** Runs an agent to its end, from a workspace that does not publish it. */
function run(agent: string, members: object = {}): Promise<Run> {
  const body = { agent, input: JSON.stringify({ scripted: { text: 'Rain falls on the roof.' } }), ...members };
  const key = stage.stranger.secret;
  return stage.read<Run>(stage.call('/v1/runs', { key, body, headers: { prefer: 'wait=30' } }), 200);
}

const priced = (
  ...rates: { meter: 'model_input_tokens' | 'model_output_tokens' | 'sandbox_seconds'; price_usd: number }[]
) =>
  publishAgent(
    stage.db,
    { pricing: { minimum_cost_usd: 0, maximum_cost_usd: 1, rates } },
    { workspaceId: stage.publisher.workspaceId },
  );

async function legsOf(runId: string): Promise<Record<string, bigint>> {
  const { rows } = await stage.db.pool.query(
    `select kind, amount_nanos from ledger_entries where subject = $1 order by kind`,
    [runId],
  );
  return Object.fromEntries(rows.map(({ kind, amount_nanos }) => [kind, BigInt(amount_nanos)]));
}

function platformNanosOf({ usage }: Run): bigint {
  const quantityOf = (meter: string) => usage.meters.find(({ id }) => id === meter)?.quantity ?? 0;
  // Whole tokens at tenths of a nano-USD per token.
  const tenths =
    BigInt(quantityOf('model_input_tokens')) * 3_000n + BigInt(quantityOf('model_output_tokens')) * 25_000n;
  return (tenths + 5n) / 10n;
}

describe("the least price of a run is the platform's cost of the model", () => {
  test.each([
    ['the sandbox alone', { meter: 'sandbox_seconds' as const, price_usd: 0.001 }],
    ['output at zero', { meter: 'model_output_tokens' as const, price_usd: 0 }],
  ])('when its publisher prices %s', async (_, rate) => {
    const done = await run(await priced(rate));
    const { usage } = done;
    expect(platformNanosOf(done)).toBeGreaterThan(0n);
    expect(nanosOfUsd(usage.subtotal_usd)).toBe(platformNanosOf(done));
    expect(usage.platform_cost_usd).toBe(usage.subtotal_usd);
    expect(usage.meters.map(({ id, price_usd, platform_cost_usd }) => [id, price_usd, platform_cost_usd])).toEqual([
      ['model_input_tokens', INPUT_USD, INPUT_USD],
      ['model_output_tokens', OUTPUT_USD, OUTPUT_USD],
    ]);
    expect(await legsOf(done.id)).toEqual({
      debit: -nanosOfUsd(usage.total_usd),
      fee: nanosOfUsd(usage.network_fee_usd),
      run_cost: platformNanosOf(done),
    });
  });

  test('and the publisher earns the part of its prices above that cost', async () => {
    const done = await run(await priced({ meter: 'model_output_tokens', price_usd: 0.00001 }));
    const legs = await legsOf(done.id);
    expect(legs.run_cost).toBe(platformNanosOf(done));
    expect(legs.earning).toBe(nanosOfUsd(done.usage.subtotal_usd) - platformNanosOf(done));
    expect(legs.earning).toBeGreaterThan(0n);
  });

  test('also when a low limit ends the run, but never more than that limit', async () => {
    const agent = await priced({ meter: 'model_output_tokens', price_usd: 0 });
    const long = JSON.stringify({ scripted: { text: 'rain '.repeat(400), chunks: 400 } });
    const done = await run(agent, { input: long, max_cost_usd: 0.0003 });
    expect(done.status).toBe('limit_reached');
    expect(done.usage.total_usd).toBeLessThanOrEqual(0.0003);
    const { run_cost: cost } = await legsOf(done.id);
    expect(cost).toBe(platformNanosOf(done));
  });
});

test('the price list shows which part of each price goes to the platform', async () => {
  const agent = await priced({ meter: 'model_output_tokens', price_usd: 0.00001 });
  await stage.db.pool.query(`insert into namespaces (name, workspace_id, provider_name) values ('test', $1, 'Test')`, [
    stage.publisher.workspaceId,
  ]);
  const { pricing } = await stage.read<{ pricing: { meters: Partial<Meter>[] } }>(
    stage.call(`/v1/agents/${agent}`),
    200,
  );
  expect(pricing.meters).toMatchObject([
    { id: 'model_output_tokens', price_usd: 0.00001, platform_cost_usd: OUTPUT_USD },
    { id: 'model_input_tokens', price_usd: INPUT_USD, platform_cost_usd: INPUT_USD },
    { id: 'sandbox_seconds', price_usd: 0.00005, platform_cost_usd: 0.00005 },
  ]);
});

test("refuses to publish a price below the platform's cost, and names the least price", async () => {
  const rates = [
    { meter: 'model_input_tokens', price_usd: 0 },
    { meter: 'model_output_tokens', price_usd: OUTPUT_USD },
    { meter: 'sandbox_seconds', price_usd: 0.00001 },
  ];
  const { id } = await stage.makeAgent({ pricing: { minimum_cost_usd: 0, maximum_cost_usd: 1, rates } });
  const path = `/v1/publisher/agents/${id}/deploy-private`;
  const { detail } = await stage.read<{ detail: { loc: string[]; msg: string; type: string }[] }>(
    stage.call(path, { method: 'POST' }),
    422,
  );
  expect(detail.map(({ loc, type }) => [loc.join('/'), type])).toEqual([
    ['configuration/pricing/rates/0/price_usd', 'below_cost'],
    ['configuration/pricing/rates/2/price_usd', 'below_cost'],
  ]);
  expect(detail.map(({ msg }) => msg)).toEqual([
    expect.stringContaining('0.0000003'),
    expect.stringContaining('0.00005'),
  ]);
});

test('the statement shows a margin of zero as passed through', async () => {
  const agent = await priced({ meter: 'sandbox_seconds', price_usd: 0.001 });
  const done = await run(agent);
  const statement = await stage.read<{ data: Record<string, number | string>[] }>(
    stage.call('/v1/publisher/statement'),
    200,
  );
  expect(statement.data.find((line) => line.agent === agent)).toMatchObject({
    runs: 1,
    gross_usd: done.usage.total_usd,
    platform_cost_usd: done.usage.platform_cost_usd,
    subsidy_usd: 0,
    network_fee_usd: done.usage.network_fee_usd,
    earned_usd: 0,
  });
});

describe('a subsidy', () => {
  const grant = (agent: string, body: object, key = stage.operator.secret) =>
    stage.call(`/console/v1/agents/${agent}/subsidy`, { key, body });

  test('granted by an operator allows an agent to cost less, and the platform pays the difference', async () => {
    const agent = await priced(
      { meter: 'model_input_tokens', price_usd: 0 },
      { meter: 'model_output_tokens', price_usd: 0.000001 },
    );
    expect(await stage.read(grant(agent, { granted: true }), 200)).toMatchObject({ agent, subsidised: true });
    const done = await run(agent);
    expect(done.usage.subtotal_usd).toBeLessThan(done.usage.platform_cost_usd);
    const cost = platformNanosOf(done);
    const subtotal = nanosOfUsd(done.usage.subtotal_usd);
    expect(await legsOf(done.id)).toEqual({
      debit: -nanosOfUsd(done.usage.total_usd),
      fee: nanosOfUsd(done.usage.network_fee_usd),
      run_cost: cost,
      subsidy: subtotal - cost,
    });
    const { rows } = await stage.db.pool.query(
      `select action from audit_entries where subject_type = 'publisher.agent' and workspace_id = $1`,
      [stage.publisher.workspaceId],
    );
    expect(rows).toEqual([{ action: 'grant_subsidy' }]);
  });

  test('makes a run of an agent without prices free, until it is withdrawn', async () => {
    const agent = await priced(
      { meter: 'model_input_tokens', price_usd: 0 },
      { meter: 'model_output_tokens', price_usd: 0 },
    );
    await stage.read(grant(agent, { granted: true }), 200);
    const free = await run(agent);
    expect(free.usage.total_usd).toBe(0);
    expect(await legsOf(free.id)).toEqual({ run_cost: platformNanosOf(free), subsidy: -platformNanosOf(free) });
    await stage.read(grant(agent, { granted: false }), 200);
    expect((await run(agent)).usage.total_usd).toBeGreaterThan(0);
  });

  test('cannot be granted by a publisher, nor to an unknown agent', async () => {
    const agent = await priced({ meter: 'model_output_tokens', price_usd: 0 });
    expect((await grant(agent, { granted: true }, stage.publisher.secret)).status).toBe(403);
    expect((await grant('test/nothing', { granted: true })).status).toBe(404);
  });
});

test('the ledger check passes', async () => {
  expect((await checkInvariants(stage.db.pool)).violations).toEqual([]);
});
