import type { ClientBase } from 'pg';
import type { Database } from '../database.ts';
import { HoldRefused } from '../ledger.ts';
import { nanosOfUsd } from '../money.ts';
import { inTransaction } from '../postgres/transaction.ts';
import type { RunRow, RunStatus } from './runRow.ts';

/** What the caller of a run says to what it waits for. */
export type ActionAnswer = { type: 'text'; text: string } | { type: 'raise_limit'; max_cost_usd: number };

/** What an answer came to. Only `answered` has changed anything. */
export type Answered =
  | { outcome: 'not_found' }
  | { outcome: 'not_waiting'; status: RunStatus }
  | { outcome: 'other_type'; type: string }
  | { outcome: 'out_of_range'; minimumNanos: bigint; maximumNanos: bigint }
  | { outcome: 'answered'; run: RunRow };

/**
 * Keeps the answer in the run's row, where its workflow takes it up. A higher limit grows the run's hold first: throws `HoldRefused` when
 * the money is not there.
 */
export function answerAction(
  { pool, ledger }: Pick<Database, 'pool' | 'ledger'>,
  { workspaceId, runId, answer }: { workspaceId: string; runId: string; answer: ActionAnswer },
): Promise<Answered> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<RunRow>({ name: 'runs_lock_own', text: LOCK, values: [runId, workspaceId] });
    const run = rows[0];
    if (!run) return { outcome: 'not_found' };
    const { status, required_action: action } = run;
    if (status !== 'requires_action' || action === null || action.answer) return { outcome: 'not_waiting', status };
    if (action.type !== answer.type) return { outcome: 'other_type', type: action.type };
    if (answer.type === 'text') return keep(client, run, answer, {});
    const limits = {
      minimumNanos: BigInt(run.max_cost_nanos),
      maximumNanos: nanosOfUsd(run.rate_card.maximum_cost_usd),
    };
    const wantedNanos = nanosOfUsd(answer.max_cost_usd);
    const isInRange = wantedNanos >= limits.minimumNanos && wantedNanos <= limits.maximumNanos;
    if (!isInRange || wantedNanos <= BigInt(run.held_nanos)) return { outcome: 'out_of_range', ...limits };
    await extend(client, ledger, run, wantedNanos - BigInt(run.held_nanos));
    return keep(client, run, answer, { maxCostNanos: wantedNanos, heldNanos: wantedNanos });
  });
}

async function extend(client: ClientBase, ledger: Database['ledger'], run: RunRow, moreNanos: bigint): Promise<void> {
  const addedNanos = await ledger.extendRun(client, run.hold_id, moreNanos);
  // Thrown out of the transaction, which takes a part that was added back.
  if (addedNanos < moreNanos) throw new HoldRefused('held', BigInt(run.held_nanos) + moreNanos);
}

async function keep(
  client: ClientBase,
  run: RunRow,
  answer: ActionAnswer,
  { maxCostNanos, heldNanos }: { maxCostNanos?: bigint; heldNanos?: bigint },
): Promise<Answered> {
  const { rows } = await client.query<RunRow>({
    name: 'runs_answer',
    text: KEEP,
    values: [run.id, JSON.stringify(answer), maxCostNanos ?? null, heldNanos ?? null],
  });
  return { outcome: 'answered', run: rows[0]! };
}

const LOCK = 'select * from runs where id = $1 and workspace_id = $2 and deleted_at is null for update';
const KEEP = `
update runs set required_action = required_action || jsonb_build_object('answer', $2::jsonb),
  max_cost_nanos = coalesce($3, max_cost_nanos), held_nanos = coalesce($4, held_nanos)
where id = $1 returning *`;
