import { afterAll, describe, expect, test } from '@jest/globals';
import { RunQuote } from '../../../api/runs/quotes.ts';
import { newId } from '../../../db/ids.ts';
import { beginStep } from '../../../db/runs/steps/beginStep.ts';
import { finishRun } from '../../../db/runs/states/finishRun.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { finishStep } from '../../../db/runs/steps/steps.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

interface Quote {
  id: string;
  version_id: string;
  p50_usd: number | null;
  p90_usd: number | null;
  max_usd: number;
  sample_size: number;
  based_on: string;
  expires_at: string;
}

const quote = async (body: object, key = stage.mine.secret) =>
  read<Quote>(await stage.call('/v1/runs/quote', { key, body: { input: 'Hello.', ...body } }), 200);

/** Completed runs of an agent with these numbers of tool calls; one call costs 0.01 US dollars and the fee. */
async function complete(agent: string, calls: number[], key = stage.mine.secret): Promise<void> {
  for (const count of calls) {
    const { id } = await stage.create({ agent }, { key });
    const started = await beginStep(stage.db.pool, { runId: id, step: 1, kind: 'tool', name: 'test' });
    if (started.state !== 'begun') throw new Error(started.state);
    const quantities = { tool_calls: count * 1000 };
    await finishStep(stage.db.pool, started.begun, { state: 'completed', result: { text: '' }, quantities });
    await finishRun(stage.db, id, { status: 'completed' });
  }
}

const priced = (toolUsd: number) => ({
  minimum_cost_usd: 0.01,
  maximum_cost_usd: 1,
  rates: [{ meter: 'tool_calls' as const, price_usd: toolUsd }],
});
const publish = () => stage.publish({ pricing: priced(0.01) });

/** Publishes another version of an agent, with another price. */
async function publishDearer(agent: string, toolUsd: number): Promise<string> {
  const versionId = newId('aver');
  await stage.db.pool.query(SUPERSEDE, [agent.split('/')[1]]);
  await stage.db.pool.query(PUBLISH, [versionId, newId('dep'), agent.split('/')[1], JSON.stringify(priced(toolUsd))]);
  return versionId;
}

const SUPERSEDE = `update deployments set status = 'superseded' where agent_id = (select id from agents where slug = $1)`;
const PUBLISH = `
with agent as (select id, workspace_id, draft from agents where slug = $3),
version as (
  insert into agent_versions (id, workspace_id, agent_id, number, label, source_revision, configuration)
  select $1, workspace_id, id, 2, '2026-01-02', 2, draft || jsonb_build_object('pricing', $4::jsonb) from agent)
insert into deployments (id, workspace_id, agent_id, version_id, visibility, status, activated_at, decided_at)
select $2, workspace_id, id, $1, 'public', 'active', now(), now() from agent`;

const EXPIRED = `
insert into run_quotes (id, workspace_id, agent, version_id, visibility, rate_card, expires_at)
select $2, workspace_id, agent, version_id, visibility, rate_card, now() from run_quotes where id = $1`;

