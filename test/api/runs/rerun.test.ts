import { afterAll, describe, expect, test } from '@jest/globals';
import { RunComparison } from '../../../api/runs/compareRuns.ts';
import { beginStep } from '../../../db/runs/steps/beginStep.ts';
import { pruneRuns } from '../../../db/runs/removeRun.ts';
import { finishRun } from '../../../db/runs/states/finishRun.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { readToolCall } from '../../../db/runs/steps/stepRecords.ts';
import { finishStep } from '../../../db/runs/steps/steps.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { analyst, errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

const refused = { status: 'failed', fault: 'provider', code: 'provider_refused', message: 'No.' } as const;

/** Runs a step of a run, as its workflow does. */
async function doStep(runId: string, step: number, { text = `Result ${step}.`, toolCalls = [] as object[] } = {}) {
  const started = await beginStep(stage.db.pool, { runId, step, kind: 'model', name: 'thinker' });
  if (started.state !== 'begun') throw new Error(started.state);
  const result = { text, toolCalls, outcome: 'length' };
  const quantities = { model_output_tokens: 5_000 };
  const output = [{ type: 'output_text', text }];
  await finishStep(stage.db.pool, started.begun, { state: 'completed', result, quantities, output, goesOn: step > 1 });
}

/** A run with two results that failed in its third step. */
async function makeFailed(members: object = {}): Promise<RunObject> {
  const { id } = await stage.create(members);
  await doStep(id, 1);
  await doStep(id, 2);
  await beginStep(stage.db.pool, { runId: id, step: 3, kind: 'model', name: 'thinker' });
  await finishRun(stage.db, id, refused);
  return stage.getRun(id);
}

const rerun = (runId: string, body: object, headers: Record<string, string> = {}) =>
  stage.call(`/v1/runs/${runId}/rerun`, { body, headers });

const stepsOf = async (runId: string) =>
  (await read<{ data: { id: string }[] }>(await stage.call(`/v1/runs/${runId}/steps`), 200)).data;

async function upload(text: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([text], { type: 'text/csv' }), 'sales.csv');
  form.append('purpose', 'agent_input');
  const headers = { authorization: `Bearer ${stage.mine.secret}` };
  const response = await fetch(`${stage.api.url}/v1/files`, { method: 'POST', body: form, headers });
  return ((await response.json()) as { id: string }).id;
}

