import type { InferEntity } from '@mikro-orm/core';
import type { LazyOrm } from '../postgres/lazyOrm.ts';
import type { Session } from '../entities/Session.ts';
import { sessionNotFound } from '../files/storageRefused.ts';
import { inWorkspace, type Entities, type EntityManager } from '../postgres/tenant.ts';

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
