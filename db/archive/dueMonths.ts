import type { Rows } from '../postgres/rows.ts';

/** Months that ended so many days ago and whose rows are still in the database, the oldest first. */
export async function listDueMonths(everywhere: Rows<undefined>, afterDays: number): Promise<string[]> {
  const { rows } = await everywhere.statement(({ client }) => client.query<{ month: string }>(DUE, [afterDays]));
  return rows.map(({ month }) => month);
}

const DUE = `
select to_char(m.month, 'YYYY-MM') as month from ledger_months m
where (m.month + interval '1 month') at time zone 'utc' + make_interval(days => $1) < now() and m.state <> 'dropped'
  and exists (select from ledger_months n where n.month > m.month) order by m.month`;

/** How far the archive of a month is. */
export interface ArchivedMonth {
  month: string;
  /** `null`: nothing of it is in the archive. */
  state: 'writing' | 'verifying' | 'archived' | 'dropped' | null;
  error: string | null;
  holder: string | null;
  files: number;
  rows: number;
  bytes: number;
  verifiedAt: Date | null;
  droppedAt: Date | null;
}

/** The months of calls with the state of their archive, the newest first. */
export async function listArchivedMonths(everywhere: Rows<undefined>): Promise<ArchivedMonth[]> {
  const { rows } = await everywhere.statement(({ client }) => client.query<ArchivedMonth>(LIST));
  return rows;
}

const LIST = `
select to_char(coalesce(l.month, m.month), 'YYYY-MM') as month, m.state, m.error, m.holder, count(f.key) filter (where f.rows > 0)::int as files,
  coalesce(sum(f.rows), 0)::float8 as rows, coalesce(sum(f.bytes), 0)::float8 as bytes, m.verified_at as "verifiedAt", m.dropped_at as "droppedAt"
from ledger_months l full join archive_moves m on m.month = l.month left join archive_files f on f.month = m.month
group by coalesce(l.month, m.month), m.month order by coalesce(l.month, m.month) desc`;

/** How many months are in each state of their archive; `failed`: those whose last move failed. */
export async function countArchivedMonths(everywhere: Rows<undefined>): Promise<{ kind: string; count: number }[]> {
  const { rows } = await everywhere.statement(({ client }) => client.query<{ kind: string; count: number }>(COUNT));
  return rows;
}

const COUNT = `
select state as kind, count(*)::int as count from archive_moves group by 1
union all select 'failed', count(*)::int from archive_moves where error is not null`;
