import type { Bound } from '../postgres/rows.ts';

/**
 * The sequence of the first entry of a day or later: by the signed days, which were cut there, and after the last of them by the entries.
 * Entries of archived months are not visible, but all of them are signed.
 */
export async function boundaryOf(
  { client }: Pick<Bound, 'client'>,
  { workspaceId, accountId }: { workspaceId: string; accountId: string },
  day: string,
): Promise<string> {
  const { rows } = await client.query<{ first: string; is_signed: boolean }>(SIGNED, [workspaceId, day]);
  const { first, is_signed: isSigned } = rows[0]!;
  return isSigned ? first : findBoundary({ client }, { accountId, first: BigInt(first) }, day);
}

const SIGNED = `
select coalesce((select last_sequence from bill_days where workspace_id = $1 and day < $2::date order by day desc limit 1), 0) + 1 as first,
  exists (select from bill_days where workspace_id = $1 and day >= $2::date) as is_signed`;

/**
 * The sequence of the first entry of a day or later, from `first` on, found by bisection: entries are numbered in time order. Bisection always
 * visits the same entries, so a month closes exactly where the next one opens; entries after the last day are never read.
 */
export async function findBoundary(
  { client }: Pick<Bound, 'client'>,
  { accountId, first }: { accountId: string; first: bigint },
  day: string,
): Promise<string> {
  const { rows } = await client.query<{ low: string }>({
    name: 'entries_boundary',
    text: BOUNDARY,
    values: [accountId, day, first],
  });
  return rows[0]!.low;
}

const BOUNDARY = `
with recursive halves(low, high) as (
  select $3::bigint, (1::bigint << 40)
  union all
  select case when e.is_before then h.middle + 1 else h.low end, case when e.is_before then h.high else h.middle end
  from (select low, high, (low + high) / 2 as middle from halves where low < high) h,
    lateral (select exists (select from ledger_entries l where l.account_id = $1 and l.sequence = h.middle
      and h.middle <= (select max(m.sequence) from ledger_entries m where m.account_id = $1)
      and l.created_at < $2::timestamp at time zone 'utc') as is_before) e)
select low from halves where low = high`;