describe('POST /v1/runs/{run_id}/rerun', () => {
  test('answers 202 with a run that holds money, and shows what it reuses without costs', async () => {
    const failed = await makeFailed();
    const response = await rerun(failed.id, { from_step: 3, max_cost_usd: 0.2 });
    const run = await read<RunObject>(response, 202);
    expect(response.headers.get('location')).toBe(`/v1/runs/${run.id}`);
    expect(run).toMatchObject({
      agent: failed.agent,
      version_id: failed.version_id,
      input: failed.input,
      status: 'queued',
      held_usd: 0.2,
      rerun_of: { run_id: failed.id, from_step: 3 },
      usage: { total_usd: 0 },
    });
    const reused = { status: 'completed', cost_usd: 0, output_tokens: 0, duration_ms: 0, result_preview: null };
    expect(await stepsOf(run.id)).toMatchObject([
      { ...reused, number: 1, reused_from: expect.stringMatching(/^step_/) },
      { ...reused, number: 2 },
    ]);
  });

  test('takes over no approval of a call that it makes anew, and none of its changed arguments', async () => {
    const { id } = await stage.create();
    const call = { name: 'write_file', arguments: '{"path":"b"}', proposed: '{"path":"a"}', approval: 'edited' };
    await doStep(id, 1, { toolCalls: [2, 3].map((step) => ({ ...call, id: `call_${step}`, step })) });
    await doStep(id, 2);
    await finishRun(stage.db, id, refused);
    const { id: runId } = await read<RunObject>(await rerun(id, { from_step: 3 }), 202);
    const callOf = (step: number) => readToolCall(stage.db.pool, { runId, modelStep: 1, step });
    expect(await callOf(2)).toMatchObject({ approval: 'edited', arguments: '{"path":"b"}' });
    expect(await callOf(3)).toMatchObject({ approval: null, arguments: '{"path":"a"}' });
  });

  test('bills steps of a run that was not billed, and shows them when they are its own consumption', async () => {
    const failed = await makeFailed();
    const spent = (await stage.db.pool.query('select absorbed_nanos from runs where id = $1', [failed.id])).rows[0];
    const queued = await read<RunObject>(await rerun(failed.id, { from_step: 3 }), 202);
    const [step] = await stepsOf(queued.id);
    const whole = await read<object>(await stage.call(`/v1/runs/${queued.id}/steps/${step!.id}`), 200);
    expect(whole).toMatchObject({ result: null, arguments: null });
    expect(queued).toMatchObject({ output: [], usage: { total_usd: 0 } });
    await beginStep(stage.db.pool, { runId: queued.id, step: 1, kind: 'model', name: 'thinker' });
    const begun = await stage.getRun(queued.id);
    expect(begun.output).toMatchObject([{ text: 'Result 1.Result 2.' }]);
    expect(begun.usage.total_usd).toBe(Number(spent.absorbed_nanos) / 1e9);
    const shown = { result_preview: 'Result 1.', output_tokens: 5 };
    expect(await stepsOf(queued.id)).toMatchObject([shown, { output_tokens: 5 }]);
    await read(await stage.call(`/v1/runs/${queued.id}/cancel`, { body: {} }), 202);
    await finishRun(stage.db, queued.id, { status: 'cancelled' });
    const { usage } = await stage.getRun(queued.id);
    expect(usage).toMatchObject({ total_usd: begun.usage.total_usd, meters: [{ quantity: 10 }] });
    const again = await read<RunObject>(await rerun(queued.id, { from_step: 3 }), 202);
    await beginStep(stage.db.pool, { runId: again.id, step: 1, kind: 'model', name: 'thinker' });
    expect((await stage.getRun(again.id)).usage.total_usd).toBe(0);
  });

  test('neither shows nor passes on unbilled steps of a rerun that never began', async () => {
    const failed = await makeFailed();
    const { id } = await read<RunObject>(await rerun(failed.id, { from_step: 3 }), 202);
    await read(await stage.call(`/v1/runs/${id}/cancel`, { body: {} }), 202);
    const ended = await stage.getRun(id);
    expect(ended).toMatchObject({ status: 'cancelled', output: [], usage: { total_usd: 0, meters: [] } });
    expect(await errorOf(await rerun(id, { from_step: 2 }))).toMatchObject({ status: 422, param: 'from_step' });
    const accept = { headers: { accept: 'application/json' } };
    const events = await read<{ data: { type: string }[] }>(await stage.call(`/v1/runs/${id}/events`, accept), 200);
    expect(events.data.map(({ type }) => type)).toEqual(['run.created', 'run.queued', 'run.cancelled']);
  });

  test('absorbs the cost of an unbilled step once, however often its reruns fail', async () => {
    const failed = await makeFailed();
    const { id } = await read<RunObject>(await rerun(failed.id, { from_step: 3 }), 202);
    await beginStep(stage.db.pool, { runId: id, step: 1, kind: 'model', name: 'thinker' });
    await doStep(id, 3);
    await finishRun(stage.db, id, refused);
    const absorbed = await stage.db.pool.query('select absorbed_nanos::int from runs where id = any ($1) order by 1', [
      [failed.id, id],
    ]);
    const [one, two] = absorbed.rows.map((row) => row.absorbed_nanos);
    expect(two).toBe(2 * one);
    const again = await read<RunObject>(await rerun(id, { from_step: 4 }), 202);
    await beginStep(stage.db.pool, { runId: again.id, step: 1, kind: 'model', name: 'thinker' });
    expect((await stage.getRun(again.id)).usage.meters).toMatchObject([{ quantity: 15 }]);
  });

  test('refuses a cheaper version for unbilled steps, and takes it for billed ones', async () => {
    const { workspaceId } = stage.mine;
    const rates = (priceUsd: number) => [{ meter: 'model_output_tokens' as const, price_usd: priceUsd }];
    const pricing = { minimum_cost_usd: 0, maximum_cost_usd: 1, rates: rates(0.0001) };
    const agent = await stage.publish({ pricing }, { workspaceId });
    const failed = await makeFailed({ agent });
    const cheap = `aver_cheap${failed.id.slice(4)}`;
    await stage.db.pool.query(CHEAPER, [failed.version_id, cheap, JSON.stringify(rates(0.00001))]);
    const order = { from_step: 3, version: cheap };
    expect(await errorOf(await rerun(failed.id, order))).toMatchObject({ status: 422, param: 'version' });
    expect((await rerun(failed.id, { from_step: 1, version: cheap })).status).toBe(202);
    const { id } = await stage.create({ agent });
    await doStep(id, 1);
    await doStep(id, 2);
    await finishRun(stage.db, id, { status: 'completed' });
    expect((await rerun(id, order)).status).toBe(202);
  });

  // A former version of the agent, with these rates.
  const CHEAPER = `
    with version as (
      insert into agent_versions (id, workspace_id, agent_id, number, label, source_revision, configuration)
      select $2, workspace_id, agent_id, number + 1, $2, source_revision, jsonb_set(configuration, '{pricing,rates}', $3::jsonb)
      from agent_versions where id = $1 returning *)
    insert into deployments (id, workspace_id, agent_id, version_id, visibility, status, activated_at, decided_at)
    select 'dep_' || id, workspace_id, agent_id, id, 'public', 'superseded', now(), now() from version`;

  test('refuses a limit that does not cover unbilled steps', async () => {
    const failed = await makeFailed();
    await stage.db.pool.query(`update run_meters set quantity_thousandths = 1e8 where run_id = $1`, [failed.id]);
    expect(await errorOf(await rerun(failed.id, { from_step: 3, max_cost_usd: 0.01 }))).toMatchObject({
      status: 422,
      param: 'max_cost_usd',
    });
    await stage.db.pool.query(`update run_meters set quantity_thousandths = 5000 where run_id = $1`, [failed.id]);
  });

  test('takes the id of a step, and another input', async () => {
    const failed = await makeFailed();
    const steps = await read<{ data: { id: string }[] }>(await stage.call(`/v1/runs/${failed.id}/steps`), 200);
    const run = await read<RunObject>(await rerun(failed.id, { from_step: steps.data[1]!.id, input: 'Shorter.' }), 202);
    expect(run).toMatchObject({ input: 'Shorter.', rerun_of: { from_step: 2 } });
  });

  test('repeats a private version of the workspace’s own agent', async () => {
    const { workspaceId } = stage.mine;
    const agent = await stage.publish({}, { workspaceId, visibility: 'private' });
    const failed = await makeFailed({ agent, visibility: 'private' });
    const run = await read<RunObject>(await rerun(failed.id, { from_step: 2 }), 202);
    expect(run).toMatchObject({ agent, version_id: failed.version_id });
    expect(await errorOf(await rerun(failed.id, { from_step: 2, visibility: 'public' }))).toMatchObject({
      code: 'agent_not_found',
    });
  });

  test('creates one run for one Idempotency-Key', async () => {
    const failed = await makeFailed();
    const headers = { 'idempotency-key': `rerun-${failed.id}` };
    const [one, two] = await Promise.all([1, 2].map(() => rerun(failed.id, { from_step: 3 }, headers)));
    const runs = await Promise.all([one!, two!].map((response) => read<RunObject>(response, 202)));
    expect(runs[0]!.id).toBe(runs[1]!.id);
    expect(await errorOf(await rerun(failed.id, { from_step: 2 }, headers))).toMatchObject({
      code: 'idempotency_conflict',
    });
  });

  test('refuses a run that has not ended, a step that does not follow a result, and bad members', async () => {
    const { id } = await stage.create();
    expect(await errorOf(await rerun(id, { from_step: 1 }))).toMatchObject({ status: 409, code: 'run_not_terminal' });
    const failed = await makeFailed();
    expect(await errorOf(await rerun(failed.id, { from_step: 4 }))).toMatchObject({ status: 422, param: 'from_step' });
    expect(await errorOf(await rerun(failed.id, {}))).toMatchObject({ status: 422, param: 'from_step' });
    expect(await errorOf(await rerun(failed.id, { from_step: 'step_none' }))).toMatchObject({ code: 'step_not_found' });
    expect(await errorOf(await rerun(failed.id, { from_step: 1, session_id: failed.session_id }))).toMatchObject({
      param: 'session_id',
    });
    const foreign = await stage.call(`/v1/runs/${failed.id}/rerun`, {
      key: stage.other.secret,
      body: { from_step: 1 },
    });
    expect(await errorOf(foreign)).toMatchObject({ status: 404, code: 'run_not_found' });
  });

  test('answers 410 when the content, the session or a file was deleted', async () => {
    const [pruned, sessionless] = [await makeFailed(), await makeFailed()];
    await stage.db.pool.query(`update runs set settled_at = now() - interval '31 days' where id = $1`, [pruned.id]);
    await pruneRuns(stage.db.everywhere);
    await read(await stage.call(`/v1/sessions/${sessionless.session_id}`, { method: 'DELETE' }), 200);
    const fileId = await upload('item,amount\nTea,1\n');
    const withFile = await makeFailed({ agent: analyst, input: [{ type: 'input_file', file_id: fileId }] });
    await read(await stage.call(`/v1/files/${fileId}`, { method: 'DELETE' }), 200);
    for (const { id } of [pruned, sessionless, withFile])
      expect(await errorOf(await rerun(id, { from_step: 3 }))).toMatchObject({ status: 410, code: 'content_deleted' });
  });

  test('keeps the files of the copied session when those of the original are removed', async () => {
    const { id: sessionId } = await read<{ id: string }>(await stage.call('/v1/sessions', { body: {} }), 201);
    const form = new FormData();
    form.append('file', new Blob(['one'], { type: 'text/plain' }), 'a.txt');
    const headers = { authorization: `Bearer ${stage.mine.secret}` };
    await fetch(`${stage.api.url}/v1/sessions/${sessionId}/files`, { method: 'POST', body: form, headers });
    const failed = await makeFailed({ session_id: sessionId });
    const run = await read<RunObject>(await rerun(failed.id, { from_step: 2 }), 202);
    await read(await stage.call(`/v1/sessions/${sessionId}`, { method: 'DELETE' }), 200);
    const listed = await read<{ data: { name: string; file: { id: string } }[] }>(
      await stage.call(`/v1/sessions/${run.session_id}/files`),
      200,
    );
    expect(listed.data).toMatchObject([{ name: 'a.txt' }]);
    const bytes = await stage.call(`/v1/files/${listed.data[0]!.file.id}/content`);
    expect(await bytes.text()).toBe('one');
  });
});

