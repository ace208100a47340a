import { DEFAULT_PROJECT } from '../workspaces/defaultProject.ts';

/** SQL: the id of a project in the API, of its stored form. */
export const projectSql = (stored: string): string => `coalesce(nullif(${stored}, ''), '${DEFAULT_PROJECT}')`;

/** SQL: whether a stored project is the one that a parameter names; any, when that is null. */
export const isOfProjectSql = (stored: string, parameter: string): string =>
  `(${parameter}::text is null or ${projectSql(stored)} = ${parameter})`;

/** SQL: the names of a workspace's projects, by id. */
export const projectLabelsSql = `select '${DEFAULT_PROJECT}' as id, 'Default' as name
    union all select p.id, p.name from projects p where p.workspace_id = $1`;
