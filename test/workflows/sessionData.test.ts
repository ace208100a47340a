import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../db/ids.ts';
import { findMemory, readMemories } from '../../db/memories/keptMemories.ts';
import { listSteps } from '../../db/runs/steps/readSteps.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { changeState, readState } from '../../db/sessions/sessionState.ts';
import type { Script } from '../../rules/scripted/script.ts';
import { makeAccount } from '../support/account.ts';
import { setSandboxedRunStage, type RunStage } from '../support/runStage.ts';
import { answer, ask, call } from './scenarios.ts';

const TOOLS = ['get_state', 'set_state', 'remember', 'recall', 'forget', 'ask_user'];

const stage = await setSandboxedRunStage();
afterAll(() => stage.close());

const turns = (...all: Script['toolCalls'][]): Script => ({
  turns: [...all.map((toolCalls) => ({ toolCalls })), { text: 'Done.' }],
});

/** What each tool of a run returned, by its name. */
async function resultsOf(run: RunRow): Promise<[string, string][]> {
  const { rows } = await listSteps(stage.db.read(run.workspace_id), run.id, { after: null, limit: 50 });
  return rows
    .filter(({ kind }) => kind !== 'model')
    .map(({ name, result }) => [name, (result as { text: string }).text]);
}

const toolsOfLastCall = () =>
  ((stage.upstream.calls().at(-1)!.body as { tools?: { function: { name: string } }[] }).tools ?? []).map(
    (tool) => tool.function.name,
  );

describe('the state of a session', () => {
  test('is read and changed by tools, and each call is billed', async () => {
    const script = turns(
      [call('set_state', { patch: { step: 2, draft: null, notes: { a: 1 } } })],
      [call('get_state', {})],
    );
    const run = await stage.runToEnd({ tools: TOOLS, script, state: { step: 1, draft: 'x' } });
    expect(await resultsOf(run)).toEqual([
      ['set_state', 'The state, version 2:\n{"step":2,"notes":{"a":1}}'],
      ['get_state', 'The state, version 2:\n{"step":2,"notes":{"a":1}}'],
    ]);
    expect(run.meters).toMatchObject({ tool_calls: 2000 });
    const { version, runId } = await readState(stage.db.read(run.workspace_id), run.session_id);
    expect([version, runId]).toEqual([2, run.id]);
    const changes = (await stage.eventsOf(run.id)).filter(({ type }) => type === 'run.state.updated');
    expect(changes.map(({ data }) => data)).toEqual([
      { session_id: run.session_id, version: 2, step_id: expect.stringMatching(/^step_/) },
    ]);
  });

  test('tells the model what is wrong with a patch', async () => {
    const script = turns([
      call('set_state', { patch: [1] }),
      call('set_state', { patch: { more: 'x'.repeat(2_000) } }),
    ]);
    const run = await stage.runToEnd({ tools: TOOLS, script, state: { long: 'x'.repeat(63_000) } });
    expect(run.status).toBe('completed');
    const texts = (await resultsOf(run)).map(([, text]) => text);
    expect(texts).toEqual([expect.stringContaining('"patch"'), expect.stringContaining('64000')]);
    expect((await readState(stage.db.read(run.workspace_id), run.session_id)).version).toBe(1);
  });

  const editWhileWaiting = async (run: RunRow) => {
    await stage.workflows.start(run);
    await stage.untilEvent(run.id, 'run.requires_action');
    const edit = { merge: { colour: 'blue' } };
    await changeState(stage.db.write(run.workspace_id), { sessionId: run.session_id, edit });
    await answer(stage, run, { type: 'text', text: 'Look.' });
    return stage.endOf(run.id);
  };

  test('that a caller edits while the run waits is what its tools read then', async () => {
    const script = turns([ask('Which colour?')], [call('get_state', {})]);
    const run = await editWhileWaiting(await stage.makeRun({ tools: TOOLS, script, state: { colour: 'red' } }));
    expect(await resultsOf(run)).toContainEqual(['get_state', 'The state, version 2:\n{"colour":"blue"}']);
    expect((await stage.eventsOf(run.id)).find(({ type }) => type === 'run.state.updated')!.data.step_id).toBeNull();
  });

  test('that a caller edits after the model has read it is shown to the model', async () => {
    const script = turns([call('get_state', {}), ask('Which colour?')]);
    const run = await editWhileWaiting(await stage.makeRun({ tools: TOOLS, script, state: { colour: 'red' } }));
    expect(run.status).toBe('completed');
    expect(stage.upstream.lastMessages().slice(-2)).toMatchObject([
      { role: 'tool', content: 'Look.' },
      { role: 'user', content: expect.stringContaining('changed to version 2. It is now:\n{"colour":"blue"}') },
    ]);
  });

  test('is shown so after the turns that read it were replaced too, and not told to their summary', async () => {
    const script: Script = {
      turns: [
        { text: 'word '.repeat(1_500), toolCalls: [call('get_state', {})] },
        { toolCalls: [ask('Which colour?')] },
        { text: 'Done.' },
      ],
    };
    const settings = { compaction: { mode: 'summarize' as const, compact_threshold: 1_200, keep_turns: 1 } };
    const order = { tools: TOOLS, script, state: { colour: 'red' }, settings };
    const run = await editWhileWaiting(await stage.makeRun(order));
    expect(run.status).toBe('completed');
    const texts = stage.upstream.calls().map(({ text }) => text);
    const summary = texts.find((text) => text.includes('Summarize this task'))!;
    expect(summary).not.toContain('has been changed');
    const last = stage.upstream.lastMessages().map(({ content }) => content);
    expect(last.some((content) => content?.startsWith('Earlier messages'))).toBe(true);
    expect(last.at(-1)).toContain('changed to version 2.');
  });

  test('of a rerun is what it was at its step', async () => {
    const patch = (n: number) => [call('set_state', { patch: { n } })];
    const run = await stage.runToEnd({ tools: TOOLS, script: turns(patch(1), patch(2)), state: { n: 0 } });
    // Steps 1 and 3 are the model's: 2 and 4 set the state.
    for (const [fromStep, n] of [
      [1, 0],
      [3, 1],
      [5, 2],
    ] as const) {
      const account = { workspaceId: run.workspace_id, keyId: run.key_id, accountId: run.account_id };
      const again = await stage.makeRun({ account, script: { text: 'Again.' }, rerun: { runId: run.id, fromStep } });
      const { state, version } = await readState(stage.db.read(run.workspace_id), again.session_id);
      expect([state, version]).toEqual([{ n }, n + 1]);
    }
  });
});

