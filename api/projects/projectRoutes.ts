import { body } from '../body/body.ts';
import { parseWith } from '../body/parseWith.ts';
import { idempotent } from '../guard/idempotency.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { wholeWorkspace } from '../guard/projects.ts';
import { memberOnly, owner } from '../guard/session.ts';
import { get, patch, post, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { changeMember, listMembers } from './memberProjects.ts';
import { memberDocs, projectDocs } from './projectDocs.ts';
import { changeProject, createProject, listWorkspaceProjects, retrieveProject } from './projects.ts';
import { MemberProjectsBody, NewProjectBody, ProjectChangeBody } from './projectSchema.ts';

/** The routes of projects. Those who manage keys or pay change them, and everyone reads those that they see. */
export function projectRoutes(services: Services, keyed: Keyed): Route[] {
  const setter: Keyed = (...checks) => keyed(scope('manage', 'billing'), wholeWorkspace, ...checks);
  const [all, one] = ['/platform/v1/projects', '/platform/v1/projects/:project_id'];
  const creation = setter(body(parseWith(NewProjectBody, 'body')), idempotent(services.db, 'proj'));
  return [
    get(all, keyed(), listWorkspaceProjects(services), projectDocs.list),
    post(all, creation, createProject(services), projectDocs.create),
    get(one, keyed(), retrieveProject(services), projectDocs.retrieve),
    patch(one, setter(body(parseWith(ProjectChangeBody, 'body'))), changeProject(services), projectDocs.change),
  ];
}

/** The members of a workspace, and the projects that they are limited to. */
export function memberRoutes(services: Services, keyed: Keyed): Route[] {
  const members = '/console/v1/members';
  const change = keyed(owner, body(parseWith(MemberProjectsBody, 'body')));
  return [
    get(members, keyed(memberOnly), listMembers(services), memberDocs.list),
    patch(`${members}/:user_id`, change, changeMember(services), memberDocs.change),
  ];
}
