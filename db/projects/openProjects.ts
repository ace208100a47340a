import type { Queryable } from '../postgres/queryable.ts';
import { DEFAULT_PROJECT } from '../workspaces/defaultProject.ts';

/** A project by its id in the API. */
export interface NamedProject {
  id: string;
  name: string;
}

/** The projects of each workspace that are not archived, the default one first. A member limited to projects gets those. */
export async function listOpenProjects(
  client: Queryable,
  members: readonly { workspaceId: string; projectIds: readonly string[] | null }[],
): Promise<Map<string, NamedProject[]>> {
  const { rows } = await client.query<NamedProject & { workspaceId: string }>(OPEN, [
    members.map(({ workspaceId }) => workspaceId),
  ]);
  const byWorkspace = Map.groupBy(rows, ({ workspaceId }) => workspaceId);
  return new Map(
    members.map(({ workspaceId, projectIds }) => {
      const all = [DEFAULT, ...(byWorkspace.get(workspaceId) ?? []).map(({ id, name }) => ({ id, name }))];
      return [workspaceId, projectIds ? all.filter(({ id }) => projectIds.includes(id)) : all];
    }),
  );
}

const DEFAULT: NamedProject = { id: DEFAULT_PROJECT, name: 'Default' };

const OPEN = `
select p.id, p.name, p.workspace_id as "workspaceId" from projects p
where p.workspace_id = any ($1) and p.archived_at is null order by p.created_at, p.id`;
