import type { InferEntity } from '@mikro-orm/core';
import type { ScheduleFiring } from '../entities/schedule.ts';
import type { AnyTransaction } from '../postgres/rows.ts';
import type { ScheduleRow } from './schedules.ts';

type FiringRow = InferEntity<typeof ScheduleFiring>;

/** A firing that is not over: it begins, it waits, or its run is open. */
export type OpenFiring = Pick<FiringRow, 'runId' | 'outcome' | 'scheduledAt' | 'createdAt'>;

/** What a firing that is due does. `replaced`: the open runs that it cancels first. */
export type Turn = { does: 'begin' } | { does: 'skip' } | { does: 'wait'; replaced: string[] };

const BEGIN: Turn = { does: 'begin' };
const SKIP: Turn = { does: 'skip' };

/**
 * Applies a schedule's overlap policy to a firing. Temporal applies it too, to the firings that it starts by itself, but knows nothing of
 * those by hand. `known`: the firing has been recorded.
 */
export function turnOf(
  overlap: ScheduleRow['overlap'],
  { known, scheduledAt, open }: { known: FiringRow | null; scheduledAt: Date; open: OpenFiring[] },
): Turn {
  switch (overlap) {
    case 'allow':
      return BEGIN;
    case 'skip':
      return known || open.length === 0 ? BEGIN : SKIP;
    case 'buffer_one': {
      const ahead = known ? open.filter(({ createdAt }) => createdAt < known.createdAt) : open;
      if (ahead.length === 0) return BEGIN;
      return known || ahead.length === 1 ? { does: 'wait', replaced: [] } : SKIP;
    }
    case 'cancel_other': {
      if (known || open.length === 0) return BEGIN;
      if (open.some((other) => other.scheduledAt > scheduledAt)) return SKIP;
      return { does: 'wait', replaced: open.filter(({ outcome }) => outcome === 'started').map(({ runId }) => runId) };
    }
    default:
      return overlap satisfies never;
  }
}

/** The other open firings of a schedule. */
export async function readOpen(
  { client }: AnyTransaction,
  scheduleId: string,
  workflowId: string,
): Promise<OpenFiring[]> {
  const { rows } = await client.query<OpenFiring & { isRecent: boolean }>(OPEN, [scheduleId, workflowId]);
  const hasRun = rows.some(({ outcome }) => outcome === 'started');
  return rows.filter(({ outcome, isRecent }) => outcome === 'started' || isRecent || hasRun);
}

// Raw: a join with runs. A policy that looks at open firings leaves few of them, and they are the newest. One that has not begun for an hour,
// and waits for no run, has lost its workflow.
const OPEN = `
select f.run_id as "runId", f.outcome, f.scheduled_at as "scheduledAt", f.created_at as "createdAt",
  f.created_at > now() - interval '1 hour' as "isRecent"
from (select * from schedule_firings where schedule_id = $1 order by created_at desc, id desc limit 20) f
left join runs r on r.id = f.run_id
where f.workflow_id <> $2 and (f.outcome is null or f.outcome = 'started' and r.id is not null and r.settled_at is null)`;
