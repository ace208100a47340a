import type { ClientBase } from 'pg';
import { usdOf } from '../../money.ts';
import { outputWith, type AddedOutput } from '../cutText.ts';
import { addingEvents, headsOf, type EventHead, type NewEvent } from '../../events/appendEvents.ts';
import { noticed, queryNoticed } from '../../events/runNotices.ts';
import { spentNanosOf, type LockedRun } from '../runRow.ts';
import { runObject } from '../runObject.ts';
import { costOf, type ThousandthsByMeter } from '../cost/runCost.ts';

// A run emits one warning when it has used this share of its limit: four fifths.
const WARNING_NUMERATOR = 4n;
const WARNING_DENOMINATOR = 5n;

/** Sets a step's usage so far. The latest value replaces earlier ones, so a retried step is counted once. */
export async function meterStep(
  client: ClientBase,
  run: { id: string; step: number },
  quantities: ThousandthsByMeter,
): Promise<void> {
  const entries = Object.entries(quantities);
  if (entries.length === 0) return;
  await client.query({
    name: 'run_meters_set',
    text: SET,
    values: [run.id, run.step, entries.map(([meter]) => meter), entries.map(([, quantity]) => quantity)],
  });
}

/**
 * Updates a run's row in place with its steps' usage and cost, and with what an ended run that it started has cost. Returns the resulting
 * events.
 */
export function sumUp(run: LockedRun, meters: ThousandthsByMeter, moreOfChildrenNanos = 0n): NewEvent[] {
  const before = spentNanosOf(run);
  run.meters = meters;
  const { subtotalNanos, networkFeeNanos, totalNanos } = costOf(run);
  Object.assign(run, {
    subtotal_nanos: `${subtotalNanos}`,
    network_fee_nanos: `${networkFeeNanos}`,
    total_nanos: `${totalNanos}`,
    children_nanos: `${BigInt(run.children_nanos) + moreOfChildrenNanos}`,
  });
  return [usageUpdated(run), ...warningFor(run, before)];
}

/** Stores the sums of the run's own usage that `sumUp` wrote into the row, which the caller has locked, and the new output. */
export async function writeSums(client: ClientBase, run: LockedRun, added: AddedOutput): Promise<void> {
  await client.query({ name: 'runs_meter', text: `${WRITE} where id = $1`, values: sumsOf(run, added) });
}

/** The same with events, in one statement. Returns their heads. */
export async function writeSumsAndEvents(
  client: ClientBase,
  run: LockedRun,
  { added, events }: { added: AddedOutput; events: NewEvent[] },
): Promise<EventHead[]> {
  const values = [...sumsOf(run, added), JSON.stringify(events)];
  const noticeOf = ({ sequence }: { sequence: number }) => ({ runId: run.id, sequence });
  const [written] = await queryNoticed(client, WRITE_EVENTS, values, noticeOf);
  return headsOf(events, { sequence: written!.sequence, at: run.at });
}

function sumsOf({ id, meters, subtotal_nanos, network_fee_nanos, total_nanos }: LockedRun, added: AddedOutput) {
  const sums = [JSON.stringify(meters), subtotal_nanos, network_fee_nanos, total_nanos];
  return [id, ...sums, JSON.stringify(added.items), added.replaced];
}

function usageUpdated(run: LockedRun): NewEvent {
  const { usage, held_usd } = runObject(run);
  const { meters, total_usd, children_usd } = usage;
  return { type: 'run.usage.updated', data: { meters, total_usd, children_usd, held_usd } };
}

/** The warning that is due when the cost of a run and of those it started has grown from `beforeNanos` to its row's value. */
function warningFor(run: LockedRun, beforeNanos: bigint): NewEvent[] {
  const maxNanos = BigInt(run.max_cost_nanos);
  const isPast = (nanos: bigint) => nanos * WARNING_DENOMINATOR >= maxNanos * WARNING_NUMERATOR;
  const totalNanos = spentNanosOf(run);
  if (isPast(beforeNanos) || !isPast(totalNanos)) return [];
  const data = { total_usd: usdOf(totalNanos), max_cost_usd: usdOf(maxNanos), share: 0.8 };
  return [{ type: 'run.budget.warning', data }];
}

const SET = `
insert into run_meters as m (run_id, step, meter, workspace_id, quantity_thousandths)
select r.id, $2, q.meter, r.workspace_id, q.quantity from runs r, unnest($3::text[], $4::bigint[]) q(meter, quantity) where r.id = $1
on conflict (run_id, step, meter) do update set quantity_thousandths = excluded.quantity_thousandths`;

const WRITE = `
update runs set meters = $2, subtotal_nanos = $3, network_fee_nanos = $4, total_nanos = $5, output = ${outputWith('$6', '$7')}`;

const WRITE_EVENTS = noticed(
  'runs_meter_events',
  (notice) => `
with run as (${WRITE}, last_sequence = last_sequence + json_array_length($8) where id = $1 returning id, workspace_id, last_sequence),
${addingEvents('$8')}
select last_sequence as sequence, ${notice} from run`,
);
