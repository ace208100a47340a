import type { z } from 'zod';
import { conflict, notFound } from '../../base/errors/requestErrors.ts';
import {
  LIMITABLE_ROLES,
  limitMember,
  listMemberProjects,
  type LimitedMember,
} from '../../db/projects/memberProjects.ts';
import { actorOf, type Handler } from '../context.ts';
import type { Services } from '../services.ts';
import type { MemberAnswer, MemberList, MemberProjectsBody } from './projectSchema.ts';

/** `GET /console/v1/members`: the members of the workspace, and the projects that they are limited to. */
export function listMembers({ db }: Services): Handler {
  return async (ctx) => {
    const members = await listMemberProjects(db.everywhere, ctx.state.member!.liveWorkspaceId);
    ctx.body = { object: 'list', data: members.map(present) } satisfies z.infer<typeof MemberList>;
  };
}

/**
 * `PATCH /console/v1/members/{user_id}`: limits a member to projects. Throws 404 `member_not_found` and `project_not_found`, and 409
 * `role_not_limitable` for owners and finance people.
 */
export function changeMember({ db }: Services): Handler<z.output<typeof MemberProjectsBody>> {
  return async (ctx) => {
    const userId = ctx.state.params.user_id!;
    const { project_ids: projectIds } = ctx.state.input;
    const workspaceId = ctx.state.member!.liveWorkspaceId;
    const outcome = await limitMember(db.write(workspaceId), { userId, projectIds, by: actorOf(ctx) });
    if (outcome === 'no_member') throw notFound(`No member with the id '${userId}'.`, 'member_not_found');
    if (outcome === 'no_project')
      throw notFound('One of these projects does not exist.', 'project_not_found', 'project_ids');
    if (outcome === 'not_limitable')
      throw conflict(
        'role_not_limitable',
        `Only members with the role ${LIMITABLE_ROLES.join(' or ')} can be limited to projects.`,
      );
    const members = await listMemberProjects(db.everywhere, workspaceId);
    ctx.body = present(members.find((member) => member.userId === userId)!);
  };
}

const present = ({ userId, name, email, role, projectIds }: LimitedMember): z.infer<typeof MemberAnswer> => ({
  user_id: userId,
  object: 'member',
  name,
  email,
  role,
  project_ids: projectIds,
});
