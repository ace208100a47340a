import { afterAll, describe, expect, test } from '@jest/globals';
import type { RunObject } from '../../../db/runs/runObject.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { poet, setPublisherStage } from './publisherStage.ts';

const stage = await setPublisherStage();
afterAll(() => stage.close());

const agents = '/v1/publisher/agents';
const input_schema = { type: 'object', properties: { scripted: { type: 'object' } }, required: ['scripted'] };
const output_schema = { type: 'object', properties: { verse: { type: 'string' } }, required: ['verse'] };
const script: Script = { toolCalls: [{ name: 'return_data', arguments: '{"verse": "Rain."}' }] };

const patch = (id: string, body: object, revision = 1) =>
  stage.call(`${agents}/${id}/draft`, { method: 'PATCH', headers: { 'if-match': `"draft-${revision}"` }, body });
const tryOut = (id: string, body: object, headers = {}) =>
  stage.call(`${agents}/${id}/test-runs`, { body, headers: { prefer: 'wait=30', ...headers } });

describe('a test run of a draft', () => {
  test('runs what the draft says, at the platform’s costs, and counts in no statistic', async () => {
    // A draft without categories and examples cannot be published, but can be tried.
    const { id, name } = await stage.makeAgent({ categories: [], example_prompts: [], input_schema, output_schema });
    const input = [{ type: 'input_data', data: { scripted: script } }];
    const run = await stage.read<RunObject>(tryOut(id, { input }), 200);
    expect(run).toMatchObject({
      agent: name,
      status: 'completed',
      source: 'test',
      output: [{ data: { verse: 'Rain.' } }],
    });
    expect(run.usage.total_usd).toBeGreaterThan(0);
    for (const { price_usd, platform_cost_usd } of run.usage.meters) expect(price_usd).toBe(platform_cost_usd);
    const versions = () => stage.read<{ data: { id: string }[] }>(stage.call(`${agents}/${id}/versions`), 200);
    const again = await stage.read<RunObject>(tryOut(id, { input }), 200);
    expect((await versions()).data.map((one) => one.id)).toEqual([run.version_id]);
    expect(again.version_id).toBe(run.version_id);
    await patch(id, { instructions: 'Write shorter verses.' });
    await stage.read(tryOut(id, { input }), 200);
    expect((await versions()).data).toHaveLength(2);
  });

  test('checks the input against the draft’s schema', async () => {
    const { id } = await stage.makeAgent({ input_schema });
    const refused = await tryOut(id, { input: [{ type: 'input_data', data: {} }] });
    expect(await refused.json()).toMatchObject({ error: { param: 'input.0.data.scripted' } });
  });

  test('needs a draft that can run, and an agent of the workspace', async () => {
    const { id } = await stage.makeAgent({ instructions: '' });
    expect((await tryOut(id, { input: 'Hello.' })).status).toBe(422);
    // Otherwise the tool would be used without approval.
    const misnamed = await stage.makeAgent({ requires_approval: ['write_files'] });
    const refused = await tryOut(misnamed.id, { input: 'Hello.' });
    expect(await refused.json()).toMatchObject({ error: { param: 'configuration.requires_approval.0' } });
    const foreign = await stage.call(`${agents}/${id}/test-runs`, { body: { input: 'x' }, key: stage.stranger.secret });
    expect(foreign.status).toBe(404);
  });

  test('keeps the ledger sound', () => expectSoundLedger(stage.db));
});

describe('the settings of a draft', () => {
  test.each([
    [{ model: 'gpt-nothing' }, 'model'],
    [{ temperature: 3 }, 'temperature'],
    [{ max_steps: 0 }, 'max_steps'],
    [{ max_steps: 1_001 }, 'max_steps'],
    [{ compaction: { mode: 'forget' } }, 'compaction.mode'],
    [{ compaction: { mode: 'summarize', compact_threshold: 999 } }, 'compaction.compact_threshold'],
    [{ compaction: { mode: 'summarize', keep_turns: 0 } }, 'compaction.keep_turns'],
    [{ compaction: { mode: 'summarize', keep: 3 } }, 'compaction.keep'],
    [{ input_schema: { type: 'string' } }, 'input_schema.type'],
    [
      { output_schema: { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } } },
      'output_schema.properties.a.pattern',
    ],
  ])('%j are refused by their place', async (settings, param) => {
    const { id } = await stage.makeAgent();
    const refused = await patch(id, settings);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ error: { param } });
  });

  test('decide about the price and the public view', async () => {
    const compaction = { mode: 'truncate', compact_threshold: 2_000 };
    const settings = {
      model: 'ledgerline-text-1',
      max_steps: 300,
      compaction,
      temperature: 0.5,
      input_schema,
      output_schema,
    };
    const example_prompts = [JSON.stringify({ scripted: script })];
    const { id, name } = await stage.makeAgent({ ...poet, ...settings, example_prompts });
    const { id: deploymentId } = await stage.read<{ id: string }>(stage.submit(id), 200);
    await stage.checked(deploymentId);
    await stage.read(stage.decide(deploymentId, 'approve'), 200);
    const view = await stage.read(stage.call(`/v1/agents/${name}`, { key: stage.stranger.secret }), 200);
    expect(view).toMatchObject({
      model: 'ledgerline-text-1',
      max_steps: 300,
      input_schema,
      output_schema,
      tools: poet.tools,
      example_prompts,
      input: { text: false, data: true },
      output_types: ['text', 'file', 'data'],
    });
  });
});
