import type { Database } from '../../db/database.ts';
import type { FinalStatus } from '../../db/entities/runStates.ts';
import { newId } from '../../db/ids.ts';
import type { Spender } from '../../db/ledger/ledger.ts';
import type { Queryable } from '../../db/postgres/queryable.ts';
import { appendEvents, type NewEvent } from '../../db/events/appendEvents.ts';
import { beginStep, type StepBeginning } from '../../db/runs/steps/beginStep.ts';
import { inTransaction } from '../../db/postgres/transaction.ts';

type RunDatabase = Pick<Database, 'pool' | 'ledger'>;

/** A run's row with its hold, without a workflow: the test drives it. */
export async function makeRun(
  db: RunDatabase,
  spender: Spender,
  { maxCostNanos = 1_000n, publisherWorkspaceId = spender.workspaceId } = {},
): Promise<{ id: string; holdId: string }> {
  const id = newId('run');
  const holdId = id.replace('run_', 'hold_');
  await db.ledger.holdRunPatiently(spender.accountId, async (client, hold) => {
    const heldNanos = await hold({ holdId, keyId: spender.keyId, wantNanos: maxCostNanos, needNanos: 1n });
    await insertRun(client, spender, { id, holdId, heldNanos, maxCostNanos, publisherWorkspaceId });
  });
  return { id, holdId };
}

/** Only the row, within the transaction that placed the hold. */
export async function insertRun(
  client: Queryable,
  { workspaceId, keyId, accountId }: Spender,
  run: { id: string; holdId: string; heldNanos: bigint; maxCostNanos: bigint; publisherWorkspaceId: string },
): Promise<void> {
  const { id, holdId, heldNanos, maxCostNanos, publisherWorkspaceId } = run;
  const values = [id, workspaceId, keyId, accountId, publisherWorkspaceId, maxCostNanos, holdId, heldNanos];
  await client.query(INSERT, values);
}

const INSERT = `
insert into runs (id, workspace_id, key_id, account_id, publisher_workspace_id, max_cost_nanos, hold_id, held_nanos, agent_id, agent, agent_name,
  version_id, version, session_id, visibility, input, on_limit, on_disconnect, if_session_busy, timeout_seconds, start_at, source, rate_card,
  minimum_cost_nanos)
values ($1, $2, $3, $4, $5, $6, $7, $8, 'agent_a', 'test/agent', 'Agent', 'aver_a', '2026-01-01', 'ses_a', 'public', '"hello"', 'stop', 'continue',
  'reject', 3600, now(), 'api', '{}', 0)`;

/** Adds events to a run, in one transaction. Returns the id of the last one. */
export async function addEvents(db: RunDatabase, runId: string, ...events: NewEvent[]): Promise<string> {
  return (await inTransaction(db.pool, (client) => appendEvents(client, runId, events))).id;
}

/** An event of output, with a text. */
export const delta = (text: string): NewEvent => ({ type: 'run.output_text.delta', data: { delta: text } });

/** Takes a run out of the queue, as its first step does. */
export const beginRun = (pool: Database['pool'], runId: string): Promise<StepBeginning> =>
  beginStep(pool, { runId, step: 1, kind: 'model', name: 'test' });

/** How a run ends, and what it costs: nothing of what is left out. */
export interface TestEnding extends Partial<Record<Amount, bigint>> {
  status?: FinalStatus;
}

type Amount = `${'subtotal' | 'networkFee' | 'platformCost' | 'subsidy' | 'absorbed'}Nanos`;

/** Ends a run as its workflow does: state, money and last event in one transaction. Returns the last event's id. */
export function finishTestRun(
  db: RunDatabase,
  run: { id: string; holdId: string },
  {
    status = 'completed',
    subtotalNanos = 0n,
    networkFeeNanos = 0n,
    platformCostNanos = 0n,
    subsidyNanos = 0n,
    absorbedNanos = 0n,
  }: TestEnding = {},
): Promise<string> {
  return inTransaction(db.pool, async (client) => {
    if (subtotalNanos > 0n) await client.query(USAGE, [run.id, subtotalNanos]);
    const amounts = [subtotalNanos, networkFeeNanos, absorbedNanos, platformCostNanos, subsidyNanos];
    const { rows } = await client.query(END, [run.id, status, ...amounts]);
    await db.ledger.settleRun(client, {
      runId: run.id,
      holdId: run.holdId,
      subtotalNanos,
      networkFeeNanos,
      platformCostNanos,
      subsidyNanos,
      absorbedNanos,
      publisherWorkspaceId: rows[0].publisher_workspace_id as string,
    });
    return (await appendEvents(client, run.id, [{ type: `run.${status}`, data: { id: run.id, status } }])).id;
  });
}

const USAGE = `insert into run_usage (run_id, meter, workspace_id, unit, quantity_thousandths, cost_nanos, settled_at)
  select id, 'tool_calls', workspace_id, 'call', 1000, $2, now() from runs where id = $1`;

const END = `
update runs set status = $2, subtotal_nanos = $3, network_fee_nanos = $4, total_nanos = $3::bigint + $4::bigint, absorbed_nanos = $5,
  platform_cost_nanos = $6, subsidy_nanos = $7,
  completed_at = now(), settled_at = now() where id = $1 returning publisher_workspace_id`;
