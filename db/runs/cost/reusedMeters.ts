import type { ClientBase } from 'pg';
import type { RunRow } from '../runRow.ts';
import { worthNanosOf, type ThousandthsByMeter } from './runCost.ts';

type Rerun = Pick<RunRow, 'id' | 'rate_card' | 'reuses_unbilled'>;

interface Sum {
  meter: string;
  quantity: string;
}

/** The usage of a run's steps before one of them. */
export async function metersBefore(
  client: ClientBase,
  { runId, fromStep }: { runId: string; fromStep: number },
): Promise<ThousandthsByMeter> {
  const { rows } = await client.query<Sum>(BEFORE, [runId, fromStep]);
  return metersOf(rows);
}

/**
 * Makes an unbilled run's usage in the reused steps the usage of its rerun; idempotent. Returns the sums; nothing if the steps were
 * billed.
 */
export async function takeOverMeters(client: ClientBase, run: Rerun): Promise<ThousandthsByMeter> {
  if (!run.reuses_unbilled) return {};
  const { rows } = await client.query<Sum>(TAKE_OVER, [run.id]);
  return metersOf(rows);
}

/** The value of the usage taken over: the repeated run has absorbed it. */
export async function takenOverNanos(client: ClientBase, run: Rerun): Promise<bigint> {
  if (!run.reuses_unbilled) return 0n;
  const { rows } = await client.query<Sum>(TAKEN_OVER, [run.id]);
  return worthNanosOf({ rate_card: run.rate_card, meters: metersOf(rows) });
}

const metersOf = (rows: Sum[]): ThousandthsByMeter =>
  Object.fromEntries(rows.map(({ meter, quantity }) => [meter, Number(quantity)]));

const BEFORE = `
select meter, sum(quantity_thousandths) as quantity from run_meters where run_id = $1 and step < $2
group by meter having sum(quantity_thousandths) > 0`;

const TAKE_OVER = `
with taken as (
  insert into run_meters (run_id, step, meter, workspace_id, quantity_thousandths)
  select r.id, m.step, m.meter, r.workspace_id, m.quantity_thousandths
  from runs r join run_meters m on m.run_id = r.rerun_of and m.step < r.rerun_from_step where r.id = $1 and m.quantity_thousandths > 0
  on conflict (run_id, step, meter) do update set quantity_thousandths = excluded.quantity_thousandths
  returning meter, quantity_thousandths)
select meter, sum(quantity_thousandths) as quantity from taken group by meter`;

const TAKEN_OVER = `
select m.meter, sum(m.quantity_thousandths) as quantity from runs r join run_meters m on m.run_id = r.id and m.step < r.rerun_from_step
where r.id = $1 group by m.meter`;
