import type { InferEntity } from '@mikro-orm/core';
import type { Session } from '../entities/session.ts';
import { lockSession, refuseBusy } from '../files/sessionFiles.ts';
import { sessionNotFound } from '../files/upload.ts';
import { readPage, type PageQuery } from '../postgres/page.ts';
import type { AnyTransaction, Bound, Rows } from '../postgres/rows.ts';
import { insertState, type State } from './sessionState.ts';

type SessionRow = InferEntity<typeof Session>;

/** Creates a session, with its first state if it has one; an existing session of this id is unchanged. */
export async function insertSession(
  rows: Rows,
  session: { id: string; title: string | null; metadata: Record<string, string> },
  state?: State,
): Promise<void> {
  await rows.transaction(async ({ em, Session, client, workspaceId }) => {
    const { affectedRows } = await em
      .qb(Session)
      .insert({ ...session, workspaceId })
      .onConflict('id')
      .ignore()
      .execute('run');
    if (state && affectedRows > 0) await insertState(client, { sessionId: session.id, workspaceId, state });
  });
}

/** A session in its workspace's view. */
export interface SessionState {
  id: string;
  title: string | null;
  metadata: Record<string, string>;
  isBusy: boolean;
  /** The active run; waiting runs do not count. */
  activeRunId: string | null;
  createdAt: Date;
  /** When its files last changed, or a run last began or ended. */
  updatedAt: Date;
}

/** A session of the workspace. Throws `session_not_found` for a session that is unknown, of another workspace, or deleted. */
export function findSession(rows: Rows, id: string): Promise<SessionState> {
  return rows.transaction(async (tx) => {
    const [session] = await withWork(tx, await tx.em.find(tx.Session, { id, deletedAt: null }));
    if (!session) throw sessionNotFound(id);
    return session;
  });
}

/** A page of the workspace's sessions, newest first. */
export function readSessions(rows: Rows, page: PageQuery): Promise<{ sessions: SessionState[]; hasMore: boolean }> {
  return rows.transaction(async (tx) => {
    const found = await readPage(tx, tx.Session, { deletedAt: null }, page);
    return { sessions: await withWork(tx, found.rows), hasMore: found.hasMore };
  });
}

/** Totals over the runs of a session. */
interface SessionWork {
  session_id: string;
  is_busy: boolean;
  active_run_id: string | null;
  /** When a run last began or ended. */
  moved_at: string;
}

async function withWork({ em, Run, sql }: Bound, sessions: SessionRow[]): Promise<SessionState[]> {
  if (sessions.length === 0) return [];
  const work = await em
    .qb(Run)
    .select([
      'sessionId',
      sql`bool_or(settled_at is null)`.as('is_busy'),
      sql`max(greatest(created_at, completed_at))`.as('moved_at'),
      sql`(array_agg(id order by created_at) filter (where settled_at is null and not waiting))[1]`.as('active_run_id'),
    ])
    .where({ sessionId: { $in: sessions.map(({ id }) => id) } })
    .groupBy('sessionId')
    .execute<SessionWork[]>('all', false);
  const bySession = new Map(work.map((one) => [one.session_id, one]));
  return sessions.map((session) => stateOf(session, bySession.get(session.id)));
}

function stateOf({ id, title, metadata, createdAt, updatedAt }: SessionRow, work: SessionWork | undefined) {
  const movedAt = work ? new Date(work.moved_at) : updatedAt;
  return {
    id,
    title,
    metadata,
    isBusy: work?.is_busy ?? false,
    activeRunId: work?.active_run_id ?? null,
    createdAt,
    updatedAt: movedAt > updatedAt ? movedAt : updatedAt,
  };
}

/** Deletes a session with its files and its state; its runs stay. Throws `session_not_found`, and `session_busy` while one of its runs is open. */
export function removeSession(rows: Rows, sessionId: string): Promise<void> {
  return rows.transaction(async (tx) => {
    const { em, Session, SessionEntry, SessionStateVersion, sql } = tx;
    await lockSession(tx, { sessionId });
    await refuseBusy(tx, sessionId);
    const entries = await em.find(SessionEntry, { sessionId });
    await em.nativeDelete(SessionEntry, { sessionId });
    await em.nativeDelete(SessionStateVersion, { sessionId });
    await releaseFiles(tx, fileIdsOf(entries));
    await em.nativeUpdate(Session, { id: sessionId }, { deletedAt: sql.now(), updatedAt: sql.now(), storedBytes: 0 });
  });
}

/** The files among removed entries. */
export function fileIdsOf(entries: { fileId: string | null }[]): string[] {
  return entries.map(({ fileId }) => fileId).filter((id) => id !== null);
}

/**
 * Deletes the session's own files among these that no entry refers to any more. The next sweep deletes their bytes. `keepDays` keeps them
 * readable by id for that long.
 */
export async function releaseFiles(tx: AnyTransaction, ids: string[], { keepDays = 0 } = {}): Promise<void> {
  if (ids.length === 0) return;
  const { em, File, SessionEntry, LockMode, sql } = tx;
  // A session being copied refers to them as soon as its lock is released.
  const lock = { fields: ['id'], orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  await em.find(File, { id: ids, sessionId: { $ne: null } }, lock);
  const named = new Set(fileIdsOf(await em.find(SessionEntry, { fileId: ids })));
  const unnamed = ids.filter((id) => !named.has(id));
  if (unnamed.length === 0) return;
  const end =
    keepDays > 0
      ? { expiresAt: sql`least(expires_at, now() + make_interval(days => ${keepDays}))` }
      : { deletedAt: sql.now(), expiresAt: sql.now() };
  await em.nativeUpdate(File, { id: unnamed, sessionId: { $ne: null }, deletedAt: null }, end);
}
