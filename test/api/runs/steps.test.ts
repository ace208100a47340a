import { afterAll, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { findPlatformWorkspaceId } from '../../../db/workspaces/workspaces.ts';
import { beginStep } from '../../../db/runs/steps/beginStep.ts';
import { finishRun } from '../../../db/runs/states/finishRun.ts';
import type { BegunStep } from '../../../db/runs/stepFacts.ts';
import { finishStep, type StepEnding } from '../../../db/runs/steps/steps.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

interface Shown {
  data: Record<string, unknown>[];
}

const stepsOf = async (runId: string) => (await read<Shown>(await stage.call(`/v1/runs/${runId}/steps`), 200)).data;

async function begin(runId: string, step = 1): Promise<BegunStep> {
  const begun = await beginStep(stage.db.pool, { runId, step, kind: 'model', name: 'thinker' });
  if (begun.state !== 'begun') throw new Error(begun.state);
  return begun.begun;
}

const end = (begun: BegunStep, ending: Partial<StepEnding>) =>
  finishStep(stage.db.pool, begun, { state: 'completed', result: null, quantities: {}, ...ending });

const failure = { reason: 'overloaded' };

test('a step shows when its next attempt begins, that it goes on, and that it is done', async () => {
  const { id } = await stage.create();
  const begun = await begin(id);
  expect(await stepsOf(id)).toMatchObject([{ status: 'in_progress', attempt: 1, ended_at: null, duration_ms: null }]);
  await end(begun, { state: 'failed', failure, retryAfterMs: 60_000 });
  const [waiting] = await stepsOf(id);
  expect(waiting).toMatchObject({ status: 'retrying', error_code: 'overloaded', is_error: true, ended_at: null });
  expect(Date.parse(waiting!.retry_at as string)).toBeGreaterThan(Date.parse(waiting!.started_at as string) + 59_000);
  const again = await begin(id);
  const going = { status: 'in_progress', attempt: 2, retry_at: null, error_code: null, is_error: false };
  expect(await stepsOf(id)).toMatchObject([{ ...going, started_at: waiting!.started_at }]);
  await end(again, { result: { text: 'Yes.', toolCalls: [], outcome: 'final' } });
  expect(await stepsOf(id)).toMatchObject([
    { status: 'completed', result_preview: 'Yes.', duration_ms: expect.any(Number) },
  ]);
});

test('a step that never ended is cancelled with its run, and one that failed stays failed', async () => {
  const { id } = await stage.create();
  await end(await begin(id), { state: 'failed', failure });
  await begin(id, 2);
  await finishRun(stage.db, id, { status: 'cancelled' });
  const run = await stage.getRun(id);
  expect(await stepsOf(id)).toMatchObject([
    { status: 'failed', error_code: 'overloaded' },
    { status: 'cancelled', is_error: false, ended_at: run.completed_at },
  ]);
});

test('each step that has started ends in an event, also those that the end of their run leaves open', async () => {
  const { id } = await stage.create();
  await end(await begin(id), { state: 'failed', failure });
  const waiting = await begin(id, 2);
  const quantities = { model_output_tokens: 1_000 };
  await end(waiting, { state: 'failed', failure: { reason: 'budget_held' }, retryAfterMs: 0, quantities });
  const open = await begin(id, 3);
  const lost = { status: 'failed', fault: 'platform', code: 'internal_error', message: 'Lost.' } as const;
  await finishRun(stage.db, id, lost);
  const headers = { accept: 'application/json' };
  const { data } = await read<Shown>(await stage.call(`/v1/runs/${id}/events`, { headers }), 200);
  const ends = data.filter(({ type }) => type === 'run.step.failed').map((event) => event.data);
  const facts = { is_error: true, error_code: 'internal_error', reason: 'internal_error', model: 'thinker' };
  expect(ends).toMatchObject([
    { reason: 'overloaded' },
    { ...facts, step_id: waiting.id, output_tokens: 1 },
    { ...facts, step_id: open.id, output_tokens: 0 },
  ]);
  expect(data.slice(-3).map(({ type }) => type)).toEqual(['run.step.failed', 'run.step.failed', 'run.failed']);
});

test('only the workspace of an agent sees what the agent tells its model', async () => {
  const { workspaceId } = stage.mine;
  const instructions = 'Never mention the colour red.';
  const own = await stage.publish({ instructions }, { workspaceId });
  const foreign = await stage.publish({ instructions });
  const seen = [];
  for (const agent of [own, foreign]) {
    const { id } = await stage.create({ agent });
    const begun = await begin(id);
    await end(begun, { result: { text: 'Blue.', toolCalls: [], outcome: 'final' } });
    const text = await (await stage.call(`/v1/runs/${id}/steps/${begun.id}`)).text();
    seen.push([text.includes('Blue.'), text.includes(instructions)]);
  }
  expect(seen).toEqual([
    [true, true],
    [true, false],
  ]);
});

test('operators see how steps went without their content, and each look is in the audit', async () => {
  const { id } = await stage.create();
  await end(await begin(id), { result: { text: 'Secret.', toolCalls: [], outcome: 'final' } });
  const { workspaceId } = stage.mine;
  const platform = await findPlatformWorkspaceId(stage.db.everywhere);
  const operator = await createKey(stage.db.everywhere, { workspaceId: platform!, name: 'op', scopes: ['operator'] });
  const path = `/console/v1/workspaces/${workspaceId}/runs/${id}/steps`;
  expect(await errorOf(await stage.call(path))).toMatchObject({ status: 403 });
  const { data } = await read<Shown>(await stage.call(path, { key: operator.secret }), 200);
  expect(data).toMatchObject([{ name: 'thinker', status: 'completed', arguments: null, result_preview: null }]);
  const elsewhere = `/console/v1/workspaces/${stage.other.workspaceId}/runs/${id}/steps`;
  expect(await errorOf(await stage.call(elsewhere, { key: operator.secret }))).toMatchObject({ code: 'run_not_found' });
  const audit = await read<Shown>(await stage.call(`/console/v1/audit?subject=${id}`, { key: operator.secret }), 200);
  expect(audit.data).toMatchObject([{ action: 'read_run_steps', workspace_id: workspaceId, by: 'op' }]);
});

test('steps of unknown runs, unknown steps and steps of deleted runs are not found', async () => {
  const { id } = await stage.create();
  const begun = await begin(id);
  await end(begun, { result: { text: 'Secret.', toolCalls: [], outcome: 'final' } });
  const pathOf = (runId: string, stepId: string) => `/v1/runs/${runId}/steps/${stepId}`;
  expect(await errorOf(await stage.call(pathOf(id, 'step_none')))).toMatchObject({
    status: 404,
    code: 'step_not_found',
  });
  expect(await errorOf(await stage.call(pathOf('run_none', begun.id)))).toMatchObject({ code: 'run_not_found' });
  await finishRun(stage.db, id, { status: 'completed' });
  await read(await stage.call(`/v1/runs/${id}`, { method: 'DELETE' }), 200);
  expect(await errorOf(await stage.call(pathOf(id, begun.id)))).toMatchObject({ code: 'run_not_found' });
  expect(await errorOf(await stage.call(`/v1/runs/${id}/steps`))).toMatchObject({ code: 'run_not_found' });
});
