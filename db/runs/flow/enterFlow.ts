import type { PoolClient } from 'pg';
import type { Ledger } from '../../ledger/ledger.ts';
import { RunRefused } from '../runRefused.ts';
import type { RunRow } from '../runRow.ts';
import { cancelLocked } from '../states/cancelRun.ts';
import { admitRuns, lockFlow, type Admission } from './admitRuns.ts';
import type { NewFlow, NewPlace } from './lanes.ts';

/** A new run as its lanes see it. */
interface Entrant {
  id: string;
  key: { workspaceId: string };
  sessionId: string | null;
  startAfterSeconds: number;
  flow: NewFlow;
}

/** What a new run found in its lanes: when it may begin, and since when orders of its debounce have come. */
interface Entry {
  startAfterSeconds: number;
  since: Date | null;
}

/**
 * The beginning of a new run's transaction when the run has places: locks the lanes, refuses a run above a rate that refuses, and cancels
 * the waiting run that this one supersedes. Throws `RunRefused` with `rate_exceeded`.
 */
export async function enterFlow(client: PoolClient, ledger: Ledger, entrant: Entrant): Promise<Entry> {
  const { flow, key, sessionId, startAfterSeconds } = entrant;
  await lockFlow(client, key.workspaceId);
  for (const place of flow.places) if (place.refuses) await refuseExceeded(client, key.workspaceId, place);
  const debounced = flow.places.find(({ kind }) => kind === 'debounce');
  if (!debounced || !flow.sent.debounce) return { startAfterSeconds, since: null };
  // Its lock comes before the account's, which the cancellation takes.
  if (sessionId !== null) await client.query(LOCK_SESSION, [sessionId, key.workspaceId]);
  const { rows } = await client.query<Superseded>(SUPERSEDED, [key.workspaceId, debounced.lane, entrant.id]);
  const [earlier] = rows;
  const { seconds, max_seconds: maxSeconds } = flow.sent.debounce;
  if (!earlier) return { startAfterSeconds: seconds, since: null };
  const { debounced_since: since, waited_seconds: waited, ...run } = earlier;
  await cancelLocked(client, ledger, run, { mode: 'immediate', reason: `superseded by ${entrant.id}` });
  return { startAfterSeconds: Math.max(0, Math.min(seconds, (maxSeconds ?? Infinity) - waited)), since };
}

type Superseded = RunRow & { debounced_since: Date; waited_seconds: number };

const LOCK_SESSION = 'select from sessions where id = $1 and workspace_id = $2 for update';

const SUPERSEDED = `
select r.*, p.since as debounced_since, extract(epoch from ledger_now($1) - p.since)::float as waited_seconds
from flow_places p join runs r on r.id = p.run_id
where p.workspace_id = $1 and p.lane = $2 and p.kind = 'debounce' and p.admitted_at is null and r.waiting and r.settled_at is null and r.id <> $3
for update of r`;

async function refuseExceeded(client: PoolClient, workspaceId: string, place: NewPlace): Promise<void> {
  const { lane, limit, periodSeconds } = place;
  const { rows } = await client.query<{ retryMs: number }>(EXCEEDED, [workspaceId, lane, periodSeconds, limit! - 1]);
  if (rows[0])
    throw new RunRefused({
      reason: 'rate_exceeded',
      limit: limit!,
      periodSeconds: periodSeconds!,
      retryMs: rows[0].retryMs,
    });
}

// The run that must leave the period first.
const EXCEEDED = `
with clock as (select ledger_now($1) + (clock_timestamp() - now()) as at)
select ceil(extract(epoch from p.admitted_at + $3 * interval '1 second' - at) * 1000)::float as "retryMs"
from flow_places p, clock where p.workspace_id = $1 and p.lane = $2 and p.admitted_at > at - $3 * interval '1 second'
order by p.admitted_at desc offset $4 limit 1`;

/** Whether a run with these places waits for its turn, if only for a moment. */
export const hasToWait = ({ places }: NewFlow): boolean => places.some(({ refuses }) => !refuses);

/** Gives a new run, whose row is written, its places, and lets those start whose turn it is: this one, others, or none. */
export async function takePlaces(
  client: PoolClient,
  run: RunRow,
  { flow, since }: { flow: NewFlow; since: Date | null },
): Promise<Admission> {
  const { id, workspace_id: workspaceId, priority } = run;
  await client.query({
    name: 'flow_take',
    text: TAKE,
    values: [workspaceId, id, JSON.stringify(flow.places), priority, since],
  });
  return hasToWait(flow) ? admitRuns(client, { workspaceId, runId: id }) : { admitted: [], nextMs: undefined };
}

const TAKE = `
with clock as (select ledger_now($1) + (clock_timestamp() - now()) as at)
insert into flow_places (run_id, lane, workspace_id, kind, key, run_limit, period_seconds, rule_id, ranked_at, since, admitted_at)
select $2, p.lane, $1, p.kind, p.key, p."limit", p."periodSeconds", p."ruleId", at - $4 * interval '1 second',
  case when p.kind = 'debounce' then coalesce($5::timestamptz, ledger_now($1)) end, case when p.refuses then at end
from clock, json_to_recordset($3::json)
  p(kind text, lane text, key text, "limit" int, "periodSeconds" int, "ruleId" text, refuses boolean)`;
