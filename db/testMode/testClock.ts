import { sendNotice } from '../postgres/notices.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { Rows } from '../postgres/rows.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';

type Everywhere = Rows<undefined>;

/**
 * The time of a test workspace, and its offset from the real time; `target` is the destination of a move. At the target it is still
 * advancing until everything due there is done.
 */
export interface TestClock {
  isAdvancing: boolean;
  now: Date;
  aheadSeconds: number;
  target: Date;
  targetSeconds: number;
}

/** Reads the clock of a test workspace. */
export async function readTestClock(client: Queryable, workspaceId: string): Promise<TestClock> {
  const { rows } = await client.query<TestClock>(CLOCK, [workspaceId]);
  return rows[0]!;
}

const TARGET = 'greatest(clock_target_seconds, clock_seconds)';
const CLOCK = `
select ledger_now(id) as now, clock_seconds::float as "aheadSeconds", ${TARGET}::float as "targetSeconds",
  now() + ${TARGET} * interval '1 second' as target, (clock_moving or clock_target_seconds > clock_seconds) as "isAdvancing"
from workspaces where id = $1`;

/** The maximum offset of a clock: ten years. */
const AHEAD_SECONDS_MAX = 315_360_000;

/**
 * Moves the clock of a test workspace ahead, by some seconds or to a time, and never back: at once when nothing is due until then.
 * Otherwise only the target is set, and a workflow moves there from one due time to the next. `backwards`, `too_far`: nothing was moved.
 */
export function advanceTestClock(
  rows: Rows,
  by: { seconds: number } | { to: Date },
): Promise<TestClock | 'backwards' | 'too_far'> {
  const { workspaceId } = rows;
  return rows.transaction(async (tx) => {
    const { client } = tx;
    await lockWorkspace(tx, workspaceId);
    const { target, targetSeconds, isAdvancing } = await readTestClock(client, workspaceId);
    const seconds = 'to' in by ? Math.ceil((by.to.getTime() - target.getTime()) / 1_000) : by.seconds;
    if (seconds < 0) return 'backwards';
    if (targetSeconds + seconds > AHEAD_SECONDS_MAX) return 'too_far';
    await client.query(SET_TARGET, [workspaceId, targetSeconds + seconds]);
    // From now on its schedules fire by its clock: Temporal pauses them.
    if (targetSeconds === 0) await client.query(HOLD_SCHEDULES, [workspaceId]);
    const { rows: due } = await client.query(IS_ANYTHING_DUE, [workspaceId]);
    if (isAdvancing || due.length > 0) await client.query(SET_MOVING, [workspaceId]);
    else await moveClock(client, workspaceId, targetSeconds + seconds);
    return readTestClock(client, workspaceId);
  });
}

const SET_TARGET = `
update workspaces set clock_target_seconds = $2, clock_followed_to = coalesce(clock_followed_to, now()) where id = $1`;
const SET_MOVING = 'update workspaces set clock_moving = true where id = $1';
const HOLD_SCHEDULES = 'update schedules set revision = revision + 1 where workspace_id = $1 and deleted_at is null';

/** Sets the clock. All processes then take new slices of its money, which count towards its new day. */
async function moveClock(client: Queryable, workspaceId: string, seconds: number): Promise<void> {
  const { rows } = await client.query<{ accountId: string }>(MOVE, [workspaceId, seconds]);
  await sendNotice(client, { kind: 'scarce', accountId: rows[0]!.accountId });
}

const MOVE = `
update workspaces w set clock_seconds = greatest(clock_seconds, least($2, clock_target_seconds)) from accounts a
where w.id = $1 and a.workspace_id = w.id returning a.id as "accountId"`;

// When the current step of a rollout has lasted long enough, and when it was last checked. It is checked then, and again each day while
// runs of the version are missing.
const ROLLING = `
select id, rollout_checked_at as checked_at, coalesce(rollout_step_started_at, rollout_started_at) + interval '1 hour' * (
    select (step ->> 'hoursMin')::int from jsonb_array_elements(rollout_steps) with ordinality s(step, n)
    where step ->> 'endedAt' is null order by n limit 1) as ended_at
from deployments where workspace_id = $1 and status = 'active' and rollout_state = 'rolling' and rollout_steps is not null`;

// The waiting items of a workspace, each with its due time. Deliveries are found by their endpoints, which have an index.
const WAITS = `
select id, 'run' as kind, null as endpoint, start_at as at from runs
where workspace_id = $1 and settled_at is null and not waiting and status = 'queued'
union all
select id, 'run', null, (coalesce((select min(a->>'expires_at') from jsonb_array_elements(required_actions::jsonb) a where not jsonb_exists(a, 'answer')),
  required_action->>'expires_at'))::timestamptz from runs
where workspace_id = $1 and settled_at is null and status = 'requires_action' and not jsonb_exists(required_action, 'answer')
union all
select workspace_id, 'flow', null, wake_at from flow_queues where workspace_id = $1 and wake_at is not null
union all
select event_id, 'webhook', endpoint_id, next_try_at from webhook_deliveries
where endpoint_id in (select id from webhook_endpoints where workspace_id = $1) and status = 'pending'
union all
select id, 'rollout', null, effective_at from deployments where workspace_id = $1 and status = 'active' and rollout_state = 'scheduled'
union all
select id, 'rollout', null, case when checked_at < ended_at then ended_at else checked_at + interval '1 day' end from (${ROLLING}) rolling`;

