import type { AnyTransaction } from '../postgres/rows.ts';
import { isTestSql } from '../workspaces/mode.ts';
import { ACCOUNTS_WITH_LAST_DAY, readUncovered, writeDay } from './writeDay.ts';

/**
 * Closes the days of test workspaces that have ended by their clocks and are still to come: no entry is added to them, so that the months of
 * these calls can be archived. Each is placed under the root of its day when that comes. Returns their number, at most `CLOSED_MAX`.
 */
export async function closeDays(tx: AnyTransaction, dueMinutes: number): Promise<number> {
  const rows = await readUncovered<EndedDay>(tx, ENDED, [dueMinutes, CLOSED_MAX]);
  let closed = 0;
  for (const { workspaceId, accountId, first, day, next } of rows) {
    const account = { workspaceId, accountId, firstSequence: BigInt(first) };
    if ((await writeDay(tx, account, { day, next, place: null })) !== undefined) closed += 1;
  }
  return closed;
}

const CLOSED_MAX = 100;

type EndedDay = Record<'workspaceId' | 'accountId' | 'first' | 'day' | 'next', string>;

// The first day of each that is not closed. A day that has come belongs to those who sign it. An entry that was on its way while the clock was
// moved and its day was closed belongs to the next one.
const ENDED = `
select a.workspace_id as "workspaceId", a.id as "accountId", coalesce(d.last_sequence, 0) + 1 as first,
  to_char(f.day, 'YYYY-MM-DD') as day, to_char(f.day + 1, 'YYYY-MM-DD') as next
from ${ACCOUNTS_WITH_LAST_DAY}
  cross join lateral (
    select greatest((e.created_at at time zone 'utc')::date, d.day + 1) as day from ledger_entries e
    where e.account_id = a.id and e.sequence = coalesce(d.last_sequence, 0) + 1 limit 1) f
where a.kind = 'customer' and ${isTestSql('a.workspace_id')} and a.entry_count > coalesce(d.last_sequence, 0)
  and f.day > (now() at time zone 'utc')::date
  and ledger_now(a.workspace_id) at time zone 'utc' >= f.day + 1 + $1 * interval '1 minute'
order by a.workspace_id collate "C" limit $2`;
