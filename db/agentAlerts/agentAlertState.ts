import { ENDING_CODE, endedInParts, PUBLISHED_RUN } from '../publishedRuns/endedRuns.ts';
import { summedSql } from '../publishedRuns/agentCells.ts';
import { isTestSql } from '../workspaces/mode.ts';

// Told of in an event.
const CODES_MAX = 5;

const FROM = `(c.now - a.window_minutes * interval '1 minute')`;
const SUMMED = summedSql({ agent: 'a.agent_id', workspace: 'a.workspace_id', from: FROM, to: 'c.now' });

// Runs of callers; in a test workspace, whose agents have no other callers, its own.
const OWN = isTestSql('a.workspace_id');

const ENDED = `
select h.code, h.runs, h.status = 'failed' and h.fault = any (a.faults) as counts from agent_hours h
where h.workspace_id = a.workspace_id and h.agent_id = a.agent_id and h.hour >= s.since and h.hour < s.until
  and h.status <> 'cancelled' and h.is_own = ${OWN}
union all
select ${ENDING_CODE}, 1, r.status = 'failed' and r.fault = any (a.faults)
from (values (${FROM}, least(s.since, c.now)), (s.until, c.now)) p(since, until)
${endedInParts('a.agent_id', 'a.workspace_id')}
where ${PUBLISHED_RUN} and r.status <> 'cancelled' and (r.workspace_id = r.publisher_workspace_id) = ${OWN}`;

/**
 * SQL: each alert with what it watches, now: `runs` that ended within its window (by the workspace's clock), `failures` with the faults that
 * count, `codes` of these with their numbers, and `failing`. Whole hours are read as they were summed, so that a check costs little at any
 * number of runs. An agent has recovered when it is below four fifths of the threshold: figures that move around it cause one event. `where`
 * is a condition on `agent_alerts a`.
 */
export const agentAlertStateSql = (where: string): string => `
select a.*, f.runs, f.failures, f.codes, case when a.kind = 'failures' then f.failures >= a.threshold * l.part
  else f.runs >= a.runs_min and f.failures * 100 >= f.runs * a.threshold * l.part and f.failures > 0 end as failing
from agent_alerts a
cross join lateral (select ledger_now(a.workspace_id) as now) c
cross join lateral (select case when a.is_failing then 0.8 else 1 end as part) l
cross join lateral (${SUMMED}) s
cross join lateral (
  with ended as (${ENDED})
  select coalesce(sum(e.runs), 0)::int as runs, coalesce(sum(e.runs) filter (where e.counts), 0)::int as failures,
    (select coalesce(json_agg(json_build_object('code', t.code, 'runs', t.runs) order by t.runs desc, t.code), '[]') from (
      select x.code, sum(x.runs)::int as runs from ended x where x.counts group by x.code order by 2 desc, 1 limit ${CODES_MAX}) t) as codes
  from ended e) f
where ${where}`;
