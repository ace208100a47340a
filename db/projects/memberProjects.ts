import { endLogins } from '../keys/endLogins.ts';
import { announceChange } from '../keys/keyStore.ts';
import type { Role } from '../keys/roles.ts';
import type { Rows } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';

/** A member of the workspace, and the projects that they are limited to; null: all. */
export interface LimitedMember {
  userId: string;
  name: string;
  email: string;
  role: Role;
  projectIds: string[] | null;
}

/** The roles whose members can be limited to projects: owners see everything, and finance people pay for everything. */
export const LIMITABLE_ROLES: readonly Role[] = ['developer', 'publisher'];

/** The members of the workspace, in the order in which they joined. */
export async function listMemberProjects(everywhere: Rows<undefined>, workspaceId: string): Promise<LimitedMember[]> {
  const { rows } = await everywhere.statement(({ client }) => client.query<LimitedMember>(MEMBERS, [workspaceId]));
  return rows;
}

// Raw: people are not of a workspace.
const MEMBERS = `
select m.user_id as "userId", u.name, u.email, m.role, case when m.role = any ('{${LIMITABLE_ROLES.join(',')}}') then m.project_ids end as "projectIds"
from members m join users u on u.id = m.user_id where m.workspace_id = $1 order by m.created_at, m.id`;

/**
 * Limits a member to projects, or to none with null, audited. Calls from the console with their session then belong to the first of them.
 * Their own key and what they see follow at once, and keys of their device logins in other projects end.
 */
export function limitMember(
  rows: Rows,
  { userId, projectIds, by }: { userId: string; projectIds: string[] | null; by: Actor },
): Promise<'limited' | 'no_member' | 'no_project' | 'not_limitable'> {
  return rows.transaction(async (tx) => {
    const { em, Member, Project, ApiKey, LockMode, workspaceId } = tx;
    const member = await em.findOne(Member, { userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!member) return 'no_member';
    if (projectIds && !LIMITABLE_ROLES.includes(member.role as Role)) return 'not_limitable';
    const wanted = projectIds && [...new Set(projectIds)];
    if (wanted && (await em.count(Project, { id: { $in: wanted } })) < wanted.length) return 'no_project';
    await em.nativeUpdate(Member, { id: member.id }, { projectIds: wanted });
    const own = { memberUserId: userId, revokedAt: null };
    await em.nativeUpdate(ApiKey, own, { projectId: wanted?.[0] ?? null });
    for (const { id } of await em.find(ApiKey, own, { fields: ['id'] })) await announceChange(tx, id);
    await endLogins(tx, userId);
    const detail = { before: { project_ids: member.projectIds }, after: { project_ids: wanted } };
    await audit(tx, by, { workspaceId, action: 'limit_member', subjectType: 'member', subjectId: userId, detail });
    return 'limited';
  });
}
