import type { ClientBase } from 'pg';
import type { RunRow } from '../runRow.ts';
import { createLanes, type LaneUse, type WantedPlace } from './laneRoom.ts';

/** Takes the lock of a workspace's lanes until the commit. It comes before every other lock of a transaction. */
export async function lockFlow(client: ClientBase, workspaceId: string): Promise<void> {
  await client.query({ name: 'flow_lock', text: LOCK, values: [workspaceId] });
}

const LOCK = `
insert into flow_queues (workspace_id) values ($1) on conflict (workspace_id) do update set workspace_id = excluded.workspace_id`;

/** The runs that may start now, and the time until the next one may that waits for a time. Their workflows are not started yet. */
export interface Admission {
  admitted: RunRow[];
  nextMs: number | undefined;
}

/** A waiting run, and its places. */
interface WaitingRun {
  id: string;
  /** In the database's precision. */
  rankedAt: string;
  startAt: Date;
  /** No other run of its session comes before it. */
  isSessionFree: boolean;
  places: WantedPlace[];
}

interface Clock {
  now: Date;
  /** Of the given run, and those of them that have a limit. */
  lanes: string[] | null;
  limited: string[];
}

const PAGE_RUNS = 200;
// After this a run whose row was locked is looked at again.
const LOCKED_MS = 1_000;

/**
 * Lets waiting runs of a workspace start whose turn it is, in order: of those that wait in the lanes of the run `runId`, or of all. The
 * caller's transaction has locked the lanes, and starts the workflows after its commit. Runs that have ended leave their places.
 */
export async function admitRuns(
  client: ClientBase,
  { workspaceId, runId }: { workspaceId: string; runId?: string | undefined },
): Promise<Admission> {
  const { rows: clock } = await client.query<Clock>(CLOCK, [workspaceId, runId ?? null]);
  const { now, lanes, limited } = clock[0]!;
  await client.query({ name: 'flow_leave', text: LEAVE, values: [workspaceId, lanes] });
  const room = createLanes(now);
  const ids: string[] = [];
  let next: Date | undefined;
  for (let after: WaitingRun | undefined; ;) {
    const values = [workspaceId, lanes, after?.rankedAt ?? null, after?.id ?? null, PAGE_RUNS];
    const { rows: page } = await client.query<WaitingRun>({ name: 'flow_waiting', text: WAITING, values });
    await readUse(client, workspaceId, { page, room });
    for (const run of page) {
      const until = run.startAt > now ? run.startAt : run.isSessionFree ? room.admit(run.places) : 'unknown';
      if (until === 'admitted') ids.push(run.id);
      else if (until !== 'unknown') next = earlier(until, next);
    }
    after = page.at(-1);
    if (page.length < PAGE_RUNS || (lanes && room.areClosed(limited))) break;
  }
  const admitted = ids.length === 0 ? [] : (await client.query<RunRow>(ADMIT, [ids, now])).rows;
  if (admitted.length < ids.length) next = earlier(new Date(now.getTime() + LOCKED_MS), next);
  await client.query({ name: 'flow_wake_at', text: SET_WAKE, values: [workspaceId, next ?? null, lanes === null] });
  return { admitted, nextMs: next && Math.max(0, next.getTime() - now.getTime()) };
}

const earlier = (time: Date, other: Date | undefined): Date => (other !== undefined && other <= time ? other : time);

async function readUse(
  client: ClientBase,
  workspaceId: string,
  { page, room }: { page: WaitingRun[]; room: ReturnType<typeof createLanes> },
): Promise<void> {
  const unread = room.unread(page.flatMap(({ places }) => places.map(({ lane }) => lane)));
  if (unread.length === 0) return;
  const { rows } = await client.query<LaneUse>({ name: 'flow_use', text: USE, values: [workspaceId, unread] });
  room.note(unread, rows);
}

// The time of the transaction's beginning may be long before its lock.
const NOW = 'ledger_now($1) + (clock_timestamp() - now())';

const CLOCK = `
select ${NOW} as now, case when $2::text is not null then array(select lane from flow_places where run_id = $2) end as lanes,
  array(select lane from flow_places where run_id = $2 and kind <> 'debounce') as limited`;

// Places of a rate stay for its period.
const LEAVE = `
delete from flow_places p using runs r where p.workspace_id = $1 and ($2::text[] is null or p.lane = any ($2)) and r.id = p.run_id
  and r.settled_at is not null and (p.kind <> 'rate' or p.admitted_at is null or p.admitted_at < ${NOW} - p.period_seconds * interval '1 second')`;

const WAITING = `
select r.id, w.ranked_at::text as "rankedAt", r.start_at as "startAt",
  not exists (select from runs s where s.session_id = r.session_id and s.settled_at is null and s.id <> r.id
    and (not s.waiting or (s.created_at, s.id) < (r.created_at, r.id))) as "isSessionFree",
  (select json_agg(json_build_object('kind', p.kind, 'lane', p.lane, 'limit', p.run_limit, 'periodSeconds', p.period_seconds))
    from flow_places p where p.run_id = r.id and p.admitted_at is null) as places
from (select distinct ranked_at, run_id from flow_places where workspace_id = $1 and admitted_at is null
    and ($2::text[] is null or lane = any ($2)) and ($3::timestamptz is null or (ranked_at, run_id) > ($3::timestamptz, $4::text))
    order by ranked_at, run_id limit $5) w
  join runs r on r.id = w.run_id
order by w.ranked_at, r.id`;

const USE = `
select p.lane, (count(*) filter (where p.kind = 'concurrency' and r.settled_at is null))::int as running,
  coalesce(array_agg(p.admitted_at order by p.admitted_at) filter (where p.kind = 'rate'), '{}') as started
from flow_places p left join runs r on r.id = p.run_id
where p.workspace_id = $1 and p.lane = any ($2) and p.admitted_at is not null group by p.lane`;

// A run that is being cancelled, or changed, is left out: its lock may wait for the account, which the caller's transaction may hold.
const ADMIT = `
with free as (
  select id from runs where id = any ($1) and waiting and settled_at is null and status = 'queued' order by id for update skip locked),
started as (
  update runs r set waiting = false from free where r.id = free.id returning r.*),
taken as (
  update flow_places p set admitted_at = $2, key = null from started s where p.run_id = s.id and p.admitted_at is null)
select * from started`;

// Only a look at all lanes knows that no earlier time is left.
const SET_WAKE = `
update flow_queues set wake_at = case when $3 then $2::timestamptz else least(wake_at, $2::timestamptz) end
where workspace_id = $1 and wake_at is distinct from case when $3 then $2::timestamptz else least(wake_at, $2::timestamptz) end`;
