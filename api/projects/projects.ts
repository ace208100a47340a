import type { z } from 'zod';
import { conflict, notFound, validationErrorAt } from '../../base/errors/requestErrors.ts';
import { DEFAULT_PROJECT } from '../../db/workspaces/defaultProject.ts';
import {
  findProject,
  insertProject,
  listProjects,
  PROJECTS_MAX,
  remainingNanosOf,
  updateProject,
  type ProjectChange,
  type ProjectState,
} from '../../db/projects/projects.ts';
import { nanosOfUsd, usdOf } from '../../db/money.ts';
import { pathId } from '../body/parseWith.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import type { NewProjectBody, ProjectAnswer, ProjectChangeBody, ProjectList } from './projectSchema.ts';

/** `GET /platform/v1/projects`: the default project, then the others that the caller sees, the oldest first. */
export function listWorkspaceProjects({ db }: Services): Handler {
  return async (ctx) => {
    await db.ledger.posted();
    const { key } = ctx.state;
    const projects = await listProjects(seenBy(db, key), key.seesProjects !== null);
    ctx.body = { object: 'list', data: projects.map(present) } satisfies z.infer<typeof ProjectList>;
  };
}

/** `POST /platform/v1/projects`: creates a project. Throws 409 `too_many_projects`. */
export function createProject({ db }: Services): Handler<z.output<typeof NewProjectBody>> {
  return async (ctx) => {
    const { input, resourceId: id } = ctx.state;
    const { name, spend_limit: usd = null, spend_limit_period: period = null } = input;
    const chosen = { name, spendLimitNanos: usd === null ? null : nanosOfUsd(usd), spendLimitPeriod: period };
    const made = await insertProject(db.write(ctx.state.key.workspaceId), { id, by: actorOf(ctx), ...chosen });
    if (made === 'too_many')
      throw conflict('too_many_projects', `A workspace has at most ${PROJECTS_MAX} projects, archived ones included.`);
    ctx.status = 201;
    ctx.body = present(made);
  };
}

/** `GET /platform/v1/projects/{project_id}`: one project. Throws 404 `project_not_found`, like all routes of a project. */
export function retrieveProject(services: Services): Handler {
  return async (ctx) => {
    ctx.body = present(await projectOf(ctx, services, projectIdIn(ctx)));
  };
}

/** `PATCH /platform/v1/projects/{project_id}`: changes the sent members, archives or restores. */
export function changeProject(services: Services): Handler<z.output<typeof ProjectChangeBody>> {
  const { db } = services;
  return async (ctx) => {
    const id = projectIdIn(ctx);
    if (id === DEFAULT_PROJECT)
      throw conflict(
        'default_project',
        'The default project has no name or ceiling of its own, and is never archived.',
      );
    await db.ledger.posted();
    const { workspaceId, seesProjects } = ctx.state.key;
    const order = { change: changeOf(ctx.state.input), by: actorOf(ctx), isLimited: seesProjects !== null };
    const changed = await updateProject(db.write(workspaceId), id, order);
    if (changed === 'not_found') throw projectNotFound(id);
    if (changed === 'period_without_limit')
      throw validationErrorAt(['body', 'spend_limit_period'], 'A period needs a spend_limit.');
    ctx.body = present(changed);
  };
}

function changeOf({ name, spend_limit: usd, spend_limit_period: period, status }: z.output<typeof ProjectChangeBody>) {
  const change: ProjectChange = {
    ...(name !== undefined && { name }),
    ...(usd !== undefined && { spendLimitNanos: usd === null ? null : nanosOfUsd(usd) }),
    ...(period !== undefined && { spendLimitPeriod: period }),
    ...(status !== undefined && { isArchived: status === 'archived' }),
  };
  return change;
}

/** The id in the path; the default project has a name instead. */
const projectIdIn = (ctx: Context): string =>
  ctx.state.params.project_id === DEFAULT_PROJECT ? DEFAULT_PROJECT : pathId(ctx, 'project_id');

async function projectOf(ctx: Context, { db }: Services, id: string): Promise<ProjectState> {
  await db.ledger.posted();
  const { key } = ctx.state;
  const project = await findProject(seenBy(db, key), id, key.seesProjects !== null);
  if (!project) throw projectNotFound(id);
  return project;
}

export const projectNotFound = (id: string, param: string | null = null) =>
  notFound(`No project with the id '${id}'.`, 'project_not_found', param);

function present(project: ProjectState): z.infer<typeof ProjectAnswer> {
  const remainingNanos = remainingNanosOf(project);
  return {
    id: project.id,
    object: 'project',
    name: project.name,
    status: project.archivedAt ? 'archived' : 'active',
    created_at: project.createdAt?.toISOString() ?? null,
    archived_at: project.archivedAt?.toISOString() ?? null,
    spend_limit: project.spendLimitNanos === null ? null : usdOf(project.spendLimitNanos),
    spend_limit_period: project.spendLimitPeriod,
    spend_limit_remaining: remainingNanos === null ? null : usdOf(remainingNanos),
    spend_daily: usdOf(project.dailyNanos),
    spend_monthly: usdOf(project.monthlyNanos),
    spend_total: usdOf(project.totalNanos),
    keys: project.keys,
  };
}
