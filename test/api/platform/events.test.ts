import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventIdOf } from '../../../db/events/appendEvents.ts';
import { codeOf, setGuardStage, type GuardStage } from '../../support/guardStage.ts';
import { delta, makeRun, addEvents } from '../../support/run.ts';

let stage: GuardStage;
let account: Awaited<ReturnType<GuardStage['account']>>;

beforeAll(async () => {
  stage = await setGuardStage();
  account = await stage.account();
});
afterAll(() => stage.close());

const retrieve = (id: string) =>
  stage.ask(`/platform/v1/events/${id}`, { headers: { authorization: `Bearer ${account.secret}` } });

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
