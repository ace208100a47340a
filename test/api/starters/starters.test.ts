import { afterAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '../../support/guardStage.ts';
import { read } from '../../support/http.ts';
import { textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { setCatalogStage, type ModelBody } from '../catalog/catalogStage.ts';
import { ENDLESS, startVendor } from './vendorDouble.ts';

const at = '/console/v1/catalog';
const key = 'sk-vendor-very-secret-Q7x2';

interface AgentsBody {
  model: string;
  source: string;
  chosen_by: string | null;
}

interface ProbeBody {
  ok: boolean;
  param: string | null;
  error: string | null;
  answer: string | null;
  calls_tools: boolean | null;
  output_tokens: number | null;
}

interface AddedBody {
  upstream: string;
  model: ModelBody;
  agents: AgentsBody;
  probe: ProbeBody;
}

const stage = await setCatalogStage();
const vendor = await startVendor({ key, models: ['real-1', 'real-2', 'real-3', ENDLESS] });
afterAll(async () => {
  await vendor.stop();
  await stage.close();
});

const usd = { input_tokens: 1, output_tokens: 4 };
const sent = (more: object = {}) => ({ base_url: vendor.url, api_key: key, model: 'real-1', ...more });
const probe = (body: object) => stage.call(`${at}/starters/probe`, { body });
const add = (body: object) => stage.call(`${at}/starters`, { body });
const kept = async () => {
  const tables = ['catalog_changes', 'catalog_prices', 'agent_model_choices', 'upstream_costs', 'audit_entries'];
  const counts = tables.map((table) => stage.db.pool.query(`select count(*)::int as rows from ${table}`));
  return (await Promise.all(counts)).map(({ rows }) => rows[0].rows as number);
};

describe('a probe', () => {
  test('shows the answer, the tokens and whether the model calls tools, and keeps nothing', async () => {
    const before = await kept();
    expect(await read<ProbeBody>(probe(sent()))).toMatchObject({
      ok: true,
      answer: 'Paris',
      calls_tools: true,
      input_tokens: 40,
      output_tokens: 10,
      list_price: null,
      present_price: null,
    });
    expect(await kept()).toEqual(before);
    // In the form in which runs call a model.
    expect(vendor.calls.at(-1)).toMatchObject({ key, body: { stream: true, max_completion_tokens: 1024 } });
  });

  test.each([
    [{ api_key: 'sk-wrong' }, 'api_key', /refuses this key \(401\)/],
    [{ model: 'unreal' }, 'model', /no model 'unreal'/],
    [{ base_url: 'http://127.0.0.1:9/v1' }, 'base_url', /Nothing answers/],
  ])('with %j says what is at fault', async (wrong, param, error) => {
    const answer = await read<ProbeBody>(probe(sent(wrong)));
    expect(answer).toMatchObject({ ok: false, param, answer: null });
    expect(answer.error).toMatch(error);
    expect(answer.error).not.toContain('sk-wrong');
  });

  test('of a model without an end reads its beginning', async () => {
    const answer = await read<ProbeBody>(probe(sent({ model: ENDLESS })));
    expect(answer).toMatchObject({ ok: true, answer: 'word '.repeat(100), calls_tools: false });
  });

  test.each([
    [{ base_url: 'http://169.254.169.254/latest' }, 'base_url'],
    [{ base_url: 'file:///etc/passwd' }, 'base_url'],
    [{ vendor: 'openai' }, 'vendor'],
    [{ base_url: undefined }, 'vendor'],
    [{ base_url: undefined, vendor: 'nobody' }, 'vendor'],
    [{ base_url: undefined, vendor: 'openai', api_key: undefined }, 'api_key'],
    [{ model: '' }, 'model'],
  ])('of %j is refused by its parameter', async (wrong, param) => {
    const refused = await probe(sent(wrong));
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ error: { param } });
  });
});