describe('POST /v1/runs/quote', () => {
  test('without earlier runs, quotes the maximum alone, and starts nothing', async () => {
    const agent = await publish();
    const quoted = await quote({ agent, max_cost_usd: 0.5 });
    expect(RunQuote.parse(quoted)).toEqual(quoted);
    expect(quoted).toMatchObject({
      id: expect.stringMatching(/^quote_/),
      object: 'run.quote',
      agent,
      p50_usd: null,
      p90_usd: null,
      max_usd: 0.5,
      sample_size: 0,
      based_on: 'rate_card',
      price: { maximum_cost_usd: 1, meters: expect.any(Array) },
    });
    const minutes = (Date.parse(quoted.expires_at) - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(15);
    expect(await read(await stage.call(`/v1/runs?agent=${agent}`), 200)).toMatchObject({ data: [] });
  });

  test('with five runs of the version, quotes what half and nine tenths of them cost, rounded up', async () => {
    const agent = await publish();
    await complete(agent, [1, 2, 3, 4]);
    expect(await quote({ agent })).toMatchObject({ based_on: 'rate_card', sample_size: 0 });
    await complete(agent, [12]);
    expect(await quote({ agent })).toMatchObject({
      based_on: 'version',
      sample_size: 5,
      p50_usd: 0.033,
      p90_usd: 0.14,
    });
  });

  test('counts what the agents cost that such runs have called', async () => {
    const agent = await publish();
    await complete(agent, [1, 2, 3, 4, 12]);
    await stage.db.pool.query('update runs set children_nanos = 50000000 where agent = $1', [agent]);
    expect(await quote({ agent })).toMatchObject({ p50_usd: 0.083, p90_usd: 0.19 });
    expect(await quote({ agent, max_cost_usd: 0.1 })).toMatchObject({ p50_usd: 0.083, p90_usd: 0.1 });
  });

  test('prices the runs of other versions at the price of this one', async () => {
    const agent = await publish();
    await complete(agent, [1, 2, 3, 4, 5]);
    await publishDearer(agent, 0.02);
    expect(await quote({ agent })).toMatchObject({ based_on: 'other_versions', sample_size: 5, p50_usd: 0.066 });
  });

  test('says nothing of the runs of one or two other workspaces', async () => {
    const agent = await publish();
    await complete(agent, [7, 7, 7, 7, 7, 7], stage.other.secret);
    await complete(agent, [1, 1]);
    expect(await quote({ agent })).toMatchObject({ based_on: 'rate_card', p90_usd: null });
    const third = await stage.account();
    await complete(agent, [7], third.secret);
    expect(await quote({ agent })).toMatchObject({ based_on: 'version', sample_size: 9, p50_usd: 0.077 });
  });

  test('checks the order as POST /v1/runs does', async () => {
    const asked = async (body: object) => errorOf(await stage.call('/v1/runs/quote', { body }));
    expect(await asked({ agent: 'test/none', input: 'x' })).toMatchObject({ status: 404, code: 'agent_not_found' });
    expect(await asked({ agent: await publish(), input: 'x', max_cost_usd: 5 })).toMatchObject({
      param: 'max_cost_usd',
    });
    expect(await asked({ agent: 'test/none' })).toMatchObject({ status: 422, param: 'input' });
  });
});

describe('a quoted run', () => {
  test('has the version and the price of its quote, although a dearer version is live', async () => {
    const agent = await publish();
    const quoted = await quote({ agent });
    const dearer = await publishDearer(agent, 0.5);
    const run = await stage.create({ agent, quote_id: quoted.id });
    expect(run.version_id).toBe(quoted.version_id);
    const [row] = (await stage.db.pool.query('select rate_card from runs where id = $1', [run.id])).rows;
    expect(row.rate_card).toMatchObject({
      meters: expect.arrayContaining([expect.objectContaining({ price_usd: 0.01 })]),
    });
    expect((await stage.create({ agent })).version_id).toBe(dearer);
  });

  test('is refused after the quote has expired, for another order, and with another workspace’s quote', async () => {
    const agent = await publish();
    const { id } = await quote({ agent });
    const refused = async (body: object, key = stage.mine.secret) =>
      errorOf(await stage.post({ quote_id: id, ...body }, { key }));
    expect(await refused({ agent: await publish() })).toMatchObject({ status: 409, code: 'quote_mismatch' });
    expect(await refused({ agent }, stage.other.secret)).toMatchObject({ status: 404, code: 'quote_not_found' });
    const old = newId('quote');
    await stage.db.pool.query(EXPIRED, [id, old]);
    expect(await refused({ agent, quote_id: old })).toMatchObject({ status: 409, code: 'quote_expired' });
    const found = await read<RunObject>(await stage.post({ agent }), 202);
    expect(found.status).toBe('queued');
  });
});
