import type { ClientBase, PoolClient } from 'pg';
import { mergePatch } from '../../base/mergePatch.ts';
import { appendEvents } from '../events/appendEvents.ts';
import { lockSession } from '../files/sessionFiles.ts';
import { sessionNotFound, StorageRefused } from '../files/upload.ts';
import type { PageQuery } from '../postgres/page.ts';
import type { Bound, Rows } from '../postgres/rows.ts';

/** The size limit of a state as JSON: a model can read it in one result of a tool. */
export const STATE_BYTES_MAX = 64_000;

/** So many versions of a state are kept. */
export const STATE_VERSIONS_MAX = 100;

export type State = Record<string, unknown>;

/** A version without its content. */
export interface StateChange {
  version: number;
  sizeBytes: number;
  /** The step that made it; null: a caller. */
  runId: string | null;
  stepId: string | null;
  at: Date;
}

/** The state of a session at a version. */
export type StateVersion = StateChange & { state: State };

/** A new value of the whole state, or a JSON Merge Patch of it (RFC 7396). */
export type StateEdit = { put: State } | { merge: State };

/** The step that makes a change. `claim` locks its run, and throws when the step is no longer its attempt's to write. */
export interface StateWriter {
  runId: string;
  stepId: string;
  claim: (client: PoolClient) => Promise<void>;
}

/**
 * The present state of a session, or that of an earlier version. Throws `session_not_found`, and `state_version_not_found` when the
 * version is not or no longer kept.
 */
export function readState(rows: Rows, sessionId: string, version?: number): Promise<StateVersion> {
  return rows.transaction(async (tx) => {
    const session = await tx.em.findOne(tx.Session, { id: sessionId, deletedAt: null });
    if (!session) throw sessionNotFound(sessionId);
    const found = await findVersion(tx, sessionId, version);
    if (found) return found;
    if (version) throw new StorageRefused('state_version_not_found', `Version ${version} of the state is not kept.`);
    return emptyAt(session.createdAt);
  });
}

/** A page of a session's versions, the newest first. `next` is the version that the next page begins below. Throws `session_not_found`. */
export async function readStateChanges(
  rows: Rows,
  { sessionId, after, limit }: { sessionId: string } & Pick<PageQuery, 'after' | 'limit'>,
): Promise<{ rows: StateChange[]; next: string | null }> {
  const found = await rows.transaction(async ({ em, Session, client, workspaceId }) => {
    if ((await em.count(Session, { id: sessionId, deletedAt: null })) === 0) throw sessionNotFound(sessionId);
    return client.query<StateChange>(CHANGES, [
      sessionId,
      workspaceId,
      after === null ? null : Number(after),
      limit + 1,
    ]);
  });
  const page = found.rows.slice(0, limit);
  return { rows: page, next: found.rows.length > limit ? `${page.at(-1)!.version}` : null };
}

/**
 * Changes the state of a session: always a new version. A step changes it once: a later attempt gets the version of the first. The open
 * run of the session gets an event. Throws `session_not_found`, `state_changed` when the version is not `ifVersion`, and
 * `state_too_large`.
 */
export function changeState(
  rows: Rows,
  { sessionId, edit, ifVersion, by }: { sessionId: string; edit: StateEdit; ifVersion?: number; by?: StateWriter },
): Promise<StateVersion> {
  return rows.transaction(async (tx) => {
    // One writer at a time; and a run takes this lock to end, so none gets an event after its last.
    const session = await lockSession(tx, { sessionId });
    await by?.claim(tx.client);
    const made = by && (await findOfStep(tx, sessionId, by.stepId));
    if (made) return made;
    const current = (await findVersion(tx, sessionId)) ?? emptyAt(session.createdAt);
    if (ifVersion !== undefined && ifVersion !== current.version) throw stateChanged(current.version);
    const state = 'put' in edit ? edit.put : mergePatch(current.state, edit.merge);
    const version = current.version + 1;
    const { runId = null, stepId = null } = by ?? {};
    const sizeBytes = sizeOf(state);
    const at = await insertState(tx.client, { sessionId, workspaceId: tx.workspaceId, state, version, runId, stepId });
    await tx.client.query(PRUNE, [sessionId, version - STATE_VERSIONS_MAX]);
    const openRunId = runId ?? (await lockOpenRun(tx.client, sessionId));
    const data = { session_id: sessionId, version, step_id: stepId };
    if (openRunId) await appendEvents(tx.client, openRunId, [{ type: 'run.state.updated', data }]);
    return { version, state, sizeBytes, runId, stepId, at };
  });
}

