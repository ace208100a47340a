import type { InferEntity } from '@mikro-orm/core';
import type { Pool, ClientBase } from 'pg';
import type { Session } from '../entities/session.ts';
import { SESSION_BYTES_MAX, sessionNotFound, StorageRefused } from '../files/upload.ts';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import { inWorkspace, type Entities, type EntityManager } from '../postgres/tenant.ts';
import { inTransaction } from '../postgres/transaction.ts';

/** Creates a session; an existing one of this id is unchanged. */
export async function createSession(
  pool: Pool,
  {
    id,
    workspaceId,
    title,
    metadata,
  }: { id: string; workspaceId: string; title: string | null; metadata: Record<string, string> },
): Promise<void> {
  await pool.query(
    'insert into sessions (id, workspace_id, title, metadata) values ($1, $2, $3, $4) on conflict (id) do nothing',
    [id, workspaceId, title, JSON.stringify(metadata)],
  );
}

const LIVE = ['queued', 'in_progress', 'requires_action', 'cancelling'];

/** A session as the workspace that it belongs to sees it. */
export interface SessionState {
  id: string;
  title: string | null;
  metadata: Record<string, string>;
  isBusy: boolean;
  /** The run that it works on; those that wait for it are not meant. */
  activeRunId: string | null;
  createdAt: Date;
  /** When its files changed last, or one of its runs began or ended. */
  updatedAt: Date;
}

/** A session of the workspace. Throws `session_not_found` for one that is unknown, another's or deleted. */
export function findSession(orm: LazyOrm, workspaceId: string, id: string): Promise<SessionState> {
  return inWorkspace(orm, workspaceId, async (em, entities) => {
    const [session] = await readSessions(em, entities, workspaceId, [id]);
    if (!session) throw sessionNotFound(id);
    return session;
  });
}

/** Sessions of the workspace, newest first: `limit` of them after the session `after`, and whether more follow. */
export function listSessions(
  orm: LazyOrm,
  { workspaceId, after, limit }: { workspaceId: string; after: string | null; limit: number },
): Promise<{ sessions: SessionState[]; hasMore: boolean }> {
  return inWorkspace(orm, workspaceId, async (em, entities) => {
    const rows = await em.execute<{ id: string }[]>(LIST, [workspaceId, after, after, limit + 1]);
    const sessions = await readSessions(
      em,
      entities,
      workspaceId,
      rows.slice(0, limit).map(({ id }) => id),
    );
    return { sessions, hasMore: rows.length > limit };
  });
}

/** Whether a run of the session has not ended. */
export async function isBusy(em: EntityManager, { Run }: Entities, sessionId: string): Promise<boolean> {
  return (await em.count(Run, { sessionId, status: LIVE })) > 0;
}

async function readSessions(
  em: EntityManager,
  { Session }: Entities,
  workspaceId: string,
  ids: string[],
): Promise<SessionState[]> {
  if (ids.length === 0) return [];
  const rows = await em.find(Session, { id: ids, workspaceId, deletedAt: null });
  const work = await em.execute<SessionWork[]>(`${WORK} (${ids.map(() => '?').join(', ')}) group by session_id`, ids);
  const workById = new Map(work.map((one) => [one.sessionId, one]));
  const byId = new Map(rows.map((row) => [row.id, stateOf(row, workById.get(row.id))]));
  return ids.map((id) => byId.get(id)).filter((session) => session !== undefined);
}

/** What the runs of a session come to. */
interface SessionWork {
  sessionId: string;
  isBusy: boolean;
  activeRunId: string | null;
  /** When one of them began or ended last. */
  movedAt: Date | string;
}

function stateOf(row: InferEntity<typeof Session>, work: SessionWork | undefined): SessionState {
  const { id, title = null, createdAt, updatedAt } = row;
  const movedAt = work ? new Date(work.movedAt) : updatedAt;
  return {
    id,
    title,
    metadata: row.metadata as Record<string, string>,
    isBusy: work?.isBusy ?? false,
    activeRunId: work?.activeRunId ?? null,
    createdAt,
    updatedAt: movedAt > updatedAt ? movedAt : updatedAt,
  };
}

const WORK = `
select session_id as "sessionId", bool_or(settled_at is null) as "isBusy", max(greatest(created_at, completed_at)) as "movedAt",
  (array_agg(id order by created_at) filter (where settled_at is null and not waiting))[1] as "activeRunId"
from runs where session_id in`;

