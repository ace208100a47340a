import { afterAll, describe, expect, test } from '@jest/globals';
import { setSandboxedRunStage } from '../../support/runStage.ts';

const stage = await setSandboxedRunStage();
afterAll(() => stage.close());

const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });

describe('data returned by a tool', () => {
  const data = { total: 42, rows: [{ name: 'Ada\0', sum: 1.5 }] };
  const stored = { total: 42, rows: [{ name: 'Ada\ufffd', sum: 1.5 }] };

  test('is part of the output, with an event when it is complete', async () => {
    const run = await stage.runToEnd({
      tools: ['return_data'],
      script: { turns: [{ text: 'Here.', toolCalls: [call('return_data', { data })] }, { text: 'Done.' }] },
    });
    expect(run.output).toEqual([
      { type: 'output_text', text: 'Here.' },
      { type: 'output_data', data: stored },
      { type: 'output_text', text: 'Done.' },
    ]);
    const doneEvents = (await stage.eventsOf(run.id)).filter(({ type }) => type === 'run.output_data.done');
    expect(doneEvents.map((event) => event.data)).toEqual([{ type: 'output_data', data: stored }]);
  });
});

test('the next run of the session gets the complete output of the previous one, text or not', async () => {
  const calls = [call('return_data', { data: [1] }), call('write_file', { path: 'a.md', content: '# A' })];
  const script = { turns: [{ text: 'Here.', toolCalls: calls }, { text: 'Done.' }] };
  const first = await stage.runToEnd({ tools: ['return_data', 'write_file'], script });
  const account = { workspaceId: first.workspace_id, keyId: first.key_id, accountId: first.account_id };
  await stage.runToEnd({ account, sessionId: first.session_id, input: 'And then?' });
  const [, asked, said, next] = stage.upstream.lastMessages();
  expect([asked!.content, said!.role, next!.content]).toEqual([first.input, 'assistant', 'And then?']);
  expect(said!.content.split('\n').toSorted()).toEqual(['Done.', 'Here.', '[1]', '[File: a.md]']);
});

test('calls beyond twenty in one answer are returned to the model, which may repeat them', async () => {
  const calls = Array.from({ length: 25 }, (_, at) => call('write_file', { path: `${at}.md`, content: `# ${at}` }));
  const script = { turns: [{ toolCalls: calls }, { toolCalls: calls.slice(20) }, { text: 'Done.' }] };
  const run = await stage.runToEnd({ tools: ['write_file'], script });
  const names = run.output.flatMap((item) => ('filename' in item ? [item.filename] : []));
  expect(run.status).toBe('completed');
  expect([names.length, new Set(names)]).toEqual([25, new Set(calls.map((_, at) => `${at}.md`))]);
  const { messages } = stage.upstream.calls().at(-2)!.body as { messages: { role: string; content: string }[] };
  const results = messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
  expect(results.slice(0, 20)).toEqual(calls.slice(0, 20).map((_, at) => expect.stringContaining(`Wrote ${at}.md`)));
  expect(results.slice(20)).toEqual(calls.slice(20).map(() => expect.stringMatching(/was not run.*at most 20/)));
});

describe('characters that cannot be stored', () => {
  test("are replaced in a model's text and tool names, and the run continues", async () => {
    const run = await stage.runToEnd({
      tools: ['list_files'],
      script: { turns: [{ text: 'a\0b', toolCalls: [{ name: 'no\0tool', arguments: '\0' }] }, { text: 'Done.' }] },
    });
    expect(run).toMatchObject({
      status: 'completed',
      output: [
        { type: 'output_text', text: 'a\ufffdb' },
        { type: 'output_text', text: 'Done.' },
      ],
    });
  });

  test("are replaced in a tool's result", async () => {
    const script = { turns: [{ toolCalls: [call('run_code', { code: `console.log('a\\0b')` })] }, { text: 'Done.' }] };
    const run = await stage.runToEnd({ tools: ['run_code'], script });
    const { rows } = await stage.db.pool.query('select result from run_steps where run_id = $1 and step = 2', [run.id]);
    expect([run.status, rows[0].result.text]).toEqual(['completed', 'a\ufffdb']);
  });

  test("are replaced in a model's questions", async () => {
    const run = await stage.makeRun({
      tools: ['ask_user'],
      script: { turns: [{ toolCalls: [call('ask_user', { question: 'a\0b?' })] }, { text: 'Done.' }] },
    });
    await stage.workflows.start(run);
    await stage.untilEvent(run.id, 'run.requires_action');
    expect((await stage.readRun(run.id)).required_action).toMatchObject({ type: 'text', question: 'a\ufffdb?' });
    await stage.workflows.cancel(run.id);
    expect((await stage.endOf(run.id)).status).toBe('cancelled');
  });
});