describe('memory', () => {
  const remembering = (account: Awaited<ReturnType<typeof makeAccount>>, ...texts: string[]) => ({
    account,
    tools: TOOLS,
    script: turns(texts.map((text) => call('remember', { text }))),
  });

  test('of a user is kept across sessions, found by words, and forgotten', async () => {
    const account = await makeAccount(stage.db, { creditUsd: '10' });
    const wish = { account, tools: TOOLS, endUser: 'ada' };
    const first = await stage.makeRun({
      ...remembering(account, 'Ada likes green tea.', 'Her dog is called Rex.'),
      endUser: 'ada',
    });
    await stage.workflows.start(first);
    await stage.endOf(first.id);
    const again = { agentOf: first };
    const second = await rerunAgent(again.agentOf, {
      ...wish,
      script: turns([call('recall', { query: 'which teas does she like' })]),
    });
    const [[, text]] = (await resultsOf(second)) as [[string, string]];
    expect(text).toMatch(/^- mem_\w+ \(\d{4}-\d\d-\d\d\): Ada likes green tea\.$/);
    const id = /mem_\w+/.exec(text)![0];
    const third = await rerunAgent(first, {
      ...wish,
      script: turns([call('forget', { memory_id: id })], [call('recall', {})]),
    });
    expect((await resultsOf(third)).map(([, result]) => result)).toEqual([
      `${id} is forgotten.`,
      expect.stringContaining('Her dog is called Rex.'),
    ]);
    expect(await findMemory(stage.db.read(first.workspace_id), id)).toBeNull();
  });

  test('of one user, agent or workspace is not seen by another', async () => {
    const account = await makeAccount(stage.db, { creditUsd: '10' });
    const first = await stage.runToEnd({ ...remembering(account, 'A secret.'), endUser: 'ada' });
    const recallAll = { tools: TOOLS, script: turns([call('recall', {})]) };
    const other = await makeAccount(stage.db, { creditUsd: '10' });
    const seen = [
      await rerunAgent(first, { ...recallAll, account, endUser: 'ada' }),
      await rerunAgent(first, { ...recallAll, account, endUser: 'bob' }),
      await rerunAgent(first, { ...recallAll, account: other, endUser: 'ada' }),
      await stage.runToEnd({ ...recallAll, account, endUser: 'ada' }),
    ];
    const texts = await Promise.all(seen.map(async (run) => (await resultsOf(run))[0]![1]));
    const nothing = 'Nothing is remembered.';
    expect(texts).toEqual([expect.stringContaining('A secret.'), nothing, nothing, nothing]);
  });

  test('is not offered to a run without a user', async () => {
    const run = await stage.runToEnd({ tools: TOOLS, script: turns([call('remember', { text: 'x' })]) });
    expect((await resultsOf(run))[0]![1]).toContain('no user');
    expect(toolsOfLastCall()).toEqual(['get_state', 'set_state', 'ask_user']);
    const { rows } = await readMemories(stage.db.read(run.workspace_id), { after: null, limit: 10 });
    expect(rows).toEqual([]);
  });

  test('is kept for the days of the version, and the same text once', async () => {
    const account = await makeAccount(stage.db, { creditUsd: '10' });
    const settings = { memory_days: 7 } as object;
    const run = await stage.runToEnd({ ...remembering(account, 'Same.', 'Same.'), endUser: 'ada', settings });
    const { rows } = await readMemories(stage.db.read(run.workspace_id), { after: null, limit: 10 });
    expect(rows.map(({ text, endUser, runId }) => ({ text, endUser, runId }))).toEqual([
      { text: 'Same.', endUser: 'ada', runId: run.id },
    ]);
    const { expiresAt, updatedAt } = rows[0]!;
    expect((expiresAt!.getTime() - updatedAt.getTime()) / 86_400_000).toBe(7);
  });

  /** Another run of the agent of a run. */
  async function rerunAgent(of: RunRow, wish: Parameters<RunStage['makeRun']>[0]): Promise<RunRow> {
    const run = await stage.makeRun({ id: newId('run'), ...wish });
    const set = 'update runs set agent_id = $2, agent = $3 where id = $1';
    await stage.db.pool.query(set, [run.id, of.agent_id, of.agent]);
    await stage.workflows.start(run);
    return stage.endOf(run.id);
  }
});
