import type { Transaction } from '../postgres/rows.ts';
import { isTestWorkspace } from '../workspaces/mode.ts';
import { timeNameSql, timeSlotSql } from './callGroups.ts';
import { OPEN_MINUTES } from './completedHours.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const KEPT_MS = 300_000;

/** Spending by the name of its day (UTC), in nano-USD; days without any are left out. */
export type SpendByDay = ReadonlyMap<string, bigint>;

export type SpendDays = ReturnType<typeof createSpendDays>;

/**
 * Reads what workspaces spent on each day, as usage reports have it. Days that are over are remembered for some minutes, because a page
 * reads them every few seconds and the ledger enters nothing at an earlier time. `nowMs` is the clock of these minutes.
 */
export function createSpendDays({ nowMs = () => performance.now() }: { nowMs?: () => number } = {}) {
  const byWorkspace = new Map<string, Remembered>();

  /** The spending from a day on, until `now` and the next hour. */
  async function read(tx: Transaction, { from, now }: { from: Date; now: Date }): Promise<SpendByDay> {
    const remembered = rememberedOf(tx.workspaceId, from);
    const since = remembered?.until ?? from;
    const found = await readDays(tx, { from: since, to: new Date(now.getTime() + HOUR_MS) });
    const days = new Map([...(remembered?.days ?? []), ...found]);
    if (!remembered) remember(tx.workspaceId, from, now, days);
    return days;
  }

  function rememberedOf(workspaceId: string, from: Date): Remembered | undefined {
    const remembered = byWorkspace.get(workspaceId);
    return remembered && remembered.expiresMs > nowMs() && remembered.from.getTime() === from.getTime()
      ? remembered
      : undefined;
  }

  function remember(workspaceId: string, from: Date, now: Date, days: SpendByDay): void {
    for (const [id, { expiresMs }] of byWorkspace) if (expiresMs <= nowMs()) byWorkspace.delete(id);
    // A transaction in progress may enter something at a time before midnight.
    const until = new Date(Math.floor((now.getTime() - OPEN_MINUTES * 60_000) / DAY_MS) * DAY_MS);
    const over = new Map([...days].filter(([day]) => Date.parse(day) < until.getTime()));
    // The clock of a test workspace may be moved by days within such a transaction.
    if (!isTestWorkspace(workspaceId))
      byWorkspace.set(workspaceId, { from, until, days: over, expiresMs: nowMs() + KEPT_MS });
  }

  return { read };
}

interface Remembered {
  from: Date;
  /** The first day that is not remembered. */
  until: Date;
  days: SpendByDay;
  expiresMs: number;
}

async function readDays({ client, workspaceId }: Transaction, { from, to }: { from: Date; to: Date }) {
  const { rows } = await client.query<{ day: string; nanos: string }>(DAYS, [workspaceId, from, to]);
  return new Map(rows.map(({ day, nanos }) => [day, BigInt(nanos)]));
}

const dayOf = (time: string) => timeSlotSql('day', time);

// Raw: sums of four tables. The hours that are summed, later calls themselves with what changed their bills since, and runs.
const DAYS = `
with summed as (select greatest($2, least($3, coalesce((select u.summed_until from usage_rollups u where u.workspace_id = $1), $2))) as until),
changes as (
  select q.settled_at, e.created_at, e.amount_nanos from ledger_legs e join requests q on q.id = e.subject
  where e.workspace_id = $1 and e.kind in ('refund', 'correction') and e.created_at >= (select until from summed)),
spent as (
  select ${dayOf('h.hour')} as day, sum(h.cost_nanos) as nanos from usage_hours h
  where h.workspace_id = $1 and h.hour >= $2 and h.hour < (select until from summed) group by 1
  union all
  select ${dayOf('q.settled_at')}, sum(q.cost_nanos) from requests q
  where q.workspace_id = $1 and q.settled_at >= (select until from summed) and q.settled_at < $3 group by 1
  union all
  select ${dayOf('c.settled_at')}, c.amount_nanos from changes c
  where c.settled_at >= (select until from summed) and c.settled_at < $3
  union all
  select ${dayOf('c.created_at')}, -c.amount_nanos from changes c where c.created_at < $3
  union all
  select ${dayOf('r.settled_at')}, sum(r.total_nanos) from runs r
  where r.workspace_id = $1 and r.settled_at >= $2 and r.settled_at < $3 group by 1)
select ${timeNameSql('day', 's.day')} as day, sum(s.nanos)::bigint::text as nanos from spent s group by s.day having sum(s.nanos) <> 0`;
