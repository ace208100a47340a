import { expect, test } from '@jest/globals';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { temporalScheduleIdOf } from '../../../contracts/schedule.ts';
import { makeAccount } from '../../support/account.ts';
import { publishAgent } from '../../support/agent.ts';
import { ask } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';
import { openWebhookStage, eventIn } from '../stages/webhookStage.ts';

interface Firing {
  scheduled_at: string;
  outcome: string | null;
  run_id: string | null;
  run_status: string | null;
  code: string | null;
}

interface Schedule {
  id: string;
  status: string;
  pause_reason: string | null;
  pause_note: string | null;
  remaining_runs: number | null;
  next_run_times: string[] | null;
  recent: Firing[];
}

const stage = await openWebhookStage();

const script = (text: object) => JSON.stringify({ scripted: text });

/** A workspace with its own agent, and calls by its key. */
async function owner({ creditUsd = '10' } = {}) {
  const account = await makeAccount(stage.db, { scopes: ['llm', 'manage'], creditUsd });
  const agent = await publishAgent(stage.db, {}, account);
  const call = async <Answer = Schedule>(method: string, path: string, body?: object, more = {}): Promise<Answer> => {
    const headers = { authorization: `Bearer ${account.secret}`, ...more };
    const response = await ask(stage.api.url, path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const make = (members: object = {}, input = script({ text: 'Done.' })) =>
    call('POST', '/v1/schedules', { every_seconds: 86_400, ...members, run: { agent, input, max_cost_usd: 0.5 } });
  const trigger = (id: string) => act(id, 'trigger');
  const act = (id: string, action: string, body?: object) => call('POST', `/v1/schedules/${id}/${action}`, body);
  const read = (id: string) => call('GET', `/v1/schedules/${id}`);
  const untilRecent = async (id: string, isDone: (recent: Firing[]) => boolean): Promise<Schedule> => {
    let schedule = await read(id);
    await until(async () => isDone((schedule = await read(id)).recent), { timeoutMs: 120_000, pollMs: 100 });
    return schedule;
  };
  return { ...account, agent, call, make, act, trigger, read, untilRecent };
}

const handleOf = ({ id }: Pick<Schedule, 'id'>) => stage.client.schedule.getHandle(temporalScheduleIdOf(id));
/** How many firings of a schedule are open in Temporal. */
const openOf = async (id: string): Promise<number> =>
  (
    await stage.client.workflow.count(
      `LedgerlineSchedule = '${id}' AND WorkflowType = 'scheduledRun' AND ExecutionStatus = 'Running'`,
    )
  ).count;
const isCompleted = ([last]: Firing[]) => last?.run_status === 'completed';

test('a trigger creates a run that its key pays, and counts as one of the remaining runs', async () => {
  const { call, make, act, trigger, untilRecent, workspaceId } = await owner();
  const { id, next_run_times: next } = await make({ remaining_runs: 1 });
  expect(next!.length).toBeGreaterThan(0);
  await trigger(id);
  const schedule = await untilRecent(id, isCompleted);
  expect(schedule).toMatchObject({ status: 'ended', remaining_runs: 0, next_run_times: [] });
  const { data: runs } = await call<{ data: object[] }>('GET', `/v1/schedules/${id}/runs`);
  expect(runs).toEqual([
    expect.objectContaining({ id: schedule.recent[0]!.run_id, source: 'schedule', status: 'completed' }),
  ]);
  const { rows } = await stage.db.pool.query('select sum(total_nanos) > 0 as paid from runs where workspace_id = $1', [
    workspaceId,
  ]);
  expect(rows).toEqual([{ paid: true }]);
  await expect(act(id, 'trigger')).rejects.toThrow('schedule_ended');
  // The end reaches Temporal, by the sweep at the latest.
  await until(async () => (await handleOf({ id }).describe()).state.remainingActions === 0, { timeoutMs: 60_000 });
});

test.each([
  ['Europe/Berlin', '2037-10-25T00:00:00Z', ['00:30', '02:30', '03:30']],
  ['Europe/London', '2037-10-25T00:00:00Z', ['00:30', '02:30', '03:30']],
  ['America/New_York', '2037-11-01T05:00:00Z', ['05:30', '06:30', '07:30']],
])('an hour that the clock of %s repeats fires as the guide says', async (timezone, start_at, times) => {
  const { make } = await owner();
  const { next_run_times: next } = await make({ every_seconds: undefined, cron: '30 * * * *', timezone, start_at });
  expect(next!.slice(0, 3).map((time) => time.slice(11, 16))).toEqual(times);
});

test('Temporal has times in their zone, and each change of a schedule', async () => {
  const { call, make, act } = await owner();
  const { id } = await make({
    every_seconds: undefined,
    cron: '30 9 * * mon',
    timezone: 'America/New_York',
    jitter_seconds: 5,
  });
  const described = () => handleOf({ id }).describe();
  expect(await described()).toMatchObject({
    spec: { timezone: 'America/New_York', jitter: 5_000 },
    policies: { overlap: 'SKIP', catchupWindow: 3_600_000 },
    state: { paused: false },
  });
  const [next] = (await call('GET', `/v1/schedules/${id}`)).next_run_times!;
  const shown = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
  });
  expect(shown.format(new Date(next!))).toBe('Mon 9:30 AM');
  await call('PATCH', `/v1/schedules/${id}`, { every_seconds: 3_600, overlap: 'allow' });
  expect(await described()).toMatchObject({
    spec: { intervals: [{ every: 3_600_000 }] },
    policies: { overlap: 'ALLOW_ALL' },
  });
  await act(id, 'pause', { note: 'Closed.' });
  expect(await described()).toMatchObject({ state: { paused: true, note: 'requested' } });
  await call('DELETE', `/v1/schedules/${id}`);
  await expect(described()).rejects.toMatchObject({ name: 'ScheduleNotFoundError' });
});

