import { usdOf } from '../money.ts';
import type { Rows } from '../postgres/rows.ts';
import { isLiveSql } from '../workspaces/mode.ts';

/** The uncharged cost of a workspace's calls today. */
export interface WrittenOff {
  workspace: string;
  usd: number;
}

/** The workspaces with the largest write-offs of today (UTC), and the sum of all workspaces as `all`. */
export async function readWrittenOff(everywhere: Rows<undefined>): Promise<WrittenOff[]> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<{ workspace: string; nanos: string }>(WRITTEN_OFF),
  );
  return rows.map(({ workspace, nanos }) => ({ workspace, usd: usdOf(BigInt(nanos)) }));
}

// Raw: sums over all workspaces. Only the largest, because each is a series.
const WRITTEN_OFF = `
with today as (
  select workspace_id as workspace, sum(written_off_nanos)::bigint as nanos from requests
  where written_off_nanos > 0 and settled_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'
    and ${isLiveSql('workspace_id')} group by 1)
select 'all' as workspace, coalesce(sum(nanos), 0)::bigint as nanos from today
union all (select workspace, nanos from today order by nanos desc limit 10)`;
