import { usdOf } from '../money.ts';
import type { Rows } from '../postgres/rows.ts';
import { isLiveSql } from '../workspaces/mode.ts';

/** The usage of a workspace today that is not billed. */
export interface Unpaid {
  workspace: string;
  usd: number;
}

/** The workspaces with the largest write-offs of calls today (UTC), and the sum of all workspaces as `all`. */
export const readWrittenOff = (everywhere: Rows<undefined>): Promise<Unpaid[]> =>
  readToday(everywhere, { table: 'requests', column: 'written_off_nanos' });

/** The workspaces whose failed runs of today (UTC) consumed most, and the sum of all workspaces as `all`. */
export const readAbsorbed = (everywhere: Rows<undefined>): Promise<Unpaid[]> =>
  readToday(everywhere, { table: 'runs', column: 'absorbed_nanos' });

type Source = { table: 'requests'; column: 'written_off_nanos' } | { table: 'runs'; column: 'absorbed_nanos' };

async function readToday(everywhere: Rows<undefined>, source: Source): Promise<Unpaid[]> {
  const { rows } = await everywhere.statement(({ client }) =>
    client.query<{ workspace: string; nanos: string }>(todaySql(source)),
  );
  return rows.map(({ workspace, nanos }) => ({ workspace, usd: usdOf(BigInt(nanos)) }));
}

// Raw: sums over all workspaces. Only the largest, because each is a series. Both tables have an index of the few such rows.
const todaySql = ({ table, column }: Source): string => `
with today as (
  select workspace_id as workspace, sum(${column})::bigint as nanos from ${table}
  where ${column} > 0 and settled_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'
    and ${isLiveSql('workspace_id')} group by 1)
select 'all' as workspace, coalesce(sum(nanos), 0)::bigint as nanos from today
union all (select workspace, nanos from today order by nanos desc limit 10)`;
