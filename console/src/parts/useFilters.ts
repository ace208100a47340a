import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { useProjectChoice } from '../api/projects.ts';
import { useModels } from '../api/models.ts';
import type { Filter } from './FilterField.tsx';

/** The filter of a list by its model. */
export function useModelFilter(): Filter {
  const models = useModels();
  return {
    label: 'Model',
    names: ['model'],
    options: models.data?.data.map(({ id }) => ({ value: id, label: id })) ?? [],
  };
}

/** The filter of a list by the key of its calls. */
export function useKeyFilter(): Filter {
  const keys = useAnswer(['keys'], (signal) => api.GET('/console/v1/keys', { signal }), { staleTime: 60_000 });
  return {
    label: 'Key',
    names: ['key'],
    options: keys.data?.data.map(({ id, name, prefix }) => ({ value: id, label: `${name} (${prefix})` })) ?? [],
  };
}

/** The filter of a list by project: none in a workspace with one project alone. */
export function useProjectFilter(): Filter[] {
  const projects = useProjectChoice();
  if (projects.length === 0) return [];
  return [
    { label: 'Project', names: ['project'], options: projects.map(({ id, name }) => ({ value: id, label: name })) },
  ];
}
