import type { ClientBase } from 'pg';
import type { Database } from '../database.ts';
import { nanosOfUsd } from '../money.ts';
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

type Extend = Parameters<Parameters<Database['ledger']['extendRunPatiently']>[1]>[1];

/**
 * Keeps the answer in the run's row, where its workflow takes it up. What the run gave back while it waited is taken again first: with a
 * text all that there is up to the run's limit, with a higher limit all of that. Throws `HoldRefused` when the money is not there: then
 * the run waits on.
 */
export function answerAction(
  ledger: Database['ledger'],
  order: { workspaceId: string; accountId: string; runId: string; answer: ActionAnswer },
): Promise<Answered> {
  const { workspaceId, accountId, runId, answer } = order;
  return ledger.extendRunPatiently(accountId, async (client, extend) => {
    const { rows } = await client.query<RunRow>({ name: 'runs_lock_own', text: LOCK, values: [runId, workspaceId] });
    const run = rows[0];
    if (!run) return { outcome: 'not_found' };
    const { status, required_action: action } = run;
    if (status !== 'requires_action' || action === null || action.answer) return { outcome: 'not_waiting', status };
    if (action.type !== answer.type) return { outcome: 'other_type', type: action.type };
    const maxNanos = BigInt(run.max_cost_nanos);
    if (answer.type === 'text')
      return keep(client, run, { answer, maxNanos, heldNanos: await heldFor(extend, run, maxNanos, 1n) });
    const wantedNanos = nanosOfUsd(answer.max_cost_usd);
    const limits = { minimumNanos: maxNanos, maximumNanos: nanosOfUsd(run.rate_card.maximum_cost_usd) };
    const isInRange = wantedNanos >= limits.minimumNanos && wantedNanos <= limits.maximumNanos;
    // With no more than it had when it stopped, it would stop at once.
    if (!isInRange || wantedNanos <= nanosOfUsd(action.held_usd as number))
      return { outcome: 'out_of_range', ...limits };
    const heldNanos = await heldFor(extend, run, wantedNanos, wantedNanos - BigInt(run.held_nanos));
    return keep(client, run, { answer, maxNanos: wantedNanos, heldNanos });
  });
}

async function heldFor(extend: Extend, run: RunRow, totalNanos: bigint, needNanos: bigint): Promise<bigint> {
  const heldNanos = BigInt(run.held_nanos);
  const { hold_id: holdId, key_id: keyId } = run;
  return (
    heldNanos + (await extend({ holdId, keyId, wantNanos: totalNanos - heldNanos, needNanos, keptNanos: heldNanos }))
  );
}

async function keep(
  client: ClientBase,
  run: RunRow,
  { answer, maxNanos, heldNanos }: { answer: ActionAnswer; maxNanos: bigint; heldNanos: bigint },
): Promise<Answered> {
  const { rows } = await client.query<RunRow>({
    name: 'runs_answer',
    text: KEEP,
    values: [run.id, JSON.stringify(answer), maxNanos, heldNanos],
  });
  return { outcome: 'answered', run: rows[0]! };
}

const LOCK = 'select * from runs where id = $1 and workspace_id = $2 and deleted_at is null for update';
const KEEP = `
update runs set required_action = required_action || jsonb_build_object('answer', $2::jsonb), max_cost_nanos = $3, held_nanos = $4
where id = $1 returning *`;
