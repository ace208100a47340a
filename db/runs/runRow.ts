import type { InferEntity } from '@mikro-orm/core';
import type { ClientBase, Pool } from 'pg';
import type { ConversationItem, InputItem, InputPart, Run } from '../entities/run.ts';
import { isTerminal, LAST_EVENT_TYPES, RUN_STATUSES, type FinalStatus, type RunStatus } from '../entities/runStates.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Rows } from '../postgres/rows.ts';

export { isTerminal, LAST_EVENT_TYPES, RUN_STATUSES };
export type { ConversationItem, FinalStatus, InputItem, InputPart, RunStatus };

type ColumnOf<Member extends string> = Member extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnOf<Rest>}`
  : Member;

/** A value as a raw statement returns it: 64-bit integers as text, times as the connection reads them. */
type RawOf<Value> = Value extends bigint ? string : Value extends Date ? Date | string : Value;

type RunEntity = InferEntity<typeof Run>;

/** A row of `runs` as raw statements return it: the entity's members by their columns. */
export type RunRow = { [Member in keyof RunEntity & string as ColumnOf<Member>]: RawOf<RunEntity[Member]> };

/** The id of a run's step, derived from both, so that every attempt of a step gets the same id. */
export function stepIdOf(runId: string, step: number): string {
  return `step_${runId.slice('run_'.length)}${step.toString(36).padStart(4, '0')}`;
}

/** Whether a waiting run has its answer: for callers it continues, although its workflow has not taken the answer yet. */
export const isAnswered = ({ status, required_action: action }: Pick<RunRow, 'status' | 'required_action'>): boolean =>
  status === 'requires_action' && action?.answer !== undefined;

/** A run's locked row, and the time of the transaction: by its workspace's clock, and the real time, by which deadlines are counted. */
export type LockedRun = RunRow & { at: Date; real_at: Date };

/** SQL: both times of a run's row. */
export const TIMES = 'ledger_now(workspace_id) as at, now() as real_at';

/** What a run and the ended runs that it started cost so far. */
export const spentNanosOf = (run: Pick<RunRow, 'total_nanos' | 'children_nanos'>): bigint =>
  BigInt(run.total_nanos) + BigInt(run.children_nanos);

/** Changes to a run together with its money. */
export interface RunStore {
  pool: Pool;
  ledger: Ledger;
}

/** Reads a run's row and locks it until the commit. Throws when there is no such run. */
export const lockRun = (client: ClientBase, runId: string): Promise<LockedRun> =>
  lock(client, 'runs_lock', LOCK, runId);

/** The same for finishing a run: locks the session first, because a concurrent new run must see either this run or its end. */
export const lockSessionAndRun = (client: ClientBase, runId: string): Promise<LockedRun> =>
  lock(client, 'runs_lock_session', LOCK_BOTH, runId);

async function lock(client: ClientBase, name: string, text: string, runId: string): Promise<LockedRun> {
  const { rows } = await client.query<LockedRun>({ name, text, values: [runId] });
  if (!rows[0]) throw new Error(`there is no run ${runId}`);
  return rows[0];
}

const LOCK = `select *, ${TIMES} from runs where id = $1 for update`;

// A statement locks the rows of its subqueries before its own rows, and reads its own after that.
const LOCK_BOTH = `
select r.*, ${TIMES} from runs r
  left join (select id from sessions where id = (select session_id from runs where id = $1) for update) s on true
where r.id = $1 for update of r`;

// Raw here and below: presenters and the statements of steps share the row as `returning *` has it.
/** A run of the workspace, or undefined when it is unknown or another workspace's. */
export async function findRun(rows: Rows, runId: string): Promise<RunRow | undefined> {
  const text = 'select * from runs where id = $1 and workspace_id = $2 and deleted_at is null';
  const found = await rows.statement(({ client, workspaceId }) => client.query<RunRow>(text, [runId, workspaceId]));
  return found.rows[0];
}
