import { ANSWER_LIMIT_MS } from '../../base/limits.ts';
import { usdOf } from '../money.ts';
import type { Rows } from '../postgres/rows.ts';
import { isLiveSql } from '../workspaces/mode.ts';

/** The number of items of one kind, and since when. */
interface Figures {
  kind: string;
  count: number;
  usd: number;
  ageSeconds: number;
}

/** The platform's holdings and pending work, for operators. */
export interface Workload {
  balances: Figures[];
  holds: Figures[];
  runs: Figures[];
  backlog: Figures[];
}

/** Reads them in one statement. */
export async function readWorkload(everywhere: Rows<undefined>): Promise<Workload> {
  const { rows } = await everywhere.statement(({ client }) => client.query<WorkloadRow>(WORKLOAD));
  const workload: Workload = { balances: [], holds: [], runs: [], backlog: [] };
  for (const { part, kind, count, nanos, ageSeconds } of rows)
    workload[part].push({ kind, count, usd: usdOf(BigInt(nanos)), ageSeconds: Math.max(0, ageSeconds ?? 0) });
  return workload;
}

interface WorkloadRow {
  part: keyof Workload;
  kind: string;
  count: number;
  nanos: string;
  ageSeconds: number | null;
}

const AGE = (column: string) => `extract(epoch from now() - min(${column}))::float`;

const TIME_OF_RUN = `make_interval(secs => case r.status when 'requires_action' then ${ANSWER_LIMIT_MS / 1000} else r.timeout_seconds end)`;
// Its last step is stopped at the limit, and then it is settled.
const GRACE = `interval '15 minutes'`;

// Test money is none.
const LIVE = isLiveSql('workspace_id');

/**
 * When each running or waiting run of live money must have ended: a run works for its time limit, and waits for its caller for as long as
 * an answer may take. Waits extend its time and are events, so its last event is a start that is never too early. Only a run that is older
 * than its time limit has its last event read.
 */
const DUE_RUNS = `
select coalesce(last.created_at, r.started_at) + ${TIME_OF_RUN} + ${GRACE} as due_at from runs r
  left join lateral (select created_at from run_events e where e.run_id = r.id and e.sequence = r.last_sequence) last on true
  where r.settled_at is null and r.status <> 'queued' and r.started_at + ${TIME_OF_RUN} + ${GRACE} < now()
    and ${isLiveSql('r.workspace_id')}`;

// Raw: sums over all workspaces. A kind of hold has figures even without an open hold: an absent series looks like a failed scrape.
const WORKLOAD = `
select 'balances' as part, 'posted' as kind, count(*)::int, coalesce(sum(posted_nanos), 0)::bigint as nanos, null::float as "ageSeconds"
  from accounts where kind = 'customer' and ${LIVE}
union all select 'balances', 'overdrawn', count(*)::int, coalesce(sum(posted_nanos), 0)::bigint, null
  from accounts where kind = 'customer' and ${LIVE} and posted_nanos < -reversed_nanos
union all select 'holds', kind, count(id)::int, coalesce(sum(amount_nanos), 0)::bigint, ${AGE('created_at')}
  from unnest(array['request', 'run', 'slice']) kinds(kind)
  left join (select * from holds where state = 'open' and ${LIVE}) open using (kind) group by kind
union all select 'runs', status, count(*)::int, 0, ${AGE('created_at')} from runs where settled_at is null group by status
union all select 'backlog', 'batches', count(*)::int, 0, ${AGE('created_at')} from batches where ended_at is null
union all select 'backlog', 'settlements', count(*)::int, 0, ${AGE('written_at')} from settlement_batches
union all select 'backlog', 'refused_settlements', count(*)::int, 0, ${AGE('written_at')} from settlement_batches where refusal is not null
union all select 'backlog', 'webhooks', count(*)::int, 0, ${AGE('due_at')} from webhook_deliveries where due_at is not null
union all select 'backlog', 'mails', count(*)::int, 0, ${AGE('created_at')} from event_mails where due_at < 'infinity'
union all select 'backlog', 'lost_mails', count(*)::int, 0, ${AGE('created_at')}
  from event_mails where due_at = 'infinity' and created_at > now() - interval '7 days'
union all select 'backlog', 'schedules', count(*)::int, 0, ${AGE('updated_at')} from schedules where synced_revision <> revision
union all select 'backlog', 'reviews', count(*)::int, 0, ${AGE('created_at')} from deployments where status = 'in_review' and ${LIVE}
union all select 'backlog', 'overdue_runs', count(*)::int, 0, ${AGE('due_at')} from (${DUE_RUNS}) due where due_at < now()
union all select 'backlog', 'dead_processes', count(*)::int, 0, ${AGE('lease_until')} from processes where lease_until < now() and reaped_at is null`;
