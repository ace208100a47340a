import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Queryable } from '../postgres/queryable.ts';

/** How many rows were deleted. */
export interface Pruned {
  calls: number;
  holds: number;
  processes: number;
}

/**
 * Deletes what bills nothing and ended this many days ago: failed and free calls whose hours are summed, holds of calls, and processes.
 * What has an entry in the ledger stays, as do the holds of runs; the database refuses to delete them.
 */
export async function pruneUnbilled(client: Queryable, days: number): Promise<Pruned> {
  const before = `now() - interval '${days} days'`;
  return {
    calls: await deleteInPortions(client, 'requests', `${UNBILLED} and settled_at < ${before}`, { key: 'id' }),
    holds: await deleteInPortions(client, 'holds', `kind <> 'run' and ended_at < ${before}`),
    processes: await deleteInPortions(client, 'processes', `reaped_at < ${before} and ${WITHOUT_REST}`),
  };
}

// Refunded calls have entries, so they stay. So do those of sealed months, which leave with their month.
const UNBILLED = `
not exists (select from ledger_months m where m.state <> 'open' and m.first_id <= requests.id
  and not exists (select from ledger_months n where n.first_id > m.first_id and n.first_id <= requests.id))
and cost_nanos = 0 and written_off_nanos = 0 and not provisional and sequence is null
and exists (select from usage_rollups u where u.workspace_id = requests.workspace_id and u.summed_until > requests.settled_at)
and not exists (select from ledger_legs e where e.subject = requests.id and e.kind in ('debit', 'correction', 'write_off correction'))`;

const WITHOUT_REST = ['request_progress', 'settlement_batches', "(select process_id from holds where state = 'open')"]
  .map((rest) => `not exists (select from ${rest} r where r.process_id = processes.id)`)
  .join(' and ');