describe('GET /v1/runs/{run_id}/compare', () => {
  test('shows the steps of two runs side by side, with what they cost', async () => {
    const failed = await makeFailed();
    const { id } = await read<RunObject>(await rerun(failed.id, { from_step: 2 }), 202);
    await beginStep(stage.db.pool, { runId: id, step: 1, kind: 'model', name: 'thinker' });
    await doStep(id, 2, { text: 'Other.' });
    await finishRun(stage.db, id, { status: 'completed' });
    const compared = await read<object>(await stage.call(`/v1/runs/${failed.id}/compare?with=${id}`), 200);
    const backwards = await read<{ second: object }>(await stage.call(`/v1/runs/${id}/compare`), 200);
    expect(backwards.second).toMatchObject({ id: failed.id });
    expect(RunComparison.parse(compared)).toEqual(compared);
    expect(compared).toMatchObject({
      is_output_same: false,
      first: { id: failed.id, status: 'failed', steps: 3, reused_steps: 0, output_tokens: 10, total_usd: 0 },
      second: { id, status: 'completed', steps: 2, reused_steps: 1, output_tokens: 10 },
      steps: [
        { state: 'same', first: { number: 1 }, second: { number: 1, cost_usd: 0.0000125 } },
        { state: 'changed', first: { result_preview: 'Result 2.' }, second: { result_preview: 'Other.' } },
        { state: 'only_first', first: { number: 3 }, second: null },
      ],
    });
  });

  test('compares files by their names and bytes, not by their ids', async () => {
    const item = { type: 'output_file', filename: 'a.csv', media_type: 'text/csv', size_bytes: 3 };
    const runOf = async (text: string) => {
      const { id } = await stage.create();
      const output = JSON.stringify([{ ...item, file_id: await upload(text) }]);
      await stage.db.pool.query('update runs set output = $2 where id = $1', [id, output]);
      return id;
    };
    const [one, alike, other] = [await runOf('a,b'), await runOf('a,b'), await runOf('a,c')];
    const compare = async (id: string) => read<object>(await stage.call(`/v1/runs/${one}/compare?with=${id}`), 200);
    expect(await compare(alike)).toMatchObject({ is_output_same: true });
    expect(await compare(other)).toMatchObject({ is_output_same: false });
  });

  test('knows no run of another workspace', async () => {
    const [mine, foreign] = [await stage.create(), await stage.create({}, { key: stage.other.secret })];
    const response = await stage.call(`/v1/runs/${mine.id}/compare?with=${foreign.id}`);
    expect(await errorOf(response)).toMatchObject({ status: 404, code: 'run_not_found' });
    const alone = await stage.call(`/v1/runs/${mine.id}/compare`);
    expect(await errorOf(alone)).toMatchObject({ status: 422, param: 'with' });
  });
});

test('reruns leave a valid ledger', async () => {
  await expectSoundLedger(stage.db);
});
