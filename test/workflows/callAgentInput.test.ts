import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { newId } from '../../db/ids.ts';
import { moveChannel } from '../../db/publishing/channels.ts';
import { takeDown } from '../../db/publishing/endings.ts';
import { sessionFilesOf } from '../../db/sessions/saveRunFiles.ts';
import { childRunIdOf } from '../../db/runs/childRuns.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { makeAccount } from '../support/account.ts';
import { publishAgent } from '../support/agent.ts';
import { ownerUrlOf, withClient } from '../support/database.ts';
import { expectSoundLedger, openHoldsOf } from '../support/ledger.ts';
import { productGlobal } from '../support/productRealm.ts';
import { setSandboxedRunStage } from '../support/runStage.ts';
import { until } from '../support/until.ts';
import { calling, childOf, makeCaller, pricing } from './childScenarios.ts';
import { ask } from './scenarios.ts';

const stage = await setSandboxedRunStage();
afterEach(() => stage.upstream.reset());
afterAll(() => stage.close());

const input_schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
  required: ['city'],
  additionalProperties: false,
};

interface Sent {
  messages: { role: string; content: unknown }[];
  tools?: { function: { name: string; description: string; parameters: { properties: Record<string, object> } } }[];
}
const calls = () => stage.upstream.calls().map(({ body }) => body as unknown as Sent);
const call = (args: object) => ({ toolCalls: [{ name: 'call_agent', arguments: JSON.stringify(args) }] });
const owner = () => ({ workspaceId: newId('ws') });

test('the model is told what each agent does and takes', async () => {
  const typed = await publishAgent(stage.db, { pricing, description: 'Forecasts.', input_schema }, owner());
  const plain = await publishAgent(stage.db, { pricing, description: 'Writes poems.' }, owner());
  const agents = [typed, 'test/none', plain];
  const published = await publishAgent(stage.db, { pricing, agents }, owner());
  await stage.runToEnd({ published, visibility: 'public', script: { text: 'Done.' } });
  const [tool] = calls().at(-1)!.tools!;
  const [, first, second] = tool!.function.description.split('\n');
  const [said, schema] = first!.split('JSON Schema: ');
  expect(said).toBe(`- ${typed}: Forecasts. Its input is an object that fits this `);
  expect(JSON.parse(schema!)).toEqual(input_schema);
  expect(second).toBe(`- ${plain}: Writes poems. Its input is a text.`);
  const { agent, input } = tool!.function.parameters.properties;
  expect(agent).toEqual({ type: 'string', enum: [typed, plain] });
  expect(input).toMatchObject({ anyOf: [{ type: 'string' }, { type: 'object' }] });
});

test('data that do not fit the schema are refused to the model, which then sends what fits', async () => {
  const typed = await publishAgent(stage.db, { pricing, input_schema }, owner());
  const published = await publishAgent(stage.db, { pricing, agents: [typed] }, owner());
  stage.upstream.script({ turns: [{ text: 'Rain.' }] });
  const turns = [
    call({ agent: typed, input: { city: 'Ulm', days: 0 } }),
    call({ agent: typed, input: { city: 'Ulm' } }),
    { text: 'It rains.' },
  ];
  const run = await stage.runToEnd({ published, visibility: 'public', script: { turns } });
  expect(run).toMatchObject({ status: 'completed', output: [{ text: 'It rains.' }] });
  const results = calls()
    .at(-1)!
    .messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
  expect(results).toEqual([expect.stringMatching(/^Error: The agent takes JSON that fits its schema: days/), 'Rain.']);
  const { rows } = await stage.db.pool.query<RunRow>('select * from runs where parent_run_id = $1', [run.id]);
  expect(rows.map(({ input }) => input)).toEqual([[{ type: 'input_data', data: { city: 'Ulm' } }]]);
  await expectSoundLedger(stage.db);
});