const IS_ANYTHING_DUE = `
select from (${WAITS}) waits, workspaces w where w.id = $1 and at <= now() + w.clock_target_seconds * interval '1 second'
union all select from runs where workspace_id = $1 and settled_at is null and status in ('in_progress', 'cancelling')
union all select from schedules where workspace_id = $1 and deleted_at is null and paused_at is null
limit 1`;

/** Where a clock stands on its way, and the next time at which something in its rows is due; null: nothing until its target. */
export interface ClockPosition extends TestClock {
  followedTo: Date;
  nextAt: Date | null;
  /** Schedules that may fire, with the time from which they do. */
  schedules: { id: string; from: string }[];
}

/** Reads the position of a clock. */
export async function readPosition(everywhere: Everywhere, workspaceId: string): Promise<ClockPosition> {
  return everywhere.statement(async ({ client }) => {
    const clock = await readTestClock(client, workspaceId);
    const { rows } = await client.query<Pick<ClockPosition, 'followedTo' | 'nextAt' | 'schedules'>>(POSITION, [
      workspaceId,
      clock.now,
      clock.target,
    ]);
    return { ...clock, ...rows[0]! };
  });
}

const POSITION = `
select clock_followed_to as "followedTo",
  (select min(at) from (${WAITS}) waits where at > $2 and at <= $3) as "nextAt",
  array(select json_build_object('id', id, 'from', created_at) from schedules
    where workspace_id = $1 and deleted_at is null and paused_at is null and coalesce(remaining_runs, 1) > 0 order by created_at, id) as schedules
from workspaces where id = $1`;

/**
 * Items due at a workspace's time that must be woken: runs, rollouts with an ended notice or step, deliveries that have been tried, and the
 * workspace itself for its runs that wait for a time.
 */
export type Due = { kind: 'run' | 'rollout' | 'flow'; id: string } | { kind: 'webhook'; id: string; endpoint: string };

/** Moves a clock towards its target, and returns the items due then. Repeating it changes nothing. */
export function stepClock(
  everywhere: Everywhere,
  { workspaceId, aheadSeconds }: { workspaceId: string; aheadSeconds: number },
): Promise<Due[]> {
  return everywhere.transaction(async ({ client }) => {
    await moveClock(client, workspaceId, aheadSeconds);
    return (await client.query<Due>(DUE, [workspaceId])).rows;
  });
}

// A first attempt needs no waking.
const DUE = `
select kind, waits.id, endpoint from (${WAITS}) waits left join webhook_deliveries d on d.event_id = waits.id and d.endpoint_id = endpoint
where at <= ledger_now($1) and coalesce(d.tries, 1) > 0 order by at`;

/** Ends the move of a clock that is at its target. Returns false when it has a later target by now. */
export async function endMove(everywhere: Everywhere, workspaceId: string): Promise<boolean> {
  const sql = 'update workspaces set clock_moving = false where id = $1 and clock_target_seconds <= clock_seconds';
  const { rowCount } = await everywhere.statement(({ client }) => client.query(sql, [workspaceId]));
  return rowCount === 1;
}

/** Whether all work started by a workspace's time has ended. Batches are not waited for: their windows may end. */
export async function isCalm(everywhere: Everywhere, workspaceId: string): Promise<boolean> {
  const { rows } = await everywhere.statement(({ client }) => client.query<{ calm: boolean }>(CALM, [workspaceId]));
  return rows[0]!.calm;
}

const CALM = `
select not exists (select from (${WAITS}) waits where at <= ledger_now($1)) and not exists (
  select from runs where workspace_id = $1 and settled_at is null
    and (status in ('in_progress', 'cancelling') or status = 'requires_action' and jsonb_exists(required_action, 'answer'))) as calm`;

/** The state of a schedule's firing at a time: whether its end is known, and whether an earlier firing's run is open. */
export async function readFiring(
  everywhere: Everywhere,
  { scheduleId, at }: { scheduleId: string; at: Date },
): Promise<{ isDone: boolean; isBlocked: boolean }> {
  type Row = { isDone: boolean; isBlocked: boolean };
  const { rows } = await everywhere.statement(({ client }) => client.query<Row>(FIRING, [scheduleId, at]));
  return rows[0]!;
}

const FIRING = `
select exists (select from schedule_firings where schedule_id = $1 and scheduled_at = $2 and outcome is not null) as "isDone",
  exists (select from schedule_firings f join runs r on r.id = f.run_id
    where f.schedule_id = $1 and f.scheduled_at < $2 and r.settled_at is null) as "isBlocked"`;

/** Records that the schedules of a workspace have fired up to this time. */
export async function noteFollowed(everywhere: Everywhere, workspaceId: string, at: Date): Promise<void> {
  await everywhere.statement(({ client }) =>
    client.query('update workspaces set clock_followed_to = greatest(clock_followed_to, $2) where id = $1', [
      workspaceId,
      at,
    ]),
  );
}
