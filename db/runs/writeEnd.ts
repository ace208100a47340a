import type { ClientBase } from 'pg';
import { addingEvents, NOTIFYING, type NewEvent } from './events/appendEvents.ts';
import type { LockedRun } from './lockRun.ts';
import type { CostLine } from './cost/runCost.ts';

/**
 * Writes the end of a run in one statement: its row, the lines of its bill, and its last events. `output` is what is new of its output. Tells
 * whether another run waits for the session, which the caller has locked.
 */
export async function writeEnd(
  client: ClientBase,
  ended: LockedRun,
  { lines, output, events }: { lines: CostLine[]; output: object[]; events: NewEvent[] },
): Promise<{ waiting: boolean }> {
  const values = [
    ended.id,
    ended.status,
    ended.status_reason,
    jsonOf(ended.limit),
    jsonOf(ended.error),
    ended.fault,
    jsonOf(ended.meters),
    ended.subtotal_nanos,
    ended.network_fee_nanos,
    ended.total_nanos,
    ended.absorbed_nanos,
    jsonOf(output),
    jsonOf(lines.map(usageRowOf)),
    jsonOf(events),
    ended.platform_cost_nanos,
    ended.subsidy_nanos,
  ];
  const { rows } = await client.query<{ waiting: boolean }>({ name: 'runs_end', text: END, values });
  return rows[0]!;
}

const jsonOf = (value: object | null) => (value === null ? null : JSON.stringify(value));

function usageRowOf({ meter, unit, quantityThousandths, costNanos }: CostLine) {
  return { meter, unit, quantity: Number(quantityThousandths), cost: Number(costNanos) };
}

const END = `
with run as (
  update runs set status = $2, status_reason = $3, "limit" = $4, error = $5, fault = $6, meters = $7, subtotal_nanos = $8,
    network_fee_nanos = $9, total_nanos = $10, platform_cost_nanos = $15, subsidy_nanos = $16, absorbed_nanos = $11, output = output || $12::jsonb, required_action = null, waiting = false,
    completed_at = now(), settled_at = now(), last_sequence = last_sequence + json_array_length($14)
  where id = $1 returning id, workspace_id, session_id, last_sequence),
billed as (
  insert into run_usage (run_id, meter, workspace_id, unit, quantity_thousandths, cost_nanos, settled_at)
  select run.id, u.meter, run.workspace_id, u.unit, u.quantity, u.cost, now()
  from run, json_to_recordset($13::json) u(meter text, unit text, quantity bigint, cost bigint)),
${addingEvents('$14')}
select ${NOTIFYING},
  exists (select from runs w where w.session_id = run.session_id and w.id <> run.id and w.waiting and w.settled_at is null) as waiting
from run`;
