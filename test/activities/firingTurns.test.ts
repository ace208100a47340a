import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../db/ids.ts';
import { beginFiring, pruneFirings, recordMiss, type Begun } from '../../db/schedules/firings.ts';
import {
  insertSchedule,
  removeSchedule,
  updatePaused,
  updateResumed,
  type ScheduleChoice,
} from '../../db/schedules/schedules.ts';
import { claimStale } from '../../db/schedules/syncing.ts';
import { makeAccount } from '../support/account.ts';
import { setTestDatabase } from '../support/database.ts';
import { makeRun } from '../support/run.ts';
import { temporalScheduleOf } from '../../contracts/schedule.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** A schedule, with its firings by the second in which they are due. */
async function scheduleOf(overlap: ScheduleChoice['overlap'], remainingRuns: number | null = null) {
  const account = await makeAccount(db);
  const { workspaceId, keyId } = account;
  const id = newId('sched');
  await insertSchedule(db.write(workspaceId), {
    id,
    by: { keyId, requestId: 'req_test' },
    pause: null,
    name: null,
    run: { agent: 'a/b', input: 'Hello.' },
    cron: null,
    timezone: 'UTC',
    everySeconds: 3_600,
    jitterSeconds: 0,
    startAt: null,
    endAt: null,
    overlap,
    catchupWindowSeconds: 60,
    remainingRuns,
    pauseAfterMisses: 3,
  });
  const begin = (second: number): Promise<Begun> => {
    const scheduledAt = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
    return beginFiring(db.everywhere, { scheduleId: id, workflowId: `schedule/${id}-${second}`, scheduledAt });
  };
  const end = async (begun: Begun): Promise<void> => {
    if (begun.outcome !== 'begun') throw new Error(begun.outcome);
    await recordMiss(db.everywhere, begun.firing, { status: 429, code: 'too_many_runs', message: 'Too many.' });
  };
  const outcomesOf = async (...seconds: number[]) => {
    const outcomes: string[] = [];
    for (const second of seconds) outcomes.push((await begin(second)).outcome);
    return outcomes;
  };
  const remaining = async () =>
    (await db.pool.query('select remaining_runs as n from schedules where id = $1', [id])).rows[0].n as number | null;
  /** Whether Temporal gets a change of the schedule. */
  const isStale = async () => (await claimStale(db.everywhere, id)).length > 0;
  return { id, account, begin, end, outcomesOf, remaining, isStale };
}

test('allow lets all begin', async () => {
  const { outcomesOf } = await scheduleOf('allow');
  expect(await outcomesOf(1, 2, 3)).toEqual(['begun', 'begun', 'begun']);
});

test('skip leaves out those beside an open one, and counts none of them', async () => {
  const { id, begin, end, outcomesOf, remaining, isStale } = await scheduleOf('skip', 3);
  const first = await begin(1);
  await db.pool.query('update schedules set synced_revision = revision where id = $1', [id]);
  expect(await outcomesOf(2, 1, 3)).toEqual(['skipped', 'begun', 'skipped']);
  expect(await isStale()).toBe(false);
  await end(first);
  expect(await outcomesOf(4)).toEqual(['begun']);
  expect(await remaining()).toBe(1);
});

test('Temporal is told of no count but the end: it would count what it skips itself, and stop too early', async () => {
  const { id, begin } = await scheduleOf('allow', 2);
  const stateOf = async () => {
    const row = await db.everywhere.statement(({ em, Schedule }) => em.findOneOrFail(Schedule, { id }));
    return temporalScheduleOf({ ...row, keyPrefix: '', isHeld: false, skip: [] }).state;
  };
  await begin(1);
  expect(await stateOf()).not.toHaveProperty('remainingActions');
  await begin(2);
  expect(await stateOf()).toMatchObject({ remainingActions: 0 });
});

test('buffer_one lets one wait, and begins it after the end of the first', async () => {
  const { begin, end, outcomesOf, remaining } = await scheduleOf('buffer_one', 3);
  const first = await begin(1);
  expect(await outcomesOf(2, 3, 2)).toEqual(['waiting', 'skipped', 'waiting']);
  expect(await outcomesOf(1)).toEqual(['begun']);
  await end(first);
  expect(await outcomesOf(2)).toEqual(['begun']);
  expect(await remaining()).toBe(1);
});

test('a time that Temporal repeats after midnight when clocks go back begins nothing, and one by hand begins', async () => {
  const { id, isStale } = await scheduleOf('allow', 3);
  await db.pool.query(
    `update schedules set cron = '0 0 * * *', every_seconds = null, timezone = 'Europe/London', synced_revision = revision where id = $1`,
    [id],
  );
  const begin = (scheduledAt: string, isPlanned: boolean) =>
    beginFiring(db.everywhere, { scheduleId: id, workflowId: `${scheduledAt} ${isPlanned}`, scheduledAt, isPlanned });
  // Midnight, one o'clock, and the next midnight.
  const times = ['2027-10-30T23:00:00Z', '2027-10-31T00:00:00Z', '2027-11-01T00:00:00Z'];
  const begun = await Promise.all(times.map((time) => begin(time, true)));
  expect(begun.map(({ outcome }) => outcome)).toEqual(['begun', 'skipped', 'begun']);
  expect(await isStale()).toBe(false);
  expect(await begin(times[1]!, false)).toMatchObject({ outcome: 'begun' });
  // After its last firing the end is reported to Temporal.
  expect(await isStale()).toBe(true);
});

test('cancel_other waits for the end of what it replaces, and gives way to a newer one', async () => {
  const { begin, end, outcomesOf } = await scheduleOf('cancel_other');
  const first = await begin(1);
  expect(await outcomesOf(2, 3)).toEqual(['waiting', 'waiting']);
  await end(first);
  expect(await outcomesOf(3, 2)).toEqual(['begun', 'skipped']);
});