test('times that passed during a pause are made up for when it is resumed so', async () => {
  const { make, act, untilRecent, read } = await owner();
  const { id } = await make({ every_seconds: 60, overlap: 'allow', paused: true });
  await stage.db.pool.query(`update schedules set paused_at = now() - interval '3 minutes' where id = $1`, [id]);
  expect((await read(id)).recent).toEqual([]);
  await act(id, 'resume', { catch_up: true });
  const { recent } = await untilRecent(
    id,
    (all) => all.length >= 3 && all.every((one) => one.run_status === 'completed'),
  );
  const times = new Set(recent.map((one) => one.scheduled_at));
  expect(times.size).toBe(recent.length);
  for (const time of times) expect(new Date(time).getUTCSeconds()).toBe(0);
});

test('a newer firing cancels the run of the earlier one, if it is to', async () => {
  const { make, trigger, untilRecent } = await owner();
  const { id } = await make({ overlap: 'cancel_other' }, script({ fault: 'endless', delayMs: 50 }));
  await trigger(id);
  const first = await untilRecent(id, ([last]) => last?.run_status === 'in_progress');
  await trigger(id);
  const { recent } = await untilRecent(id, (all) => all.length === 2 && all[0]?.run_status === 'in_progress');
  expect(recent[1]).toMatchObject({ run_id: first.recent[0]!.run_id, run_status: 'cancelled' });
  await stage.client.workflow.getHandle(recent[0]!.run_id!).cancel();
  await untilRecent(id, ([last]) => last?.run_status === 'cancelled');
});

test.each([
  { overlap: 'allow', statuses: ['in_progress', 'in_progress', 'in_progress'] },
  { overlap: 'skip', statuses: ['in_progress'] },
  { overlap: 'buffer_one', statuses: ['in_progress', null] },
])('triggers within a second are as many firings as the policy $overlap lets', async ({ overlap, statuses }) => {
  const { make, act, call, read, untilRecent } = await owner();
  const { id } = await make({ overlap }, script({ fault: 'endless', delayMs: 50 }));
  await Promise.all(Array.from({ length: 3 }, () => act(id, 'trigger')));
  const statusesOf = (recent: Firing[]) => recent.map((one) => String(one.run_status)).toSorted();
  await untilRecent(id, (recent) => statusesOf(recent).join() === statuses.map(String).toSorted().join());
  await until(async () => (await openOf(id)) === statuses.length);
  // One after another: the end of the first lets a buffered one begin.
  for (let ended = 0; ended < statuses.length; ended += 1) {
    const { recent } = await untilRecent(id, (all) => all.some((one) => one.run_status === 'in_progress'));
    await call('POST', `/v1/runs/${recent.find((one) => one.run_status === 'in_progress')!.run_id}/cancel`);
    await untilRecent(id, (all) => all.filter((one) => one.run_status === 'cancelled').length === ended + 1);
  }
  await until(async () => (await openOf(id)) === 0);
  expect((await read(id)).recent.map((one) => one.run_status)).toEqual(statuses.map(() => 'cancelled'));
});

test('a repeated trigger is one firing, under its idempotency key', async () => {
  const { make, call, untilRecent } = await owner();
  const { id } = await make({ overlap: 'allow' });
  const headers = { 'idempotency-key': 'fire-once' };
  for (let times = 0; times < 2; times += 1) await call('POST', `/v1/schedules/${id}/trigger`, undefined, headers);
  await untilRecent(id, isCompleted);
  await until(async () => (await openOf(id)) === 0);
  const { data: runs } = await call<{ data: object[] }>('GET', `/v1/schedules/${id}/runs`);
  expect(runs).toHaveLength(1);
});