/** Stores a version of the state of a session, within the caller's transaction. Throws `state_too_large`. */
export async function insertState(
  client: ClientBase,
  {
    sessionId,
    workspaceId,
    state,
    version = 1,
    runId = null,
    stepId = null,
  }: Pick<StateVersion, 'state'> & Partial<StateChange> & { sessionId: string; workspaceId: string },
): Promise<Date> {
  const sizeBytes = sizeOf(state);
  if (sizeBytes > STATE_BYTES_MAX) throw tooLarge(sizeBytes);
  const values = [sessionId, version, workspaceId, JSON.stringify(state), runId, stepId];
  return (await client.query<{ at: Date }>(INSERT, values)).rows[0]!.at;
}

/**
 * Gives a session's copy the state that the session had at a time, within the caller's transaction. False: that version is no longer
 * kept.
 */
export async function copyState(
  client: ClientBase,
  order: { fromId: string; toId: string; at: Date | string; withoutSteps: string[] },
): Promise<boolean> {
  const { rows } = await client.query<{ oldest: number | null; found: number | null }>(COPIED, [
    order.fromId,
    order.at,
    order.withoutSteps,
  ]);
  const { oldest, found } = rows[0]!;
  if (found === null) return oldest === null || oldest === 1;
  await client.query(COPY, [order.fromId, found, order.toId]);
  return true;
}

/** The size of a state as JSON. */
export const sizeOf = (state: State): number => Buffer.byteLength(JSON.stringify(state));

const emptyAt = (at: Date): StateVersion => ({ version: 0, state: {}, sizeBytes: 2, runId: null, stepId: null, at });

async function findVersion({ client, workspaceId }: Bound, sessionId: string, version?: number) {
  const text = `${SELECT} and ($3::int is null or version = $3) order by version desc limit 1`;
  return (await client.query<StateVersion>(text, [sessionId, workspaceId, version ?? null])).rows[0];
}

async function findOfStep({ client, workspaceId }: Bound, sessionId: string, stepId: string) {
  const text = `${SELECT} and step_id = $3`;
  return (await client.query<StateVersion>(text, [sessionId, workspaceId, stepId])).rows[0];
}

async function lockOpenRun(client: ClientBase, sessionId: string): Promise<string | undefined> {
  return (await client.query<{ id: string }>(OPEN_RUN, [sessionId])).rows[0]?.id;
}

const stateChanged = (version: number) =>
  new StorageRefused('state_changed', `The state has changed: its version is ${version} now.`, version);

const tooLarge = (sizeBytes: number) =>
  new StorageRefused(
    'state_too_large',
    `The state would have ${sizeBytes} bytes as JSON, and ${STATE_BYTES_MAX} are the most allowed.`,
  );

// Raw: the content is a text for the ORM, and the lists leave it out.
const CHANGE = `version, octet_length(state::text) as "sizeBytes", run_id as "runId", step_id as "stepId", created_at as at`;

const SELECT = `select state, ${CHANGE} from session_states where session_id = $1 and workspace_id = $2`;

const CHANGES = `
select ${CHANGE} from session_states where session_id = $1 and workspace_id = $2 and ($3::int is null or version < $3)
order by version desc limit $4`;

const INSERT = `
insert into session_states (session_id, version, workspace_id, state, run_id, step_id, created_at)
values ($1, $2, $3, $4, $5, $6, ledger_now($3)) returning created_at as at`;

// A step that has not ended may be tried again: its version is how the next attempt knows.
const PRUNE = `
delete from session_states s where session_id = $1 and version <= $2 and not exists (
  select from run_steps t where t.run_id = s.run_id and t.id = s.step_id and t.state = 'started')`;

const OPEN_RUN = `
select id from runs where session_id = $1 and settled_at is null and not waiting order by created_at limit 1 for update`;

// What later steps wrote came after, even if a clock says otherwise.
const COPIED = `
select min(version) as oldest, max(version) filter (where created_at <= $2 and coalesce(step_id, '') <> all ($3)) as found
from session_states where session_id = $1`;

const COPY = `
insert into session_states (session_id, version, workspace_id, state, created_at)
select $3, version, workspace_id, state, ledger_now(workspace_id) from session_states where session_id = $1 and version = $2`;
