import { afterAll, describe, expect, test } from '@jest/globals';
import { createToolMemory, createToolState } from '../../../activities/run/stepData.ts';
import { newId } from '../../../db/ids.ts';
import { MEMORIES_PER_USER_MAX, recallMemories } from '../../../db/memories/memories.ts';
import { beginStep } from '../../../db/runs/steps/beginStep.ts';
import type { ToolCall } from '../../../db/runs/steps/stepRecords.ts';
import type { BegunStep } from '../../../db/runs/stepFacts.ts';
import { finishStep } from '../../../db/runs/steps/steps.ts';
import { changeState, readState } from '../../../db/sessions/sessionState.ts';
import { insertSession } from '../../../db/sessions/sessions.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { beginRun, makeRun } from '../../support/run.ts';

const db = await setTestDatabase();
const account = await makeAccount(db);
afterAll(() => db.close());

/** A run in a session, with a user. `begin` begins its second step, or takes it over as the next worker does. */
async function makeStage(endUser = newId('user')) {
  const rows = db.write(account.workspaceId);
  const sessionId = newId('ses');
  await insertSession(rows, { id: sessionId, title: null, metadata: {} });
  const { id: runId } = await makeRun(db, account);
  const card = JSON.stringify({ meters: [], network_fee_percentage: 10 });
  await db.pool.query('update runs set session_id = $2, rate_card = $3 where id = $1', [runId, sessionId, card]);
  await beginRun(db.pool, runId);
  const call = { sessionId, projectId: null, agentId: 'agent_a', agent: 'test/agent', endUser, configuration: {} };
  const begin = async (step = 2): Promise<BegunStep> => {
    const begun = await beginStep(db.pool, { runId, step, kind: 'tool', name: 'set_state', arguments: '{}' });
    if (begun.state !== 'begun') throw new Error(`the step is ${begun.state}`);
    return begun.begun;
  };
  const dataOf = (begun: BegunStep) => {
    const called = { rows, call: call as unknown as ToolCall, begun };
    return { state: createToolState(called), memory: createToolMemory(called)! };
  };
  const space = { agentId: 'agent_a', projectId: null, endUser };
  const texts = async () => (await recallMemories(rows, space, { limit: 20 })).map(({ text }) => text);
  return { rows, sessionId, runId, begin, dataOf, texts };
}

describe('a step whose worker died after it wrote', () => {
  test('changes the state once', async () => {
    const { rows, sessionId, begin, dataOf } = await makeStage();
    const first = await dataOf(await begin()).state.merge({ count: 1 });
    // A caller's change in between is not undone.
    await changeState(rows, { sessionId, edit: { merge: { count: 5 } } });
    const again = await dataOf(await begin()).state.merge({ count: 1 });
    expect([first.version, again]).toMatchObject([1, { version: 1, state: { count: 1 } }]);
    expect(await readState(rows, sessionId)).toMatchObject({ version: 2, state: { count: 5 } });
  });

  test('changes it once even when a hundred versions came after', async () => {
    const { rows, sessionId, begin, dataOf } = await makeStage();
    await dataOf(await begin()).state.merge({ first: true });
    for (let n = 0; n < 101; n += 1) await changeState(rows, { sessionId, edit: { merge: { n } } });
    await dataOf(await begin()).state.merge({ first: true });
    expect((await readState(rows, sessionId)).version).toBe(102);
  });

  test('remembers once', async () => {
    const { begin, dataOf, texts } = await makeStage();
    const first = await dataOf(await begin()).memory.remember('Likes tea.');
    const again = await dataOf(await begin()).memory.remember('Likes tea.');
    expect([again, await texts()]).toEqual([first, ['Likes tea.']]);
  });

  test('writes nothing from the worker that lost it', async () => {
    const { rows, sessionId, begin, dataOf, texts } = await makeStage();
    const lost = dataOf(await begin());
    await begin();
    await expect(lost.state.merge({ late: true })).rejects.toMatchObject({ name: 'StepLost' });
    await expect(lost.memory.remember('Late.')).rejects.toMatchObject({ name: 'StepLost' });
    expect([(await readState(rows, sessionId)).version, await texts()]).toEqual([0, []]);
  });

  test('writes nothing after its end', async () => {
    const { begin, dataOf } = await makeStage();
    const begun = await begin();
    await finishStep(db.pool, begun, { state: 'completed', result: { text: '', isError: false }, quantities: {} });
    await expect(dataOf(begun).state.merge({ late: true })).rejects.toMatchObject({ name: 'StepLost' });
  });
});

test('steps that write together lose nothing', async () => {
  const { rows, sessionId, begin, dataOf } = await makeStage();
  const begun = await Promise.all([2, 3, 4, 5].map((step) => begin(step)));
  await Promise.all(begun.map((one, n) => dataOf(one).state.merge({ [`step${n}`]: n })));
  expect(await readState(rows, sessionId)).toMatchObject({
    version: 4,
    state: { step0: 0, step1: 1, step2: 2, step3: 3 },
  });
});

test('a user has a bounded number of memories, however many are remembered at once', async () => {
  const { rows, runId, begin, dataOf } = await makeStage('full');
  await db.pool.query(
    `insert into memories (id, workspace_id, agent_id, agent, end_user, text, run_id)
     select 'mem_' || n, $1, 'agent_a', 'test/agent', 'full', 'text ' || n, $2 from generate_series(1, $3::int) n`,
    [rows.workspaceId, runId, MEMORIES_PER_USER_MAX - 1],
  );
  const begun = await Promise.all([2, 3, 4, 5].map((step) => begin(step)));
  const tried = await Promise.allSettled(begun.map((one, n) => dataOf(one).memory.remember(`new ${n}`)));
  const refused = tried.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).name] : []));
  expect(refused).toEqual(['ToolFailure', 'ToolFailure', 'ToolFailure']);
});