test('a private agent is called in runs of its own workspace, and in no other one', async () => {
  const account = await makeAccount(stage.db, { creditUsd: '10' });
  const { workspaceId } = account;
  const helper = await publishAgent(stage.db, { pricing }, { workspaceId, visibility: 'private' });
  const published = await publishAgent(stage.db, { pricing, agents: [helper] }, { workspaceId });
  stage.upstream.script({ turns: [{ text: 'Blue.' }] });
  const script = { turns: [call({ agent: helper, input: 'Which colour?' }), { text: 'Done.' }] };
  const own = await stage.runToEnd({ published, visibility: 'public', script, account });
  expect(await childOf(stage, own)).toMatchObject({ status: 'completed', visibility: 'private', agent: helper });
  const other = await stage.runToEnd({ published, visibility: 'public', script });
  expect(other.status).toBe('completed');
  expect(await childOf(stage, other)).toBeUndefined();
  await expectSoundLedger(stage.db);
});

test('files go along by their paths, and those that the agent writes come back', async () => {
  const tools = ['read_file', 'write_file'];
  const called = await publishAgent(stage.db, { pricing, tools }, owner());
  const published = await publishAgent(stage.db, { pricing, tools, agents: [called] }, owner());
  const write = (path: string, content: string) => ({
    toolCalls: [{ name: 'write_file', arguments: JSON.stringify({ path, content }) }],
  });
  const read = (path: string) => ({ toolCalls: [{ name: 'read_file', arguments: JSON.stringify({ path }) }] });
  stage.upstream.script({ turns: [read('a.txt'), write('b.txt', 'Second.'), { text: 'Written.' }] });
  const turns = [
    write('a.txt', 'First.'),
    call({ agent: called, input: 'Go on.', files: ['none.txt'] }),
    call({ agent: called, input: 'Go on.', files: ['a.txt'] }),
    read('b.txt'),
    { text: 'Done.' },
  ];
  const run = await stage.runToEnd({ published, visibility: 'public', script: { turns } });
  const sent = calls().at(-1)!.messages;
  const results = sent.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
  expect(results[1]).toBe('Error: There is no file none.txt in this session.');
  expect(results[2]).toBe('[File: b.txt]\nWritten.');
  expect(results[3]).toContain('Second.');
  const pathsOf = async ({ workspace_id, session_id }: RunRow) =>
    (await sessionFilesOf(stage.db.read(workspace_id), session_id)).map(({ path }) => path);
  const { rows } = await stage.db.pool.query<RunRow>('select * from runs where parent_run_id = $1', [run.id]);
  expect(await Promise.all([run, ...rows].map(pathsOf))).toEqual([
    ['a.txt', 'b.txt'],
    ['a.txt', 'b.txt'],
  ]);
  await expectSoundLedger(stage.db);
});

test('a channel is called by its name; an agent that was taken down is refused with its publisher’s text', async () => {
  const publisher = await makeAccount(stage.db);
  const helper = await publishAgent(stage.db, { pricing }, publisher);
  const { rows } = await stage.db.pool.query<{ id: string; version: string }>(
    'select a.id, v.id as version from agents a join agent_versions v on v.agent_id = a.id where a.workspace_id = $1',
    [publisher.workspaceId],
  );
  const [{ id: agentId, version: versionId }] = rows as [{ id: string; version: string }];
  const by = { keyId: 'key_p', requestId: 'req_p' };
  const { everywhere } = stage.db;
  await moveChannel(everywhere, publisher.workspaceId, { agentId, name: 'beta', versionId, by });
  const agents = [`${helper}@beta`];
  const published = await publishAgent(stage.db, { pricing, agents }, owner());
  const script = { turns: [call({ agent: agents[0], input: 'Which colour?' }), { text: 'Done.' }] };
  stage.upstream.script({ turns: [{ text: 'Blue.' }] });
  const run = await stage.runToEnd({ published, visibility: 'public', script });
  expect(await childOf(stage, run)).toMatchObject({ status: 'completed', agent: helper, version_id: versionId });
  await takeDown(everywhere, publisher.workspaceId, { agentId, message: 'A source is gone.', by });
  const refused = await stage.runToEnd({ published, visibility: 'public', script });
  expect(refused).toMatchObject({ status: 'completed', output: [{ text: 'Done.' }] });
  const { messages, tools } = calls().at(-1)!;
  expect(tools![0]!.function.description).toContain(`- ${agents[0]}: cannot be called. The agent '${helper}' was`);
  expect(messages.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('A source is gone.') });
});