test('a firing whose run was deleted is over', async () => {
  const { id, begin } = await scheduleOf('cancel_other');
  const first = await begin(1);
  if (first.outcome !== 'begun') throw new Error(first.outcome);
  expect(await begin(2)).toEqual({ outcome: 'waiting', replaced: [] });
  await db.pool.query(`update schedule_firings set outcome = 'started' where schedule_id = $1`, [id]);
  // Its run was deleted since.
  expect(await begin(2)).toMatchObject({ outcome: 'begun' });
});

test('of firings at once, skip lets one begin', async () => {
  const { begin } = await scheduleOf('skip');
  const begun = await Promise.all([1, 2, 3, 4, 5].map(begin));
  expect(begun.map(({ outcome }) => outcome).toSorted()).toEqual(['begun', 'skipped', 'skipped', 'skipped', 'skipped']);
});

test('a firing that has not begun for an hour, because its workflow was lost, keeps no other from its turn', async () => {
  const { id, begin, outcomesOf } = await scheduleOf('skip');
  await begin(1);
  const old = `update schedule_firings set created_at = now() - interval '2 hours' where schedule_id = $1`;
  await db.pool.query(old, [id]);
  expect(await outcomesOf(2)).toEqual(['begun']);
});

test('a firing that waits for a long run keeps its place for longer than an hour', async () => {
  const { id, account, begin, outcomesOf } = await scheduleOf('buffer_one');
  await begin(1);
  const run = await makeRun(db, account);
  await db.pool.query(
    `update schedule_firings set outcome = 'started', run_id = $2, created_at = now() - interval '3 hours' where schedule_id = $1`,
    [id, run.id],
  );
  expect(await outcomesOf(2)).toEqual(['waiting']);
  const waits = `update schedule_firings set created_at = now() - interval '2 hours' where schedule_id = $1 and outcome is null`;
  await db.pool.query(waits, [id]);
  expect(await outcomesOf(3, 2)).toEqual(['skipped', 'waiting']);
});

const BY = { keyId: null, requestId: 'req_test' };

test('a firing that waits ends with its reason when its schedule is deleted', async () => {
  const { id, account, begin, outcomesOf } = await scheduleOf('buffer_one');
  await begin(1);
  // Its process died before it recorded that.
  const run = await makeRun(db, account);
  await db.pool.query('update schedule_firings set run_id = $2 where schedule_id = $1', [id, run.id]);
  expect(await outcomesOf(2)).toEqual(['waiting']);
  await removeSchedule(db.write(account.workspaceId), id, BY);
  expect(await outcomesOf(2, 1, 2)).toEqual(['gone', 'gone', 'gone']);
  const { rows } = await db.pool.query(
    'select outcome, code from schedule_firings where schedule_id = $1 order by scheduled_at',
    [id],
  );
  expect(rows).toEqual([
    { outcome: 'started', code: null },
    { outcome: 'missed', code: 'schedule_ended' },
  ]);
});

test('a firing without an outcome is kept for twice as long as others, and then deleted too', async () => {
  const { id, begin, end } = await scheduleOf('allow');
  await end(await begin(1));
  for (const second of [2, 3, 4]) await begin(second);
  const age = (second: number, days: number) =>
    db.pool.query(`update schedule_firings set created_at = now() - $2 * interval '1 day' where workflow_id = $1`, [
      `schedule/${id}-${second}`,
      days,
    ]);
  for (const [second, days] of [
    [1, 31],
    [2, 31],
    [3, 61],
  ] as const)
    await age(second, days);
  expect(await pruneFirings(db.everywhere)).toBe(2);
  const left = 'select workflow_id as at from schedule_firings where schedule_id = $1 order by scheduled_at';
  expect((await db.pool.query(left, [id])).rows.map(({ at }) => at as string)).toEqual([
    `schedule/${id}-2`,
    `schedule/${id}-4`,
  ]);
});

test('a second pause before Temporal has the first resumption loses none of the missed times', async () => {
  const { id, account } = await scheduleOf('allow');
  const rows = db.write(account.workspaceId);
  const pausedSince = async (secondsAgo: number) => {
    await updatePaused(rows, id, BY, { note: null });
    await db.pool.query(`update schedules set paused_at = now() - $2 * interval '1 s' where id = $1`, [id, secondsAgo]);
  };
  const from = async () =>
    (
      await db.pool.query(
        `select extract(epoch from catch_up_until - catch_up_from)::float as s from schedules where id = $1`,
        [id],
      )
    ).rows[0].s as number;
  await pausedSince(40);
  await updateResumed(rows, id, BY, true);
  await pausedSince(10);
  await updateResumed(rows, id, BY, true);
  expect(await from()).toBeGreaterThanOrEqual(40);
  // As far back as the catch-up window of a minute.
  await pausedSince(900);
  await updateResumed(rows, id, BY, true);
  expect(await from()).toBe(60);
});

test('Temporal has ids of a schedule, and neither its name nor its note: those are texts of its owner', async () => {
  const { id, account } = await scheduleOf('skip');
  const rows = db.write(account.workspaceId);
  await db.pool.query('update schedules set name = $2 where id = $1', [id, 'Quarter of Müller & Sons']);
  await updatePaused(rows, id, BY, { note: 'Müller has not paid.' });
  const [schedule] = await claimStale(db.everywhere, id);
  const wanted = temporalScheduleOf({ ...schedule!, skip: [] });
  expect(JSON.stringify(wanted)).not.toContain('Müller');
  expect(wanted.action.staticSummary).toBe(`a/b, by schedule ${id}`);
  expect(wanted.state).toMatchObject({ paused: true, note: 'requested' });
});
