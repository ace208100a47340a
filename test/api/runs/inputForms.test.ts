import { afterAll, describe, expect, test } from '@jest/globals';
import { askCaller, type Asked } from '../../../db/runs/waiting/askCaller.ts';
import { takeAnswers } from '../../../db/runs/waiting/takeAnswers.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { beginRun } from '../../support/run.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

const schema = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 2 }, nights: { type: 'integer', maximum: 30 } },
  required: ['city'],
};
const form: Asked = { step: 2, action: { type: 'form', question: 'Where to?', schema } };
const approval: Asked = {
  step: 3,
  action: {
    type: 'tool_approval',
    name: 'write_file',
    arguments: { path: 'a.md' },
    input_schema: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
    expected_cost_usd: 0.001,
    maximum_cost_usd: 0.001,
  },
};
const text: Asked = { step: 4, action: { type: 'text', question: 'Why?' } };

/** A run that waits for all of these. */
async function waitingRun(asked: Asked[], key = stage.mine.secret): Promise<{ id: string; steps: string[] }> {
  const { id } = await stage.create({ max_cost_usd: 0.4 }, { key });
  await beginRun(stage.db.pool, id);
  await askCaller(stage.db, id, asked);
  const { required_actions: actions } = await stage.getRun(id, key);
  return { id, steps: (actions as { step_id: string }[]).map(({ step_id: stepId }) => stepId) };
}

const answer = (id: string, body: object, key = stage.mine.secret) => stage.call(`/v1/runs/${id}/input`, { body, key });
const accept = async (id: string, body: object, key?: string) => read<RunObject>(await answer(id, body, key), 202);

