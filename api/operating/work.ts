import type { z } from 'zod';
import { readLiveProcesses } from '../../db/accounting/liveProcesses.ts';
import { readWorkload, type Workload } from '../../db/accounting/workload.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import type { Work } from './platformAnswers.ts';

type Answer = z.infer<typeof Work>;
type Figures = Workload['backlog'][number];

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** From which age of the oldest on a queue is slow, and stuck. */
const AGES: Record<string, { slow: number; stuck: number }> = {
  settlements: { slow: 5, stuck: MINUTE },
  refused_settlements: { slow: 0, stuck: MINUTE },
  webhooks: { slow: MINUTE, stuck: 10 * MINUTE },
  mails: { slow: 10 * MINUTE, stuck: 2 * HOUR },
  lost_mails: { slow: 0, stuck: 0 },
  batches: { slow: 12 * HOUR, stuck: 24 * HOUR },
  schedules: { slow: MINUTE, stuck: 10 * MINUTE },
  reviews: { slow: 24 * HOUR, stuck: 72 * HOUR },
  overdue_runs: { slow: 0, stuck: 5 * MINUTE },
  dead_processes: { slow: MINUTE, stuck: 5 * MINUTE },
  queued: { slow: MINUTE, stuck: 10 * MINUTE },
  in_progress: { slow: 2 * HOUR, stuck: 12 * HOUR },
  cancelling: { slow: MINUTE, stuck: 10 * MINUTE },
};

/** `GET /console/v1/platform/work`: what waits, and which processes live. */
export function retrieveWork({ db }: Services): Handler {
  return async (ctx) => {
    const [{ runs, backlog, holds }, processes] = await Promise.all([
      readWorkload(db.everywhere),
      readLiveProcesses(db.everywhere),
    ]);
    ctx.body = {
      object: 'work',
      runs: runs.map(presentQueue),
      queues: backlog.map(presentQueue),
      held: holds.map(({ kind, count, usd }) => ({ kind, count, held_usd: usd })),
      processes: processes.map(({ id, role, startedAt, renewedAt }) => ({
        id,
        role,
        started_at: startedAt.toISOString(),
        renewed_at: renewedAt?.toISOString() ?? null,
      })),
    } satisfies Answer;
  };
}

const presentQueue = ({ kind, count, ageSeconds }: Figures): Answer['queues'][number] => ({
  kind,
  count,
  oldest_seconds: count === 0 ? null : ageSeconds,
  health: healthOf(kind, count, ageSeconds),
});

/** Runs that wait for a person or a caller have no such age. */
function healthOf(kind: string, count: number, ageSeconds: number): Answer['queues'][number]['health'] {
  const ages = AGES[kind];
  if (count === 0 || !ages || ageSeconds < ages.slow) return 'good';
  return ageSeconds < ages.stuck ? 'slow' : 'stuck';
}
