import type { ClientBase } from 'pg';
import type { Database } from '../database.ts';
import { usdOf } from '../money.ts';
import { attachInputFiles } from '../sessions/attachInputFiles.ts';
import { appendEvents } from './events/appendEvents.ts';
import { enterSession } from './enterSession.ts';
import { insertRun } from './insertRun.ts';
import type { NewRun } from './newRun.ts';
import { RunRefused } from './refusals.ts';
import type { RunRow } from './runRow.ts';

/** A run that is there, and the runs that had to make room for it and whose workflows are to be told so. */
export interface CreatedRun {
  run: RunRow;
  interrupted: RunRow[];
}

/**
 * Creates a run with its session, its hold and its first events in one transaction. Throws `RunRefused`, `StorageRefused` for a file that is not
 * there or has no room, and `HoldRefused` when the money is not there. A run of that id which is there already is returned as it is.
 */
export async function createRun(
  { pool, ledger }: Pick<Database, 'pool' | 'ledger'>,
  order: NewRun,
): Promise<CreatedRun> {
  try {
    return await ledger.holdRunPatiently(order.key.accountId, async (client, hold) => {
      const { sessionId, interrupted, waiting } = await enterSession(client, ledger, order);
      const fileIds = fileIdsOf(order.input);
      await attachInputFiles(client, { workspaceId: order.key.workspaceId, sessionId, fileIds });
      await refuseTooMany(client, order);
      const holdId = holdIdOf(order.id);
      const wantNanos = order.maxCostNanos;
      const heldNanos = await hold({ holdId, keyId: order.key.keyId, wantNanos, needNanos: 1n });
      const row = await insertRun(client, order, { sessionId, waiting, holdId, heldNanos });
      const { sequence } = await appendEvents(client, row.id, firstEvents(row));
      return { run: { ...row, last_sequence: sequence }, interrupted };
    });
  } catch (error) {
    // Whoever carries on after a crash finds what was made before it: its session busy with it, or its hold taken.
    const { rows } = await pool.query<RunRow>('select * from runs where id = $1', [order.id]);
    if (rows[0]) return { run: rows[0], interrupted: [] };
    throw error;
  }
}

const fileIdsOf = (input: NewRun['input']) =>
  typeof input === 'string' ? [] : input.flatMap((item) => (item.type === 'input_file' ? [item.file_id] : []));

// One run, one hold: the same id again is refused by the database.
const holdIdOf = (runId: string) => runId.replace(/^run_/, 'hold_');

// The account's lock makes the count exact: everybody else who creates a run of this workspace waits for it.
async function refuseTooMany(client: ClientBase, { key, openRunsMax }: NewRun): Promise<void> {
  await client.query('select from accounts where id = $1 for update', [key.accountId]);
  const { rows } = await client.query(COUNT_OPEN, [key.accountId]);
  if (rows[0].open >= openRunsMax) throw new RunRefused('too_many_runs');
}

function firstEvents(row: RunRow) {
  const { agent, version, session_id, status } = row;
  const max_cost_usd = usdOf(BigInt(row.max_cost_nanos));
  const held_usd = usdOf(BigInt(row.held_nanos));
  return [
    { type: 'run.created', data: { agent, version, session_id, status, max_cost_usd, held_usd } },
    { type: 'run.queued', data: { status, waiting: row.waiting, start_at: new Date(row.start_at).toISOString() } },
  ];
}

// An open run has an open hold, and holds have the index for it.
const COUNT_OPEN = `select count(*)::int as open from holds where account_id = $1 and state = 'open' and kind = 'run'`;
