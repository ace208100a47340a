import type { LazyOrm } from '../postgres/lazyOrm.ts';
import { inWorkspace } from '../postgres/tenant.ts';

/** The runs of a session that have not ended, newest first; undefined when the workspace has no such session. */
export async function listLiveRunIds(
  orm: LazyOrm,
  workspaceId: string,
  sessionId: string,
): Promise<string[] | undefined> {
  const [session] = await inWorkspace(orm, workspaceId, (em) =>
    em.execute<{ ids: string[] }[]>(LIVE, [sessionId, workspaceId]),
  );
  return session?.ids;
}

const LIVE = `
select array(select r.id from runs r where r.session_id = s.id and r.settled_at is null order by r.created_at desc, r.id desc) as ids
from sessions s where s.id = ? and s.workspace_id = ? and s.deleted_at is null`;
