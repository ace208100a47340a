import { afterAll, expect, test } from '@jest/globals';
import { listSteps } from '../../db/runs/steps/readSteps.ts';
import { setSandboxedRunStage } from '../support/runStage.ts';
import { calling, childOf, makeCaller } from './childScenarios.ts';
import { call } from './scenarios.ts';
import { answerTogether } from './waitingScenarios.ts';

const stage = await setSandboxedRunStage();
afterAll(() => stage.close());

test('memories of texts that cannot be stored as they are do not fail the run', async () => {
  const toolCalls = [
    call('remember', { text: 'Likes tea, too\0.' }),
    call('recall', { query: 'tea \0' }),
    call('forget', { memory_id: 'mem\0' }),
  ];
  const turns = [...toolCalls.map((one) => ({ toolCalls: [one] })), { text: 'Done.' }];
  const run = await stage.runToEnd({ tools: ['remember', 'recall', 'forget'], script: { turns }, endUser: 'ada' });
  expect(run.status).toBe('completed');
  const { rows } = await listSteps(stage.db.read(run.workspace_id), run.id, { after: null, limit: 50 });
  const texts = rows.filter(({ kind }) => kind !== 'model').map(({ result }) => (result as { text: string }).text);
  expect(texts).toEqual([
    expect.stringContaining('Remembered'),
    expect.stringContaining('Likes tea, too\ufffd.'),
    expect.stringContaining('There is no memory'),
  ]);
});

// Where an event cuts its message, and the model's text, there is a character of two halves.
test('a failure whose message is cut within a character does not fail the run, and runs once', async () => {
  const code = `console.log('x' + '😀'.repeat(400)); throw new Error('over')`;
  const turns = [{ toolCalls: [call('run_code', { code })] }, { text: 'Done.' }];
  const run = await stage.runToEnd({ tools: ['run_code'], script: { turns } });
  expect(run.status).toBe('completed');
  const { rows } = await listSteps(stage.db.read(run.workspace_id), run.id, { after: null, limit: 50 });
  expect(rows.map(({ kind, attempt }) => [kind, attempt])).toEqual([
    ['model', 1],
    ['sandbox', 1],
    ['model', 1],
  ]);
});

test('an approval is asked for with them, and refused for arguments that are nested too deep', async () => {
  const deep = { name: 'write_file', arguments: `{"path":${'['.repeat(70)}${']'.repeat(70)}}` };
  const toolCalls = [call('write_file', { path: 'a\0.md', content: 'x' }), deep];
  const settings = { requires_approval: ['write_file'] };
  const run = await stage.makeRun({
    tools: ['write_file'],
    settings,
    script: { turns: [{ toolCalls }, { text: 'Done.' }] },
  });
  await stage.workflows.start(run);
  await stage.untilEvent(run.id, 'run.requires_action');
  const waiting = await stage.readRun(run.id);
  expect(waiting.required_actions).toMatchObject([{ type: 'tool_approval', arguments: { path: 'a\ufffd.md' } }]);
  await answerTogether(stage, waiting, [{ type: 'tool_approval', decision: 'refuse' }]);
  expect(await stage.endOf(run.id)).toMatchObject({ status: 'completed' });
});

test.each([
  ['with a text that cannot be stored', { input: 'Blue\0?\ud800' }, true],
  ['with a limit of many decimals', { max_cost_usd: 0.1 + 0.2 }, true],
  ['not with a limit below any amount', { max_cost_usd: 1e-15 }, false],
])('another agent is called %s', async (_what, odd, isCalled) => {
  const scriptOf = (called: string) => ({ turns: [calling(called, { text: 'Blue.' }, odd), { text: 'Done.' }] });
  const run = await makeCaller(stage, scriptOf, { maxCostUsd: 0.5 });
  await stage.workflows.start(run);
  expect(await stage.endOf(run.id)).toMatchObject({ status: 'completed' });
  expect((await childOf(stage, run))?.status).toBe(isCalled ? 'completed' : undefined);
});