async function endOf(run: RunRow): Promise<RunRow> {
  await stage.workflows.start(run);
  return stage.endOf(run.id);
}

test('a run ends, and its money is free again, when a short step of it always fails', async () => {
  const scriptOf = (called: string) => ({ turns: [calling(called, { text: 'Blue.' }), { text: 'So it is.' }] });
  const published = await publishAgent(stage.db, { pricing, tools: ['ask_user'] }, { workspaceId: newId('ws') });
  const asking = { published, visibility: 'public' as const, script: { toolCalls: [ask('Which?')] } };
  const broken: [RunRow, string][] = [
    [await stage.makeRun(asking), `new.status = 'requires_action'`],
    [await makeCaller(stage, scriptOf), 'new.depth = 1'],
    [await makeCaller(stage, scriptOf), 'new.children_nanos > 0'],
  ];
  const ended = await withClient(ownerUrlOf(stage.databaseUrl), async (owner) => {
    await owner.query(`create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`);
    for (const [at, [run, condition]] of broken.entries())
      await owner.query(`create trigger fails_${at} before insert or update on runs for each row
        when (new.workspace_id = '${run.workspace_id}' and ${condition}) execute function fail()`);
    const runs = await Promise.all(broken.map(([run]) => endOf(run)));
    await owner.query('drop function fail cascade');
    return runs;
  });
  for (const run of ended) {
    expect(run).toMatchObject({
      status: 'failed',
      status_reason: 'internal_error',
      fault: 'platform',
      total_nanos: '0',
    });
    expect(await openHoldsOf(stage.db, run.account_id)).toEqual({ nanos: 0n, count: 0 });
  }
  await expectSoundLedger(stage.db);
});

test('the time that is left for a called agent does not depend on the clock of the worker', async () => {
  const { now } = productGlobal.Date;
  const clock = jest.spyOn(productGlobal.Date, 'now').mockImplementation(() => now() + 12 * 3_600_000);
  const run = await makeCaller(stage, (called) => ({
    turns: [calling(called, { text: 'Blue.' }), { text: 'It is.' }],
  }));
  try {
    await stage.workflows.start(run);
    const ended = await stage.endOf(run.id);
    const child = await childOf(stage, run);
    expect([ended.status, ended.status_reason, child.status]).toEqual(['completed', null, 'completed']);
    expect(child.timeout_seconds).toBeGreaterThan(run.timeout_seconds / 2);
    expect(child.timeout_seconds).toBeLessThanOrEqual(run.timeout_seconds);
  } finally {
    clock.mockRestore();
  }
});

test('a run that is cancelled while it starts a child ends after the child, and not before', async () => {
  const run = await makeCaller(stage, (called) => calling(called, { fault: 'endless', delayMs: 50 }));
  const blocker = await stage.db.pool.connect();
  await blocker.query('begin');
  await blocker.query('select from holds where id = $1 for update', [run.hold_id]);
  const begun = `select from run_steps where run_id = $1 and step = 2`;
  try {
    await stage.workflows.start(run);
    await until(async () => (await stage.db.pool.query(begun, [run.id])).rowCount === 1);
    const handle = stage.client.workflow.getHandle(run.id);
    await handle.cancel();
    // The workflow has taken notice.
    await until(async () => {
      const { events } = await handle.fetchHistory();
      const at = events!.findIndex((event) => event.workflowExecutionCancelRequestedEventAttributes);
      return at >= 0 && events!.slice(at).some((event) => event.workflowTaskCompletedEventAttributes);
    });
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  const ended = await stage.endOf(run.id);
  const child = await stage.readRun(childRunIdOf(run.id, 2));
  expect([ended.status, child.status]).toEqual(['cancelled', 'cancelled']);
  expect(new Date(child.settled_at!).getTime()).toBeLessThanOrEqual(new Date(ended.settled_at!).getTime());
  expect(await openHoldsOf(stage.db, run.account_id)).toEqual({ nanos: 0n, count: 0 });
});
