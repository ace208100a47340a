import { afterAll, describe, expect, test } from '@jest/globals';
import type { Script } from '../../rules/scripted/script.ts';
import { findStep, listSteps } from '../../db/runs/steps/readSteps.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { setRunStage } from '../support/runStage.ts';

const stage = await setRunStage();
await stage.startWorker();
afterAll(() => stage.close());

const output_schema = {
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
  additionalProperties: false,
};
const returning = (data: object): Script => ({
  toolCalls: [{ name: 'return_data', arguments: JSON.stringify(data) }],
});
const runTyped = (script: Script) => stage.runToEnd({ script, settings: { output_schema } });
const bodies = () => stage.upstream.calls().map(({ body }) => body as Record<string, unknown>);
const typesOf = async ({ id }: { id: string }) => (await stage.eventsOf(id)).map(({ type }) => type);

describe('an agent with an output schema', () => {
  test('ends with the object that its model returns, in one call of the model', async () => {
    stage.upstream.reset();
    const run = await runTyped(returning({ total: 4.5 }));
    expect(run).toMatchObject({ status: 'completed', output: [{ type: 'output_data', data: { total: 4.5 } }] });
    expect((await typesOf(run)).slice(-4)).toEqual([
      'run.output_data.done',
      'run.step.completed',
      'run.usage.updated',
      'run.completed',
    ]);
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'return_data' } },
      tools: [{ function: { name: 'return_data', strict: true, parameters: output_schema } }],
    });
  });

  test('corrects its model until the object fits', async () => {
    stage.upstream.reset();
    const turns = [returning({ total: 'four' }), returning({}), returning({ total: 4 })];
    const run = await runTyped({ turns });
    const told = JSON.stringify((bodies().at(-1)!.messages as object[]).slice(-1));
    expect(told).toMatch(/does not fit.*total: .*received undefined/);
    expect(run.status).toBe('completed');
    expect(run.output.at(-1)).toEqual({ type: 'output_data', data: { total: 4 } });
    // Each refused output is shown on its own step, with the reason; its call is not the next step's.
    const { rows } = await listSteps(stage.db.read(run.workspace_id), run.id, { after: null, limit: 10 });
    expect(rows.map(({ errorCode, arguments: args }) => [errorCode, args])).toEqual([
      ['output_invalid', null],
      ['output_invalid', null],
      [null, null],
    ]);
    const refused = (await stage.eventsOf(run.id)).filter(({ type }) => type === 'run.step.failed');
    expect(refused.map(({ data }) => data.message)).toEqual([
      expect.stringContaining('total: '),
      expect.stringContaining('received undefined'),
    ]);
    const first = await findStep(stage.db.read(run.workspace_id), run.id, rows[0]!.id);
    expect(first!.result).toMatchObject({
      toolCalls: [{ step: null, name: 'return_data', arguments: '{"total":"four"}' }],
      repair: expect.stringContaining('total: '),
    });
  });

  test('tells its model of a member whose name cannot be stored', async () => {
    const turns = [returning({ total: 4, 'more\0\ud800': 1 }), returning({ total: 4 })];
    const run = await runTyped({ turns });
    expect(run).toMatchObject({ status: 'completed', output: [{ type: 'output_data', data: { total: 4 } }] });
  });

  test('asks its model for the object when it only talks', async () => {
    stage.upstream.reset();
    stage.upstream.script(returning({ total: 5 }));
    const run = await runTyped({ text: 'It is five.' });
    stage.upstream.reset();
    expect(run).toMatchObject({ status: 'completed', output: [{ text: 'It is five.' }, { data: { total: 5 } }] });
  });

  test('fails with the reason and without a bill when the object never fits', async () => {
    const run = await runTyped(returning({ total: 'four' }));
    expect(run).toMatchObject({ status: 'failed', fault: 'agent', status_reason: 'output_invalid', total_nanos: '0' });
    expect(run.error).toMatchObject({ message: expect.stringMatching(/in 3 tries\..*total: .*number/) });
  });

  test('takes an answer in JSON as its output', async () => {
    const run = await runTyped({ text: '```json\n{"total": 2}\n```' });
    expect(run).toMatchObject({ status: 'completed', output: [{ type: 'output_text' }, { data: { total: 2 } }] });
  });

  test('returns what its caller orders instead', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const run = await stage.runToEnd({
      script: returning({ name: 'Ada' }),
      settings: { output_schema, accepts_response_format: true },
      responseFormat: { type: 'json_schema', json_schema: { name: 'person', schema } },
    });
    expect(run).toMatchObject({ status: 'completed', output: [{ data: { name: 'Ada' } }] });
  });
});

describe('the settings of an agent', () => {
  test('reach the model: its own model, temperature and first tool', async () => {
    stage.upstream.reset();
    const settings = { model: 'ledgerline-text-2', temperature: 0.3, tool_choice: 'required', output_schema };
    const run = await stage.runToEnd({ script: returning({ total: 1 }), settings, tools: ['list_files'] });
    expect(run.status).toBe('completed');
    expect(bodies()[0]).toMatchObject({ temperature: 0.3, tool_choice: 'required' });
    const { rows } = await stage.db.pool.query('select name from run_steps where run_id = $1', [run.id]);
    expect(rows).toEqual([{ name: 'ledgerline-text-2' }]);
  });

  test('limit its calls of the model, of which the last one gets no tools', async () => {
    stage.upstream.reset();
    const call = { toolCalls: [{ name: 'ask_nothing', arguments: '{}' }] };
    const run = await stage.runToEnd({ script: call, settings: { max_steps: 1 }, tools: ['list_files'] });
    expect(run).toMatchObject({ status: 'limit_reached', limit: { kind: 'steps', value: 1, used: 1 } });
    expect(bodies().map(({ tool_choice: choice }) => choice)).toEqual(['none']);
  });

  test('name a model that is no longer offered: the run fails without a bill', async () => {
    const run = await stage.runToEnd({ settings: { model: 'withdrawn' } });
    expect(run).toMatchObject({
      status: 'failed',
      fault: 'agent',
      status_reason: 'model_unavailable',
      total_nanos: '0',
    });
  });

  test('keep the ledger sound', () => expectSoundLedger(stage.db));
});