describe('POST /v1/runs/{run_id}/input of a run that waits for several actions', () => {
  test('shows all of them, and the first one to clients that know only one', async () => {
    const { id, steps } = await waitingRun([form, approval, text]);
    const run = await stage.getRun(id);
    expect(run.required_action).toMatchObject({ type: 'form', question: 'Where to?', schema, step_id: steps[0] });
    expect(run.required_actions).toMatchObject([
      { type: 'form' },
      { type: 'tool_approval', name: 'write_file', arguments: { path: 'a.md' }, expected_cost_usd: 0.001 },
      { type: 'text', question: 'Why?' },
    ]);
  });

  test('takes answers one by one in any order, and goes on with the last one', async () => {
    const { id, steps } = await waitingRun([form, approval, text]);
    const left = async (body: object) => {
      const { status, required_actions: actions } = await accept(id, body);
      return [status, (actions as { type: string }[]).map(({ type }) => type)];
    };
    expect(await left({ type: 'text', text: 'So.' })).toEqual(['requires_action', ['form', 'tool_approval']]);
    expect(await left({ type: 'tool_approval', step_id: steps[1], decision: 'approve' })).toEqual([
      'requires_action',
      ['form'],
    ]);
    expect(await left({ type: 'form', data: { city: 'Ulm' } })).toEqual(['in_progress', []]);
    const taken = await takeAnswers(stage.db, { runId: id, modelStep: 1, steps: [2, 3, 4] });
    expect(taken).toMatchObject({ settled: [2, 4], events: [{ type: 'run.in_progress' }] });
  });

  test('takes answers together: all of them or none', async () => {
    const { id, steps } = await waitingRun([form, approval]);
    const approve = { type: 'tool_approval', decision: 'approve' };
    const wrong = { answers: [approve, { type: 'form', step_id: steps[0], data: { city: 'U', nights: 31 } }] };
    expect(await errorOf(await answer(id, wrong))).toEqual({
      status: 422,
      code: 'validation_error',
      param: 'answers.1.data.city',
    });
    expect((await stage.getRun(id)).required_actions).toHaveLength(2);
    const right = { answers: [approve, { type: 'form', data: { city: 'Ulm' } }] };
    expect(await accept(id, right)).toMatchObject({ status: 'in_progress', required_actions: [] });
  });

  test('changes nothing when the same answer comes again, and refuses another one', async () => {
    const { id, steps } = await waitingRun([form, approval]);
    const refuse = { type: 'tool_approval', step_id: steps[1], decision: 'refuse', reason: 'No.' };
    await accept(id, refuse);
    expect((await accept(id, refuse)).required_actions).toHaveLength(1);
    expect(await errorOf(await answer(id, { ...refuse, decision: 'approve' }))).toMatchObject({
      status: 409,
      code: 'action_already_answered',
    });
  });

  test('asks nothing again, and takes no later answer, in an attempt that its workflow gave up', async () => {
    const { id } = await waitingRun([text]);
    const first = { runId: id, modelStep: 1, steps: [4] };
    await accept(id, { type: 'text', text: 'So.' });
    await takeAnswers(stage.db, first);
    expect(await askCaller(stage.db, id, [text])).toEqual({ events: [], settled: [4] });
    expect(await stage.getRun(id)).toMatchObject({ status: 'in_progress', held_usd: 0.4 });
    await askCaller(stage.db, id, [{ ...text, step: 6 }]);
    await accept(id, { type: 'text', text: 'Later.' });
    await takeAnswers(stage.db, first);
    expect(await takeAnswers(stage.db, { runId: id, modelStep: 5, steps: [6] })).toMatchObject({
      settled: [6],
      events: [{ type: 'run.in_progress' }],
    });
  });

  test('takes no answer once the run is over, also before its workflow has ended it', async () => {
    const { id } = await waitingRun([{ ...approval, limitMs: 0 }, text]);
    const taken = takeAnswers(stage.db, { runId: id, modelStep: 1, steps: [3, 4] });
    expect(await taken).toEqual({ events: [], isExpired: true, settled: [] });
    const late = { status: 409, code: 'run_not_waiting' };
    expect(await errorOf(await answer(id, { type: 'text', text: 'So.' }))).toMatchObject(late);
    expect(await errorOf(await answer(id, { type: 'tool_approval', decision: 'approve' }))).toMatchObject(late);
    expect(await stage.getRun(id)).toMatchObject({ status: 'requires_action', held_usd: 0 });
  });

  test('takes an answer in place of a default whose time is up, while the workflow has not taken that', async () => {
    const { id } = await waitingRun([
      { ...text, action: { ...text.action, default: 'No.' } as typeof text.action, limitMs: 0 },
    ]);
    expect(await accept(id, { type: 'text', text: 'So.' })).toMatchObject({ status: 'in_progress' });
  });

  test('holds the money again only with the last answer', async () => {
    const { secret } = await stage.account({ creditUsd: '1' });
    const { id } = await waitingRun([form, text], secret);
    expect((await accept(id, { type: 'text', text: 'So.' }, secret)).held_usd).toBe(0);
    expect((await accept(id, { type: 'form', data: { city: 'Ulm' } }, secret)).held_usd).toBe(0.4);
  });

  test.each<[object, string | null]>([
    [{ type: 'form', data: {} }, 'data.city'],
    [{ type: 'form', data: { city: 'Ulm', other: 1 } }, 'data.other'],
    [{ type: 'form' }, 'data'],
    [{ type: 'tool_approval' }, 'decision'],
    [{ type: 'tool_approval', decision: 'approve', arguments: { path: 1 } }, 'arguments.path'],
    [{ type: 'form', data: { ['__proto__']: 1 } }, 'data.__proto__'],
    [{ type: 'tool_approval', decision: 'approve', arguments: { ['__proto__']: 1 } }, 'arguments.__proto__'],
    [{ answers: [] }, 'answers'],
    [{ answers: [{ type: 'form', data: 1 }] }, 'answers.0.data'],
    [{ type: 'text', text: 'x', step_id: 'run_1' }, 'step_id'],
  ])('refuses what does not fit, by its name: %j', async (body, param) => {
    const { id } = await waitingRun([form, approval]);
    expect(await errorOf(await answer(id, body))).toEqual({ status: 422, code: 'validation_error', param });
  });

  test('refuses the step of another run, and an answer of another type', async () => {
    const { id, steps } = await waitingRun([form]);
    const other = await waitingRun([form]);
    const data = { city: 'Ulm' };
    expect(await errorOf(await answer(id, { type: 'form', step_id: other.steps[0], data }))).toMatchObject({
      status: 404,
      code: 'action_not_found',
    });
    expect(await errorOf(await answer(id, { type: 'text', step_id: steps[0], text: 'Ulm' }))).toMatchObject({
      status: 409,
      code: 'input_not_wanted',
    });
  });
});
