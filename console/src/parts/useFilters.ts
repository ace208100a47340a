import { useKeyChoice } from '../api/keys.ts';
import { useProjectChoice } from '../api/projects.ts';
import { useModels } from '../api/models.ts';
import type { Filter } from './FilterField.tsx';
import { useSearchState } from './useSearchState.ts';

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
  const [{ key: present }] = useSearchState();
  return { label: 'Key', names: ['key'], ...useKeyChoice({ present }) };
}

/** The filter of a list by project: none in a workspace with one project alone. */
export function useProjectFilter(): Filter[] {
  const projects = useProjectChoice();
  if (projects.length === 0) return [];
  return [
    { label: 'Project', names: ['project'], options: projects.map(({ id, name }) => ({ value: id, label: name })) },
  ];
}
