import { PLAN_WHOLE_TABLES } from '../postgres/planning.ts';
import type { Rows } from '../postgres/rows.ts';
import { isLiveSql } from '../workspaces/mode.ts';
import { REFUSAL_DAYS } from './refusals.ts';

/** A live workspace by its name. */
export interface NamedWorkspace {
  id: string;
  name: string;
}

/** A workspace whose calls fail. */
export interface FailingWorkspace extends NamedWorkspace {
  /** All calls, also those that were refused. */
  calls: number;
  /** Ended with 5xx: the platform's fault, or an upstream's. */
  failed: number;
  /** Ended with 4xx: the caller's. */
  refused: number;
  /** The commonest error code. */
  code: string | null;
}

/** A workspace with little or no credit left. */
export interface LowWorkspace extends NamedWorkspace {
  balanceNanos: bigint;
  /** `overdrawn`: a payment was taken back after it was spent. */
  level: 'overdrawn' | 'depleted' | 'low';
  lastUsedAt: Date | null;
}

/** A workspace whose calls cost more than was held for them. */
export interface WrittenOffWorkspace extends NamedWorkspace {
  calls: number;
  writtenOffNanos: bigint;
}

/** A workspace whose failed runs consumed usage that is not billed. */
export interface AbsorbedWorkspace extends NamedWorkspace {
  runs: number;
  absorbedNanos: bigint;
  /** The error code with most of it. */
  code: string;
}

export interface TroubledWorkspaces {
  failing: FailingWorkspace[];
  low: LowWorkspace[];
  writtenOff: WrittenOffWorkspace[];
  absorbed: AbsorbedWorkspace[];
}

/** How many of each kind. */
export const TROUBLED_MAX = 20;
/** The days of usage that is not billed: write-offs, and what failed runs consumed. */
export const UNBILLED_DAYS = 30;
/** Without a use for so long, an empty balance needs nobody. */
export const USED_DAYS = 30;

/** The live workspaces whose calls failed most in the last hours, whose balances run out, and with the most usage that is not billed. */
export function readTroubledWorkspaces(
  everywhere: Rows<undefined>,
  { hours }: { hours: number },
): Promise<TroubledWorkspaces> {
  return everywhere.transaction(async ({ client }) => {
    await client.query(PLAN_WHOLE_TABLES);
    const failing = await client.query<FailingWorkspace>(FAILING, [hours]);
    const low = await client.query<Omit<LowWorkspace, 'balanceNanos'> & { nanos: string }>(LOW);
    const off = await client.query<Omit<WrittenOffWorkspace, 'writtenOffNanos'> & { nanos: string }>(WRITTEN_OFF);
    const absorbed = await client.query<Omit<AbsorbedWorkspace, 'absorbedNanos'> & { nanos: string }>(ABSORBED);
    return {
      failing: failing.rows,
      low: low.rows.map(({ nanos, ...row }) => ({ ...row, balanceNanos: BigInt(nanos) })),
      writtenOff: off.rows.map(({ nanos, ...row }) => ({ ...row, writtenOffNanos: BigInt(nanos) })),
      absorbed: absorbed.rows.map(({ nanos, ...row }) => ({ ...row, absorbedNanos: BigInt(nanos) })),
    };
  });
}

// Raw: sums over all workspaces. A call in both tables has run; the other row has its code. Refusals are found by their expiry, which has
// the index. Only workspaces with a failure count their calls.
const FAILING = `
with refusals as (
  select id, workspace_id, status, code, calls from refused_calls
  where expires_at > now() + interval '${REFUSAL_DAYS} days' - $1 * interval '1 hour' and ${isLiveSql('workspace_id')}),
ended as (
  select id, workspace_id, status, cancelled from requests
  where settled_at > now() - $1 * interval '1 hour' and ${isLiveSql('workspace_id')}),
faults as (
  select e.workspace_id, e.status, r.code, 1 as calls from ended e left join refusals r on r.id = e.id where e.status >= 400 and not e.cancelled
  union all
  select r.workspace_id, r.status, r.code, r.calls from refusals r where not exists (select from ended e where e.id = r.id)),
codes as (
  select workspace_id, code, sum(calls) filter (where status >= 500) as failed, sum(calls) filter (where status < 500) as refused
  from faults group by 1, 2),
worst as (
  select workspace_id, coalesce(sum(failed), 0)::int as failed, coalesce(sum(refused), 0)::int as refused,
    (array_agg(code order by coalesce(failed, 0) desc, refused desc) filter (where code is not null))[1] as code
  from codes group by 1 order by 2 desc, 3 desc, 1 limit ${TROUBLED_MAX})
select w.id, w.name, t.failed, t.refused, t.code,
  (t.failed + t.refused + (select count(*) from ended e where e.workspace_id = t.workspace_id and (e.status < 400 or e.cancelled)))::int as calls
from worst t join workspaces w on w.id = t.workspace_id order by t.failed desc, t.refused desc, w.id`;

// The level is that of the notices to the workspace.
const LOW = `
select w.id, w.name, a.posted_nanos::text as nanos, u.used as "lastUsedAt",
  case when a.posted_nanos < 0 then 'overdrawn' else n.level end as level
from accounts a join workspaces w on w.id = a.workspace_id left join balance_notices n on n.workspace_id = a.workspace_id
  left join lateral (select max(k.last_used_at) as used from api_keys k where k.workspace_id = w.id) u on true
where a.kind = 'customer' and ${isLiveSql('a.workspace_id')} and (a.posted_nanos < 0 or n.workspace_id is not null)
  and (a.posted_nanos < 0 or u.used > now() - interval '${USED_DAYS} days')
order by a.posted_nanos, w.id limit ${TROUBLED_MAX}`;

const WRITTEN_OFF = `
select w.id, w.name, o.calls, o.nanos::text as nanos
from (select workspace_id, count(*)::int as calls, sum(written_off_nanos)::bigint as nanos from requests
  where written_off_nanos > 0 and settled_at > now() - interval '${UNBILLED_DAYS} days' and ${isLiveSql('workspace_id')} group by 1) o
  join workspaces w on w.id = o.workspace_id order by o.nanos desc, w.id limit ${TROUBLED_MAX}`;

const ABSORBED = `
with codes as (
  select workspace_id, status_reason as code, count(*) as runs, sum(absorbed_nanos) as nanos from runs
  where absorbed_nanos > 0 and settled_at > now() - interval '${UNBILLED_DAYS} days' and ${isLiveSql('workspace_id')} group by 1, 2),
worst as (
  select workspace_id, sum(runs)::int as runs, sum(nanos)::bigint as nanos, (array_agg(code order by nanos desc, code))[1] as code
  from codes group by 1)
select w.id, w.name, o.runs, o.nanos::text as nanos, o.code
from worst o join workspaces w on w.id = o.workspace_id order by o.nanos desc, w.id limit ${TROUBLED_MAX}`;