test('an empty balance is a recorded miss; after as many as allowed the schedule is paused, with an event', async () => {
  const { make, trigger, read, untilRecent, ...account } = await owner({ creditUsd: '0' });
  const receiver = await stage.makeReceiver();
  await account.call('POST', '/platform/v1/webhook_endpoints', { url: receiver.url, event_types: ['schedule.paused'] });
  const { id } = await make({ pause_after_misses: 2 });
  for (const count of [1, 2]) {
    await trigger(id);
    const { recent } = await untilRecent(id, (all) => all.length === count && all[0]!.outcome === 'missed');
    expect(recent[0]).toMatchObject({ code: 'insufficient_balance', run_id: null });
    if (count === 1) expect(await read(id)).toMatchObject({ status: 'active' });
  }
  expect(await read(id)).toMatchObject({ status: 'paused', pause_reason: 'balance' });
  await until(() => receiver.received.length > 0, { timeoutMs: 60_000 });
  expect(eventIn(receiver.received[0]!)).toMatchObject({
    type: 'schedule.paused',
    data: { schedule_id: id, reason: 'balance', code: 'insufficient_balance' },
  });
  await until(async () => (await handleOf({ id }).describe()).state.paused, { timeoutMs: 60_000 });
});

test('a revoked key and a suspended agent pause the schedule at its next firing', async () => {
  const { make, trigger, read, untilRecent, keyId, agent, call } = await owner();
  const [one, other] = [await make(), await make()];
  await stage.db.pool.query(
    `update deployments set status = 'suspended', suspended_at = now() where agent_id = (select id from agents where slug = $1)`,
    [agent.split('/')[1]],
  );
  await trigger(one.id);
  await untilRecent(one.id, ([last]) => last?.code === 'agent_suspended');
  expect(await read(one.id)).toMatchObject({ status: 'paused', pause_reason: 'agent' });
  await revokeKey(stage.db, keyId);
  await handleOf(other).trigger();
  const paused = async () =>
    (await stage.db.pool.query('select pause_reason from schedules where id = $1', [other.id])).rows[0];
  await until(async () => (await paused()).pause_reason === 'key', { timeoutMs: 60_000 });
  await expect(call('GET', `/v1/schedules/${other.id}`)).rejects.toThrow('invalid_api_key');
});

test('a schedule in a zone that Temporal does not know is paused with the reason, and others stay in step', async () => {
  const { make, read, call, act, untilRecent } = await owner();
  const [unknown, other] = [await make({ every_seconds: undefined, cron: '0 8 * * *' }), await make()];
  // As a former version stored them.
  const spoil = `update schedules set revision = revision + 1, timezone = 'SystemV/PST8PDT' where id = any ($1)`;
  await stage.db.pool.query(spoil, [[unknown.id, other.id]]);
  const isSynced = async (id: string) =>
    (await stage.db.pool.query('select from schedules where id = $1 and revision = synced_revision', [id])).rowCount ===
    1;
  for (const { id } of [unknown, other]) await until(() => isSynced(id), { timeoutMs: 60_000 });
  const paused = await read(unknown.id);
  expect(paused).toMatchObject({ status: 'paused', pause_reason: 'order' });
  expect(paused.pause_note).toContain('SystemV/PST8PDT');
  expect((await handleOf(unknown).describe()).state.paused).toBe(true);
  expect(await read(other.id)).toMatchObject({ status: 'active' });
  // One by hand needs no times.
  await act(unknown.id, 'trigger');
  await untilRecent(unknown.id, isCompleted);
  await call('PATCH', `/v1/schedules/${unknown.id}`, { timezone: 'America/Los_Angeles' });
  expect((await act(unknown.id, 'resume')).next_run_times).not.toEqual([]);
});

test('the sweep creates a schedule that Temporal lost, and deletes one without a row', async () => {
  const { make } = await owner();
  const [lost, orphan] = [await make(), await make()];
  await handleOf(lost).delete();
  await stage.db.pool.query('delete from schedules where id = $1', [orphan.id]);
  await until(
    () =>
      handleOf(lost)
        .describe()
        .then(
          () => true,
          () => false,
        ),
    { timeoutMs: 150_000, pollMs: 500 },
  );
  await until(
    () =>
      handleOf(orphan)
        .describe()
        .then(
          () => false,
          () => true,
        ),
    { timeoutMs: 150_000, pollMs: 500 },
  );
});
