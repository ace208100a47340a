import type { ClientBase } from 'pg';
import type { Database } from '../database.ts';
import { newId } from '../ids.ts';
import { cancelLocked } from './cancelLocked.ts';
import type { NewRun } from './newRun.ts';
import { RunRefused } from './refusals.ts';
import type { RunRow } from './runRow.ts';

/** Where a new run works, whether it has to wait there, and the runs that were cancelled for it. */
interface Place {
  sessionId: string;
  waiting: boolean;
  interrupted: RunRow[];
}

/** Finds a place for a new run: a new session, or the one it asks for, locked. Throws `RunRefused`. */
export async function enterSession(client: ClientBase, ledger: Database['ledger'], order: NewRun): Promise<Place> {
  if (order.sessionId === null) {
    const id = newId('ses');
    await client.query('insert into sessions (id, workspace_id) values ($1, $2)', [id, order.key.workspaceId]);
    return { sessionId: id, waiting: false, interrupted: [] };
  }
  const sessionId = order.sessionId;
  const { rowCount } = await client.query(LOCK_SESSION, [sessionId, order.key.workspaceId]);
  if (!rowCount) throw new RunRefused('session_not_found');
  const { rows: live } = await client.query<RunRow>(LOCK_LIVE_RUNS, [sessionId, order.id]);
  if (live.length === 0) return { sessionId, waiting: false, interrupted: [] };
  if (order.ifSessionBusy === 'reject') throw new RunRefused('session_busy');
  if (order.ifSessionBusy === 'enqueue') return { sessionId, waiting: true, interrupted: [] };
  const interrupted = await interrupt(client, ledger, live);
  return { sessionId, waiting: interrupted.some(({ status }) => status === 'cancelling'), interrupted };
}

async function interrupt(client: ClientBase, ledger: Database['ledger'], live: RunRow[]): Promise<RunRow[]> {
  const ended: RunRow[] = [];
  for (const row of live) {
    ended.push(await cancelLocked(client, ledger, row, { mode: 'immediate', reason: 'interrupted by a newer run' }));
  }
  return ended;
}

const LOCK_SESSION = 'select from sessions where id = $1 and workspace_id = $2 and deleted_at is null for update';
const LOCK_LIVE_RUNS =
  'select * from runs where session_id = $1 and settled_at is null and id <> $2 order by id for update';
