import type { Rows } from '../postgres/rows.ts';

/** A process that spends: it renews its lease each second. */
export interface LiveProcess {
  id: string;
  role: 'api' | 'worker' | null;
  startedAt: Date;
  renewedAt: Date | null;
}

const PROCESSES_MAX = 100;

/** The processes whose lease has not expired, the oldest first. */
export async function readLiveProcesses(everywhere: Rows<undefined>): Promise<LiveProcess[]> {
  const { rows } = await everywhere.statement(({ client }) => client.query<LiveProcess>(LIVE));
  return rows;
}

// The one with an endless lease owns the holds of runs and is no process.
const LIVE = `
select id, role, started_at as "startedAt", renewed_at as "renewedAt" from processes
where lease_until > now() and lease_until < 'infinity' and reaped_at is null order by started_at, id limit ${PROCESSES_MAX}`;
