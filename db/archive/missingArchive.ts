import { archiveNotSet, type Archive, type Span, type Wanted } from '../postgres/archive.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { isTestSql } from '../workspaces/mode.ts';
import { dayOf, monthOfId } from './months.ts';

interface Reader {
  client: Queryable;
  workspaceId: string;
}

/**
 * Stands for the archive where none is configured: it has nothing, and refuses what would need rows of months that were dropped. Months of
 * the archive whose rows are still in the database are read there.
 */
export const MISSING_ARCHIVE: Archive = {
  async linesOf(client, { accountId, first, last }) {
    await refuse(client, CARRIED, [accountId, first, last]);
    return new Map();
  },
  hasMonths: async (client) =>
    (await client.query(`select from archive_moves where state = 'dropped' limit 1`)).rowCount! > 0,
  join: ({ client, workspaceId }, wanted) => refuse(client, dropped('asc'), [workspaceId, ...rangeOf(wanted)]),
  async parts({ client, workspaceId }: Reader, within: Span) {
    const { rows } = await client.query<{ month: string; to: Date }>(dropped('desc'), [
      workspaceId,
      ...rangeOf({ within }),
    ]);
    // A page whose rows are all later needs none of it.
    return rows[0] ? [{ from: new Date(0), to: rows[0].to }] : [];
  },
  async workspaceOf(client, id) {
    const month = monthOfId(id);
    if (month) await refuse(client, WHOLE, [dayOf(month)]);
    return undefined;
  },
};

async function refuse(client: Queryable, sql: string, values: unknown[]): Promise<void> {
  const { rows } = await client.query<{ month: string }>(sql, values);
  if (rows[0]) throw archiveNotSet(`the calls of ${rows[0].month} are`);
}

/** The months of the wanted rows, as far as they are known: single ones, or the first and the last. */
function rangeOf(wanted: Wanted): [single: string[] | null, from: Date | undefined, to: Date | undefined] {
  if ('within' in wanted) return [null, wanted.within.from, wanted.within.to];
  if ('bookedAfter' in wanted) return [null, undefined, wanted.bookedAfter];
  const months = wanted.ids.map(monthOfId).filter((month) => month !== undefined);
  return [months.map(dayOf), undefined, undefined];
}

// A workspace has no calls from before its account. A call is billed within days, so it may be of the month before; the clock of a test
// workspace may be ten years ahead.
const dropped = (order: 'asc' | 'desc') => `
select to_char(m.month, 'YYYY-MM') as month,
  (m.month + case when ${isTestSql('$1')} then interval '11 years' else interval '1 month 2 days' end) at time zone 'utc' as to from archive_moves m join archive_files f on f.month = m.month
  join accounts a on a.workspace_id = $1 and (m.month + interval '1 month') at time zone 'utc' > a.created_at
where m.state = 'dropped' and f.dataset = 'requests' and f.first_value <= $1 collate "C" and f.last_value >= $1 collate "C"
  and ($2::date[] is null or m.month = any ($2))
  and ($3::timestamptz is null or ${isTestSql('$1')} or (m.month + interval '1 month 2 days') at time zone 'utc' > $3)
  and ($4::timestamptz is null or m.month at time zone 'utc' < $4) order by m.month ${order} limit 1`;

const CARRIED = `
select to_char(m.month, 'YYYY-MM') as month from archive_moves m join archive_files f on f.month = m.month
  join accounts a on a.id = $1 and (m.month + interval '1 month') at time zone 'utc' > a.created_at and a.entry_count >= $2
where m.state = 'dropped' and f.dataset = 'entries' and f.first_value <= $1 collate "C" and f.last_value >= $1 collate "C"
  and exists (select from bill_days d where d.workspace_id = a.workspace_id and d.first_sequence <= $3 and d.last_sequence >= $2
    and d.day >= m.month - 1) order by m.month limit 1`;

const WHOLE = `
select to_char(month, 'YYYY-MM') as month from archive_moves where state = 'dropped' and month = $1`;
