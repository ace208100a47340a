import { afterAll, expect, test } from '@jest/globals';
import { finishRun } from '../../../db/runs/states/finishRun.ts';
import { rehearse } from '../../../rules/rehearsal/rehearsal.ts';
import { makeAccount } from '../../support/account.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { beginRun } from '../../support/run.ts';
import { read, setRunRouteStage, writer } from '../../support/runRouteStage.ts';

// The shipped catalogue: rules replace the agents' model.
const stage = await setRunRouteStage({ env: { MODEL_CATALOG_FILE: 'catalog.json' } });
afterAll(() => stage.close());

test('an agent with the rehearsal model is offered for nothing', async () => {
  const agent = await read<{ model: string; pricing: { minimum_cost_usd: number; meters: { price_usd: number }[] } }>(
    await stage.call(`/v1/agents/${writer}`),
    200,
  );
  expect(agent.model).toBe('ledgerline-rehearsal');
  expect(agent.pricing.minimum_cost_usd).toBe(0);
  expect(agent.pricing.meters.map(({ price_usd: usd }) => usd)).toEqual([0, 0, 0, 0]);
});

test('a publisher who prices such an agent is told that the prices do not apply', async () => {
  const { secret: key } = await stage.account({ scopes: ['publisher'] });
  const create = async (slug: string, priceUsd: number) => {
    const rates = [{ meter: 'tool_calls', price_usd: priceUsd }];
    const pricing = { minimum_cost_usd: 0, maximum_cost_usd: 1, rates };
    const body = { namespace: 'rehearsed', slug, name: 'Poet', pricing };
    return read<{ notices: object[] }>(await stage.call('/v1/publisher/agents', { key, body }), 201);
  };
  expect((await create('gift', 0)).notices).toEqual([]);
  expect((await create('priced', 0.1)).notices).toEqual([
    { code: 'runs_are_free', path: '/pricing', message: expect.stringContaining('0 USD') },
  ]);
});

test('its run costs nothing, whatever it used, and says nothing about its quality', async () => {
  const { id } = await stage.create();
  await beginRun(stage.db.pool, id);
  const used = {
    model_input_tokens: 5_000_000,
    model_output_tokens: 900_000,
    tool_calls: 7_000,
    sandbox_seconds: 60_000,
  };
  for (const [meter, thousandths] of Object.entries(used))
    await stage.db.pool.query(
      'insert into run_meters (run_id, step, meter, workspace_id, quantity_thousandths) values ($1, 1, $2, $3, $4)',
      [id, meter, stage.mine.workspaceId, thousandths],
    );
  await finishRun(stage.db, id, { status: 'limit_reached', limit: 'steps' });
  const { usage, status } = await stage.getRun(id);
  expect(status).toBe('limit_reached');
  expect(usage).toMatchObject({
    subtotal_usd: 0,
    platform_cost_usd: 0,
    network_fee_usd: 0,
    total_usd: 0,
    settled: true,
  });
  expect(usage.meters.find((meter) => meter.id === 'model_input_tokens')).toMatchObject({
    quantity: 5_000,
    cost_usd: 0,
  });
  expect(await read(await stage.call(`/v1/agents/${writer}/quality`), 200)).toMatchObject({ runs: 0, completed: 0 });
});

test('a test workspace sees and pays, in test money, what a run costs by its price list', async () => {
  const mine = await makeAccount(stage.db, { scopes: ['llm'], isTest: true });
  const headers = { authorization: `Bearer ${mine.secret}` };
  type Priced = { pricing: { minimum_cost_usd: number; meters: { id: string; price_usd: number }[] } };
  const agent = await read<Priced>(await stage.call(`/v1/agents/${writer}`, { headers }), 200);
  const priceOf = (wanted: string) => agent.pricing.meters.find(({ id }) => id === wanted)!.price_usd;
  expect(priceOf('model_output_tokens')).toBeGreaterThan(0);
  const order = { agent: writer, input: 'Hello.', max_cost_usd: 0.5 };
  const ordered = { method: 'POST', headers, body: JSON.stringify(order) };
  const quote = await read<{ price: Priced['pricing'] }>(await stage.call('/v1/runs/quote', ordered), 200);
  expect(quote.price).toEqual(agent.pricing);
  const { id } = await read<{ id: string }>(await stage.call('/v1/runs', ordered), 202);
  await beginRun(stage.db.pool, id);
  await stage.db.pool.query(
    `insert into run_meters (run_id, step, meter, workspace_id, quantity_thousandths) values ($1, 1, 'model_output_tokens', $2, 900000)`,
    [id, mine.workspaceId],
  );
  await finishRun(stage.db, id, { status: 'limit_reached', limit: 'steps' });
  const { usage } = await read<{ usage: { subtotal_usd: number; total_usd: number; platform_cost_usd: number } }>(
    await stage.call(`/v1/runs/${id}`, { headers }),
    200,
  );
  const subtotal = Math.max(agent.pricing.minimum_cost_usd, 900 * priceOf('model_output_tokens'));
  expect(usage.subtotal_usd).toBeCloseTo(subtotal, 9);
  expect(usage.total_usd).toBeGreaterThan(usage.subtotal_usd);
  expect(usage.platform_cost_usd).toBe(0);
  await expectSoundLedger(stage.db);
});

test('it says how agents get a model, without a restart', () => {
  expect(rehearse({ messages: [{ role: 'user', content: 'Hello' }] }).text).toContain('`ledgerline models add`');
});

test('each of its answers says what it is', () => {
  const messages = [{ role: 'user', content: 'What is the notice period?' }];
  const tools = [{ type: 'function', function: { name: 'search_files' } }];
  const found = [
    ...messages,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', function: { name: 'search_files', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'contract.txt' },
  ];
  for (const body of [{ messages }, { tools, messages: found }])
    expect(rehearse(body).text).toContain(
      'This is a rehearsal: rules stand in for a language model, and it costs nothing.',
    );
});
