import { afterAll, expect, test } from '@jest/globals';
import { eventIdOf } from '../../../db/events/appendEvents.ts';
import { recordEvent } from '../../../db/events/platformEvents.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { codeOf, setGuardStage } from '../../support/guardStage.ts';
import { delta, makeRun, addEvents } from '../../support/run.ts';

const stage = await setGuardStage();
const account = await stage.account({ scopes: ['agents', 'publisher'] });
afterAll(() => stage.close());

const retrieve = (id: string, secret = account.secret) =>
  stage.ask(`/platform/v1/events/${id}`, { headers: { authorization: `Bearer ${secret}` } });

test("returns a run's event by its id", async () => {
  const run = await makeRun(stage.db, account);
  const id = await addEvents(stage.db, run.id, delta('one'), delta('two'));
  const response = await retrieve(id);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    id,
    object: 'event',
    type: 'run.output_text.delta',
    created_at: expect.any(String),
    timestamp: expect.any(String),
    sequence: 2,
    run_id: run.id,
    resource: { type: 'run', id: run.id },
    data: { delta: 'two' },
  });
});

test('returns an event of the workspace itself by its id', async () => {
  const insert = `insert into platform_events (id, workspace_id, type, resource_type, resource_id, data)
    values ('evt_platform1', $1, 'deployment.approved', 'agent.deployment', 'dep_a', '{"status":"active"}')`;
  await stage.db.pool.query(insert, [account.workspaceId]);
  expect(await (await retrieve('evt_platform1')).json()).toMatchObject({
    type: 'deployment.approved',
    run_id: null,
    resource: { type: 'agent.deployment', id: 'dep_a' },
    data: { status: 'active' },
  });
});

test('reads the events of its scopes alone: others are unknown to it', async () => {
  const { workspaceId } = account;
  const run = await makeRun(stage.db, account);
  const ofRun = await addEvents(stage.db, run.id, delta('one'));
  const record = (type: 'deployment.rejected' | 'key.created') =>
    recordEvent({ client: stage.db.pool }, workspaceId, { type, resourceType: 'thing', resourceId: 'a', data: {} });
  const [ofAgent, ofKey] = [await record('deployment.rejected'), await record('key.created')];
  const readAs = async (scope: string) => {
    const { secret } = await createKey(stage.db.everywhere, { workspaceId, name: scope, scopes: [scope] });
    const answers = [];
    for (const id of [ofRun, ofAgent, ofKey]) answers.push((await retrieve(id, secret)).status);
    return answers;
  };
  expect(await readAs('manage')).toEqual([200, 200, 200]);
  expect(await readAs('publisher')).toEqual([404, 200, 404]);
  expect(await readAs('agents')).toEqual([200, 404, 404]);
  expect(await readAs('llm')).toEqual([200, 404, 404]);
  expect(await readAs('voice')).toEqual([403, 403, 403]);
});

test('answers 422 for a malformed id, and 404 for an event of another workspace', async () => {
  for (const id of ['evt_', 'run_abc', 'evt_a-b', `evt_${'a'.repeat(61)}`]) {
    const response = await retrieve(id);
    expect(response.status).toBe(422);
    expect(await codeOf(response)).toBe('validation_error');
  }
  const other = await stage.account();
  const run = await makeRun(stage.db, other);
  const theirs = await addEvents(stage.db, run.id, delta('secret'));
  for (const id of [theirs, eventIdOf(run.id, 2), 'evt_nobody']) {
    const response = await retrieve(id);
    expect(response.status).toBe(404);
    expect(await codeOf(response)).toBe('event_not_found');
  }
});