describe('a vendor’s model', () => {
  test.each([
    [{ api_key: 'sk-wrong' }, 'api_key'],
    [{ model: 'unreal' }, 'model'],
    [{ usd_per_million: undefined }, 'usd_per_million'],
    [{ usd_per_million: { input_tokens: 1 } }, 'usd_per_million.output_tokens'],
    [{ margin_percentage: 20 }, 'margin_percentage'],
  ])('with %j is refused by its parameter, and nothing is kept', async (wrong, param) => {
    const before = await kept();
    const refused = await add(sent({ usd_per_million: usd, ...wrong }));
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ error: { param } });
    expect(await kept()).toEqual(before);
  });

  test('is sold at once at its price, with its key sealed and used, by one person', async () => {
    const added = await read<AddedBody>(add(sent({ usd_per_million: usd, use_for_agents: true })), 201);
    expect(added).toMatchObject({
      model: { id: 'real-1', state: 'sold', source: 'added', price: { usd_per_million: usd, decided_by: 'Ada' } },
      agents: { model: 'real-1', source: 'operator', chosen_by: 'Ada' },
      probe: { ok: true, answer: 'Paris' },
    });
    const answered = await stage.chat({ model: 'real-1', messages: [{ role: 'user', content: 'Where?' }] });
    expect(await answered.json()).toMatchObject({ choices: [{ message: { content: 'The real model says: Paris.' } }] });
    // 40 tokens at $1 and 10 at $4 for a million.
    expect(answered.headers.get('x-cost-usd') ?? '').toMatch(/^0\.00008/);
  });

  test('is written to the audit, without its key anywhere', async () => {
    const { rows } = await stage.db.pool.query<{ action: string }>(
      `select action from audit_entries where action ~ 'catalog|first_price|agent_model' order by created_at, id`,
    );
    expect(rows.map(({ action }) => action).toSorted()).toEqual([
      'add_catalog_model',
      'add_catalog_upstream',
      'choose_agent_model',
      'set_first_price',
    ]);
    const shown = [
      JSON.stringify(await read(stage.call(`${at}/starters`))),
      JSON.stringify(await read(stage.call(`${at}/upstreams`))),
      JSON.stringify((await stage.db.pool.query('select * from catalog_changes')).rows),
      JSON.stringify((await stage.db.pool.query('select * from audit_entries')).rows),
      stage.api.lines.join('\n'),
    ];
    for (const text of shown) expect(text).not.toContain(key);
  });

  test('keeps its price when it is added again; its vendor’s key serves a second model', async () => {
    const again = await read<AddedBody>(
      add({ base_url: vendor.url, model: 'real-1', usd_per_million: { ...usd, input_tokens: 9 } }),
      201,
    );
    expect(again.model.price!.usd_per_million).toEqual(usd);
    const second = await read<AddedBody>(
      add({ base_url: `${vendor.url}/`, model: 'real-2', usd_per_million: usd, use_for_agents: false }),
      201,
    );
    expect(second).toMatchObject({ upstream: again.upstream, agents: { model: 'real-1' } });
    expect(vendor.calls.at(-1)).toMatchObject({ key, body: { model: 'real-2' } });
  });

  test('has one first price: later ones need two persons, also after it was removed', async () => {
    await read(stage.call(`${at}/models/real-2/return`, { method: 'POST' }));
    const back = await read<AddedBody>(
      add({ base_url: vendor.url, model: 'real-2', usd_per_million: { input_tokens: 900, output_tokens: 900 } }),
      201,
    );
    expect(back.model.price!.usd_per_million).toEqual(usd);
    const sql = `insert into catalog_prices (id, model, price_id, rates, source, status, proposed_by, is_first)
      values ('price_x', 'real-2', 'price_x', '{}', 'operator', 'pending', 'x', true)`;
    await expect(stage.asOwner(sql, [])).rejects.toThrow(/has had a price|unique/);
  });

  test('of the catalogue at another upstream is not replaced', async () => {
    const refused = await add(sent({ model: textModel, usd_per_million: usd }));
    expect([refused.status, await codeOf(refused)]).toEqual([409, 'model_exists']);
  });
});

describe('the model of agents', () => {
  const choose = (model: string) => stage.call(`${at}/agent-model`, { method: 'PUT', body: { model } });

  test('is changed and returned to the file, in every process within a second', async () => {
    const another = await stage.startAnother();
    const modelThere = async () =>
      (await read<AgentsBody>(stage.call(`${at}/agent-model`, { url: another.url }))).model;
    expect(await read<AgentsBody>(choose('real-2'))).toMatchObject({ model: 'real-2', source: 'operator' });
    await until(async () => (await modelThere()) === 'real-2');
    const agents = await read<AgentsBody>(stage.call(`${at}/agent-model`, { method: 'DELETE' }));
    expect(agents).toMatchObject({ source: 'file', chosen_by: null });
    await until(async () => (await modelThere()) === agents.model);
  });

  test('must be a text model that is sold, and stays sold', async () => {
    expect((await choose('nothing')).status).toBe(422);
    await read(choose('real-2'));
    const disabled = await stage.change('real-2', { disabled: true });
    expect([disabled.status, await codeOf(disabled)]).toEqual([409, 'model_in_use']);
    const removed = await stage.call(`${at}/models/real-2/return`, { method: 'POST' });
    expect([removed.status, await codeOf(removed)]).toEqual([409, 'model_in_use']);
    await read(stage.call(`${at}/agent-model`, { method: 'DELETE' }));
    await read(stage.change('real-2', { disabled: true }));
    expect((await choose('real-2')).status).toBe(422);
  });
});

test('nobody but operators reads or adds, and an engine that the catalogue has no model for is unknown', async () => {
  const { customer } = stage;
  for (const [path, more] of [
    ['starters', {}],
    ['starters', { body: sent({ usd_per_million: usd }) }],
    ['starters/probe', { body: sent() }],
    ['agent-model', {}],
    ['agent-model', { method: 'PUT', body: { model: 'real-1' } }],
    ['agent-model', { method: 'DELETE' }],
    ['engines/qwen2.5-coder-1.5b/fetch', {}],
  ] as const)
    expect((await stage.call(`${at}/${path}`, { ...more, by: customer })).status).toBe(403);
  const unknown = await stage.call(`${at}/engines/qwen2.5-coder-1.5b/fetch`);
  expect([unknown.status, await codeOf(unknown)]).toEqual([404, 'engine_not_found']);
});
