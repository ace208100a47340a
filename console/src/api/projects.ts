import { useMemo } from 'react';
import { api } from './client.ts';
import { useAnswer } from './hooks.ts';
import type { components } from './openapi.d.ts';

export type Project = components['schemas']['Project'];

/** The default project: what belongs to no other one. */
export const DEFAULT_PROJECT = 'default';

/** The projects that the person sees: the default one first, unless they are limited to others. */
export const useProjects = (options: { refetchInterval?: number } = {}) =>
  useAnswer(['projects'], (signal) => api.GET('/platform/v1/projects', { signal }), { staleTime: 5_000, ...options });

/** The projects where there is a choice: none in a workspace with the default one alone. */
export function useProjectChoice(): Project[] {
  const projects = useProjects().data?.data ?? NONE;
  return projects.some(({ id }) => id !== DEFAULT_PROJECT) ? projects : NONE;
}

const NONE: Project[] = [];

/** The names of the projects where there is a choice, by id. */
export function useProjectNames(): ReadonlyMap<string, string> {
  const projects = useProjectChoice();
  return useMemo(() => new Map(projects.map(({ id, name }) => [id, name])), [projects]);
}
