import type { ClientBase } from 'pg';
import type { Ledger } from '../ledger/ledger.ts';
import { fileIdsOf } from './runInput.ts';
import { RunRefused } from './runRefused.ts';
import type { InputItem, RunRow } from './runRow.ts';
import { cancelLocked } from './states/cancelRun.ts';
import { prepareRerun, type RerunOrder, type UnbilledSteps } from './steps/rerunSteps.ts';

/** The parts of a new run that decide on its session. */
interface Entrant {
  id: string;
  key: { workspaceId: string };
  sessionId: string | null;
  rerun?: RerunOrder;
  input: string | InputItem[];
  ifSessionBusy: 'reject' | 'enqueue' | 'interrupt';
}

/** The session of a new run, whether the run must wait there, the runs cancelled for it, and its initial output. */
export interface Place {
  sessionId: string;
  waiting: boolean;
  interrupted: RunRow[];
  output: object[];
  unbilled: UnbilledSteps | null;
}

/** The session of a run that names none. Its id follows from the run's, so that it is known before the run is created. */
export const newSessionIdOf = (runId: string): string => runId.replace(/^run_/, 'ses_');

const FREE = { waiting: false, interrupted: [], output: [], unbilled: null };

/** Whether a run gets a new session. */
export const opensSession = ({ rerun, sessionId }: Entrant): boolean => !rerun && sessionId === null;

/** Its place there. */
export const newPlaceOf = (order: Entrant): Place => ({ ...FREE, sessionId: newSessionIdOf(order.id) });

/** Locks the session of a new run: a new one, or the requested one. Throws `RunRefused`. */
export async function enterSession(client: ClientBase, ledger: Ledger, order: Entrant): Promise<Place> {
  if (order.rerun) {
    const { key, rerun, input } = order;
    const copy = { workspaceId: key.workspaceId, rerun, inputFileIds: fileIdsOf(input) };
    return { ...FREE, ...(await prepareRerun(client, copy)) };
  }
  const { sessionId } = order;
  if (sessionId === null) {
    const place = newPlaceOf(order);
    const values = [place.sessionId, order.key.workspaceId];
    await client.query({ name: 'sessions_open', text: OPEN_SESSION, values });
    return place;
  }
  const { rowCount } = await client.query(LOCK_SESSION, [sessionId, order.key.workspaceId]);
  if (!rowCount) throw new RunRefused({ reason: 'session_not_found', sessionId });
  const { rows: live } = await client.query<RunRow>(LOCK_LIVE_RUNS, [sessionId, order.id]);
  if (live.length === 0) return { ...FREE, sessionId };
  if (order.ifSessionBusy === 'reject') throw new RunRefused({ reason: 'session_busy', sessionId });
  if (order.ifSessionBusy === 'enqueue') return { ...FREE, sessionId, waiting: true };
  const interrupted = await interrupt(client, ledger, live);
  return { ...FREE, sessionId, waiting: interrupted.some(({ status }) => status === 'cancelling'), interrupted };
}

async function interrupt(client: ClientBase, ledger: Ledger, live: RunRow[]): Promise<RunRow[]> {
  const ended: RunRow[] = [];
  for (const row of live) {
    ended.push(await cancelLocked(client, ledger, row, { mode: 'immediate', reason: 'interrupted by a newer run' }));
  }
  return ended;
}

const OPEN_SESSION = 'insert into sessions (id, workspace_id) values ($1, $2)';
const LOCK_SESSION = 'select from sessions where id = $1 and workspace_id = $2 and deleted_at is null for update';
const LOCK_LIVE_RUNS =
  'select * from runs where session_id = $1 and settled_at is null and id <> $2 order by id for update';