const LIST = `
select id from sessions
where workspace_id = ? and deleted_at is null
  and (?::text is null or (created_at, id) < (select created_at, id from sessions where id = ?))
order by created_at desc, id desc limit ?`;

/** Locks a session, so that its files do not change until the transaction ends. */
export interface LockedSession {
  id: string;
  workspaceId: string;
  generation: number;
  storedBytes: number;
}

/**
 * Locks a session's files for a change. Throws `session_not_found` for one that is unknown, another's or deleted, and
 * `directory_changed` when its directories are not at the generation that the caller has seen.
 */
export async function lockSession(
  client: ClientBase,
  { workspaceId, sessionId, ifGeneration }: { workspaceId: string; sessionId: string; ifGeneration?: number },
): Promise<LockedSession> {
  const { rows } = await client.query(LOCK, [sessionId, workspaceId]);
  if (rows.length === 0) throw sessionNotFound(sessionId);
  const generation: number = rows[0].directory_generation;
  if (ifGeneration !== undefined && ifGeneration !== generation) throw directoryChanged(generation);
  return { id: sessionId, workspaceId, generation, storedBytes: Number(rows[0].stored_bytes) };
}

/** Counts a change in: the generation rises by one. Returns it. Throws `storage_limit_exceeded`. */
export async function countChange(
  client: ClientBase,
  { id, storedBytes }: LockedSession,
  { addedBytes }: { addedBytes: number },
): Promise<number> {
  if (addedBytes > 0 && storedBytes + addedBytes > SESSION_BYTES_MAX) throw storageLimitExceeded();
  const { rows } = await client.query(COUNT, [id, addedBytes]);
  return rows[0].directory_generation as number;
}

const directoryChanged = (generation: number) =>
  new StorageRefused(
    'directory_changed',
    `The session’s files have changed: their directory_generation is ${generation} now.`,
    generation,
  );

const storageLimitExceeded = () =>
  new StorageRefused(
    'storage_limit_exceeded',
    `The files of a session have at most ${SESSION_BYTES_MAX} bytes together.`,
  );

const LOCK = `
select directory_generation, stored_bytes from sessions
where id = $1 and workspace_id = $2 and deleted_at is null for update`;

const COUNT = `
update sessions set directory_generation = directory_generation + 1, stored_bytes = stored_bytes + $2, updated_at = now()
where id = $1 returning directory_generation`;

/**
 * Deletes a session with its files; its runs stay. Throws `session_not_found`, and `session_busy` while a run of it has not ended.
 */
export function deleteSession(pool: Pool, workspaceId: string, sessionId: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    await lockSession(client, { workspaceId, sessionId });
    await refuseBusy(client, sessionId);
    const { rows } = await client.query('delete from session_entries where session_id = $1 returning file_id', [
      sessionId,
    ]);
    await releaseFiles(client, fileIdsOf(rows));
    await client.query('update sessions set deleted_at = now(), updated_at = now(), stored_bytes = 0 where id = $1', [
      sessionId,
    ]);
  });
}

/** Throws `session_busy` while a run of the session has not ended. The session is locked: no new one begins. */
export async function refuseBusy(client: ClientBase, sessionId: string): Promise<void> {
  const { rowCount } = await client.query('select from runs where session_id = $1 and settled_at is null limit 1', [
    sessionId,
  ]);
  if (rowCount) throw new StorageRefused('session_busy', 'A run of this session has not ended. Cancel it, or wait.');
}

/** The files among entries that were removed. */
export function fileIdsOf(entries: { file_id: string | null }[]): string[] {
  return entries.map(({ file_id }) => file_id).filter((id) => id !== null);
}

/**
 * Deletes those of the files that were made for a session and that no entry names any more, in the caller's transaction. Their bytes go
 * with the next sweep. `keepDays` leaves them readable so long, for those who know their id.
 */
export async function releaseFiles(client: ClientBase, ids: string[], { keepDays = 0 } = {}): Promise<void> {
  if (ids.length > 0) await client.query(keepDays > 0 ? EXPIRE : DELETE_UNUSED, keepDays > 0 ? [ids, keepDays] : [ids]);
}

const UNNAMED = `
id = any($1) and session_id is not null and deleted_at is null
  and not exists (select from session_entries e where e.file_id = files.id)`;

const DELETE_UNUSED = `update files set deleted_at = now(), expires_at = now() where ${UNNAMED}`;

const EXPIRE = `update files set expires_at = least(expires_at, now() + make_interval(days => $2)) where ${UNNAMED}`;
