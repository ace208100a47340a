import type { z } from 'zod';
import { afterAll, expect, test } from '@jest/globals';
import { type Step, StepPage, WholeStep } from '../../../api/runs/stepAnswers.ts';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { makeAccount } from '../../support/account.ts';
import { ask } from '../../support/guardStage.ts';
import { setSandboxedRunStage } from '../../support/runStage.ts';

const stage = await setSandboxedRunStage();
await seedAgents(stage.db.everywhere);
const api = await stage.startApi();
afterAll(() => stage.close());

type ShownStep = z.infer<typeof Step>;
type Account = Awaited<ReturnType<typeof makeAccount>>;

const call = (account: Account, path: string) =>
  ask(api.url, path, { headers: { authorization: `Bearer ${account.secret}` } });

async function stepsOf(account: Account, runId: string, query = ''): Promise<z.infer<typeof StepPage>> {
  return StepPage.parse(await (await call(account, `/v1/runs/${runId}/steps${query}`)).json());
}

async function stepOf(account: Account, runId: string, stepId: string): Promise<z.infer<typeof WholeStep>> {
  return WholeStep.parse(await (await call(account, `/v1/runs/${runId}/steps/${stepId}`)).json());
}

const long = 'ä'.repeat(3000);
const used = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const script = {
  turns: [
    { toolCalls: [used('write_file', { path: 'long.txt', content: long })] },
    { toolCalls: [used('read_file', { path: 'long.txt' }), used('read_file', { path: 'no.txt' })] },
    { text: 'Done.' },
  ],
};
const tools = ['write_file', 'read_file'];

test('the steps of a run show their calls, results, errors, tokens and cost, cut to their limits', async () => {
  const account = await makeAccount(stage.db);
  const run = await stage.runToEnd({ script, tools, account });
  expect(run.status).toBe('completed');
  const { data } = await stepsOf(account, run.id);
  expect(data.map(({ name, number, status, is_error }) => [name, number, status, is_error])).toEqual([
    [stage.model.id, 1, 'completed', false],
    ['write_file', 2, 'completed', false],
    [stage.model.id, 3, 'completed', false],
    ['read_file', 4, 'completed', false],
    ['read_file', 5, 'failed', true],
    [stage.model.id, 6, 'completed', false],
  ]);
  const [asked, write, , read, missing] = data as [ShownStep, ShownStep, ShownStep, ShownStep, ShownStep];
  expect(asked).toMatchObject({
    model: stage.model.id,
    arguments: null,
    attempt: 1,
    retry_at: null,
    sandbox_seconds: null,
  });
  expect(asked.input_tokens).toBeGreaterThan(0);
  expect(asked.cost_usd).toBeCloseTo(asked.input_tokens! * 0.000001 + asked.output_tokens! * 0.00001, 9);
  expect([write.arguments_truncated, Buffer.byteLength(write.arguments!)]).toEqual([true, expect.any(Number)]);
  expect(Buffer.byteLength(write.arguments!)).toBeLessThanOrEqual(4096);
  expect(write.arguments).toMatch(/^\{"path":"long\.txt","content":"ä+$/);
  expect([read.result_truncated, read.cost_usd]).toEqual([true, 0.001]);
  expect(Buffer.byteLength(read.result_preview!)).toBeLessThanOrEqual(1024);
  expect(missing).toMatchObject({ error_code: 'tool_error', result_preview: expect.stringContaining('no.txt') });
  expect(data.reduce((sum, { cost_usd }) => sum + cost_usd, 0)).toBeCloseTo(Number(run.subtotal_nanos) / 1e9, 8);
  const whole = await stepOf(account, run.id, write.step_id);
  expect(JSON.parse(whole.arguments!)).toEqual({ path: 'long.txt', content: long });
  expect((await stepOf(account, run.id, read.step_id)).result!.text).toContain(long);
  expect((await stepOf(account, run.id, asked.step_id)).result!.tool_calls).toMatchObject([
    { step_id: write.step_id, name: 'write_file' },
  ]);
});

test('the events of steps have the same fields, and the history none of their content', async () => {
  const account = await makeAccount(stage.db);
  const run = await stage.runToEnd({ script, tools, account });
  const { data } = await stepsOf(account, run.id);
  const events = await stage.eventsOf(run.id);
  for (const step of data) {
    const own = events.filter(({ data: { step_id } }) => step_id === step.step_id);
    expect(own.map(({ type }) => type)).toEqual(['run.step.started', `run.step.${step.status}`]);
    const shown = { ...own[0]!.data, ...own[1]!.data };
    delete shown.message;
    delete shown.reason;
    expect(step).toMatchObject(shown);
  }
  const history = JSON.stringify(await stage.client.workflow.getHandle(run.id).fetchHistory());
  const payloads = [...history.matchAll(/"data":"([\w+/=]+)"/g)].map(([, base64]) => atob(base64!)).join('\n');
  expect(payloads).toContain('duration_ms');
  expect(payloads).not.toContain('long.txt');
});

test('steps come in pages, and a step of another run or workspace is not found', async () => {
  const account = await makeAccount(stage.db);
  const other = await makeAccount(stage.db);
  const run = await stage.runToEnd({ script, tools, account });
  const second = await stage.runToEnd({ script: { text: 'Hello.' }, account });
  const first = await stepsOf(account, run.id, '?limit=4');
  const rest = await stepsOf(account, run.id, `?limit=4&cursor=${first.next_cursor}`);
  expect([first.data.length, first.has_more, rest.data.length, rest.has_more]).toEqual([4, true, 2, false]);
  const [{ step_id }] = first.data as [ShownStep];
  const statuses = [
    await call(other, `/v1/runs/${run.id}/steps`),
    await call(other, `/v1/runs/${run.id}/steps/${step_id}`),
    await call(account, `/v1/runs/${second.id}/steps/${step_id}`),
    await call(account, `/v1/runs/${run.id}/steps/nonsense`),
    await call(account, `/v1/runs/${second.id}/steps?cursor=${first.next_cursor}`),
  ].map(({ status }) => status);
  expect(statuses).toEqual([404, 404, 404, 422, 422]);
});

test('the reasoning of a model is an event as it arrives, and silence is reported as progress', async () => {
  const reasoning = 'Two and two. '.repeat(60);
  const run = await stage.runToEnd({ script: { reasoning, text: 'Four.', chunks: 3 } });
  const events = await stage.eventsOf(run.id);
  const thoughts = events.filter(({ type }) => type === 'run.reasoning.delta');
  expect(thoughts.map(({ data }) => data.delta).join('')).toBe(reasoning);
  expect(thoughts.map(({ data }) => data.offset)).toEqual(
    thoughts.map((_, at) => thoughts.slice(0, at).reduce((sum, { data }) => sum + (data.delta as string).length, 0)),
  );
  const types = events.map(({ type }) => type);
  expect(types.lastIndexOf('run.reasoning.delta')).toBeLessThan(types.indexOf('run.output_text.done'));
  const silent = await stage.runToEnd({ script: { headDelayMs: 6_000, text: 'Four.' } });
  const progress = (await stage.eventsOf(silent.id)).filter(({ type }) => type === 'run.progress');
  expect(progress).toMatchObject([{ data: { attempt: 1, elapsed_ms: expect.any(Number), output_tokens: 0 } }]);
  const history = JSON.stringify(await stage.client.workflow.getHandle(run.id).fetchHistory());
  const payloads = [...history.matchAll(/"data":"([\w+/=]+)"/g)].map(([, base64]) => atob(base64!)).join('\n');
  expect(payloads).not.toContain('Two and two');
});
