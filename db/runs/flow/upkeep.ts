import type { Rows } from '../../postgres/rows.ts';

type Everywhere = Rows<undefined>;

/** The workspaces with runs that wait for their turn: the sweep takes those that were not taken. */
export const readWaitingWorkspaces = async (everywhere: Everywhere): Promise<{ id: string }[]> =>
  (await everywhere.statement(({ client }) => client.query<{ id: string }>(WAITING))).rows;

// In no order, so that each workspace has its turn, however many wait.
const WAITING = `
select id from (select distinct workspace_id as id from flow_places where admitted_at is null) w order by random() limit 500`;

// A statement of this size stays well within its time limit.
const PORTION_ROWS = 5_000;

/** Deletes the places of ended runs, and those of rates whose period is over, in portions. Returns their number. */
export async function prunePlaces(everywhere: Everywhere, portionRows = PORTION_ROWS): Promise<number> {
  for (let pruned = 0; ;) {
    const { rowCount } = await everywhere.statement(({ client }) => client.query(PRUNE, [portionRows]));
    pruned += rowCount!;
    if (rowCount! < portionRows) return pruned;
  }
}

// Orders and turns delete such places too, in another order: those that they hold are theirs.
const PRUNE = `
delete from flow_places where (run_id, lane) in (
  select p.run_id, p.lane from flow_places p join runs r on r.id = p.run_id
  where r.settled_at is not null
    and (p.kind <> 'rate' or p.admitted_at is null or p.admitted_at < ledger_now(p.workspace_id) - p.period_seconds * interval '1 second')
  limit $1 for update of p skip locked)`;
