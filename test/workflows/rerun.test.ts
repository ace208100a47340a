import { afterAll, expect, test } from '@jest/globals';
import type { Script } from '../../rules/scripted/script.ts';
import { sessionFilesOf, readFileBytes } from '../../db/sessions/saveRunFiles.ts';
import { answerActions } from '../../db/runs/waiting/answerActions.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { setSandboxedRunStage } from '../support/runStage.ts';
import { failedRun, rerun } from './rerunScenarios.ts';

const stage = await setSandboxedRunStage();
afterAll(() => stage.close());

const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const write = (path: string, content: string) => call('write_file', { path, content });
const tools = ['write_file'];

async function textsOf({ workspace_id, session_id }: RunRow): Promise<Record<string, string>> {
  const rows = stage.db.read(workspace_id);
  const files = await sessionFilesOf(rows, session_id);
  const texts = files.map(async ({ path, fileId }) => [path, (await readFileBytes(rows, fileId))!.toString()] as const);
  return Object.fromEntries(await Promise.all(texts));
}

test('a rerun shows what it reuses, calls the model once, and leaves the repeated run unchanged', async () => {
  const failed = await failedRun(stage);
  const files = await textsOf(failed);
  stage.upstream.reset();
  const run = await rerun(stage, failed, 4, { tools, script: { text: 'Done.' } });
  expect(stage.upstream.calls()).toHaveLength(1);
  const events = await stage.eventsOf(run.id);
  expect(events.filter(({ type }) => !/delta|usage|text\.done/.test(type)).map(({ type }) => type)).toEqual([
    'run.created',
    'run.queued',
    'run.in_progress',
    'run.step.reused',
    'run.output_file.created',
    'run.step.reused',
    'run.output_file.created',
    'run.step.reused',
    'run.step.started',
    'run.step.completed',
    'run.completed',
  ]);
  const reused = events.filter(({ type }) => type === 'run.step.reused').map(({ data }) => data);
  expect(reused[1]).toMatchObject({ name: 'write_file', reused_from: expect.stringContaining(failed.id.slice(4)) });
  expect(run.session_id).not.toBe(failed.session_id);
  expect(await textsOf(run)).toEqual(files);
  expect(await textsOf(failed)).toEqual(files);
  expect(await stage.readRun(failed.id)).toEqual(failed);
});

test('the files of a rerun have the contents that they had before its first step', async () => {
  const first: Script = { toolCalls: [write('a.md', 'old'), write('b.md', 'kept')] };
  const turns = [first, { toolCalls: [write('a.md', 'new'), write('c/d.md', 'later')] }, { text: 'Done.' }];
  const run = await stage.runToEnd({ tools, script: { turns } });
  expect(await textsOf(run)).toEqual({ 'a.md': 'new', 'b.md': 'kept', 'c/d.md': 'later' });
  const again = await rerun(stage, run, 4, { tools, script: { text: 'Other.' } });
  expect(await textsOf(again)).toEqual({ 'a.md': 'old', 'b.md': 'kept' });
  // Of the tools that ran together, the later ones have not written yet.
  const between = await rerun(stage, run, 6, { tools, script: { turns: [...turns.slice(0, 2), { text: 'Other.' }] } });
  expect(await textsOf(between)).toEqual({ 'a.md': 'new', 'b.md': 'kept', 'c/d.md': 'later' });
  expect(between.output.filter((item) => 'filename' in item)).toHaveLength(4);
});

test('an answered question is not asked again', async () => {
  const asking: Script = { toolCalls: [call('ask_user', { question: 'Which colour?' })] };
  const run = await stage.makeRun({ tools: ['ask_user'], script: { turns: [asking, { status: 400 }] } });
  await stage.workflows.start(run);
  await stage.untilEvent(run.id, 'run.requires_action');
  const { workspace_id: workspaceId, account_id: accountId, id: runId } = run;
  await answerActions(stage.db.ledger, { workspaceId, accountId, runId, answers: [{ type: 'text', text: 'Blue.' }] });
  await stage.workflows.resume(runId);
  const failed = await stage.endOf(runId);
  const again = await rerun(stage, failed, 3, {
    tools: ['ask_user'],
    script: { turns: [asking, { text: 'Blue it is.' }] },
  });
  expect(again).toMatchObject({ status: 'completed', output: [{ text: 'Blue it is.' }] });
  expect(stage.upstream.lastMessages().at(-1)).toMatchObject({ role: 'tool', content: 'Blue.' });
});

test('a text that a limit cut goes on with a new limit', async () => {
  const cut = await stage.runToEnd({ script: { text: 'word '.repeat(400) }, maxCostUsd: 0.001 });
  expect(cut.status).toBe('limit_reached');
  const [{ text }] = cut.output as [{ text: string }];
  stage.upstream.script({ text: 'The end.' });
  const again = await rerun(stage, cut, 2, { input: 'Tell me.' });
  stage.upstream.script({});
  expect(again).toMatchObject({ status: 'completed', output: [{ text: `${text}The end.` }] });
});

test('a rerun knows the conversation before the repeated run; the next run of the session knows both', async () => {
  const first = await stage.runToEnd({ input: 'My name is Ada.' });
  const account = { workspaceId: first.workspace_id, keyId: first.key_id, accountId: first.account_id };
  const second = await stage.runToEnd({ account, sessionId: first.session_id, input: 'Who am I?' });
  await stage.runToEnd({ account, sessionId: first.session_id, input: 'Something later.' });
  const again = await rerun(stage, second, 1, { input: 'What is my name?' });
  const asked = () =>
    stage.upstream
      .lastMessages()
      .filter(({ role }) => role === 'user')
      .map(({ content }) => content);
  expect(asked()).toEqual(['My name is Ada.', 'What is my name?']);
  await stage.runToEnd({ account, sessionId: again.session_id, input: 'And now?' });
  expect(asked()).toEqual(['My name is Ada.', 'What is my name?', 'And now?']);
});

test('reruns leave a valid ledger', async () => {
  await expectSoundLedger(stage.db);
});
