import { Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useProjectChoice } from '../api/projects.ts';
import type { Key } from './keyTypes.ts';
import { CHOICES_MAX, SEARCHED_FROM } from '../parts/FilterField.tsx';
import type { KeyValues } from './keyValues.ts';

/** Where there are several projects: that of the key. A key that another one made moves with it. */
export function ProjectField({ form, from }: { form: UseFormReturnType<KeyValues>; from: Key | undefined }) {
  const projects = useProjectChoice();
  if (projects.length === 0) return null;
  const { project } = form.values;
  const open = projects.filter(({ id, status }) => status === 'active' || id === project);
  return (
    <Select
      label="Project"
      description={from && from.parent_id === null ? 'What it has used stays in its present project.' : undefined}
      data={open.map(({ id, name }) => ({ value: id, label: name }))}
      disabled={Boolean(from?.parent_id)}
      allowDeselect={false}
      searchable={open.length > SEARCHED_FROM}
      limit={CHOICES_MAX}
      {...form.getInputProps('project')}
      value={project ?? open[0]?.id ?? null}
    />
  );
}
