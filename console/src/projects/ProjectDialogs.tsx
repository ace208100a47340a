import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import type { Project } from '../api/projects.ts';
import { ConfirmDialog, Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm, type DialogFormProps } from '../parts/DialogForm.tsx';
import { countText } from '../parts/figures.tsx';
import { SpendLimitFields } from '../parts/SpendLimitFields.tsx';

type NewProject = components['schemas']['NewProject'];
type ProjectChange = components['schemas']['ProjectChange'];
type Open = { isOpen: boolean; onClose: () => void };

const stale = [['projects']];

/** Creates a project. */
export function CreateProject({ isOpen, onClose, onMade }: Open & { onMade: (project: Project) => void }) {
  const create = useChange((body: NewProject) => answerOf(api.POST('/platform/v1/projects', { body })), {
    stale,
    done: 'Project created',
    onSuccess: (project) => onMade(project),
    onError: () => {},
  });
  return (
    <Dialog title="Create project" isOpen={isOpen} onClose={onClose}>
      <ProjectForm
        submitLabel="Create project"
        isPending={create.isPending}
        error={create.error}
        onSubmit={(body) => create.mutate(body)}
      />
    </Dialog>
  );
}

/** Changes the name and the spend limit of a project. */
export function EditProject({ of: project, isOpen, onClose }: Open & { of: Project }) {
  const change = useProjectChange(project, 'Project saved', onClose, () => {});
  return (
    <Dialog title={`Edit ${project.name}`} isOpen={isOpen} onClose={onClose}>
      <ProjectForm
        from={project}
        submitLabel="Save"
        isPending={change.isPending}
        error={change.error}
        onSubmit={(body) => change.mutate(body)}
      />
    </Dialog>
  );
}

/** Archives a project, after telling what stops. */
export function ArchiveProject({ of: project, isOpen, onClose }: Open & { of: Project }) {
  const archive = useProjectChange(project, 'Project archived', onClose);
  const { keys, name } = project;
  return (
    <ConfirmDialog
      title={`Archive ${name}?`}
      confirmLabel="Archive project"
      isOpen={isOpen}
      isPending={archive.isPending}
      onConfirm={() => archive.mutate({ status: 'archived' })}
      onClose={onClose}
    >
      <Text size="sm">
        {keys === 0
          ? 'It has no active keys.'
          : `Calls with its ${keys === 1 ? 'key' : `${countText(keys)} keys`} are refused within a second.`}{' '}
        Runs in progress go on to their end and are billed. Batches stop, and schedules are paused. What it used stays
        readable, and it can be restored.
      </Text>
    </ConfirmDialog>
  );
}

/** Sends a change of a project. */
export const useProjectChange = (
  { id }: Project,
  done: string,
  onSuccess?: () => void,
  onError?: (error: Error) => void,
) =>
  useChange(
    (body: ProjectChange) =>
      answerOf(api.PATCH('/platform/v1/projects/{project_id}', { params: { path: { project_id: id } }, body })),
    { stale, done, ...(onSuccess && { onSuccess }), ...(onError && { onError }) },
  );

function ProjectForm({ from, onSubmit, ...frame }: DialogFormProps<Project, NewProject>) {
  const form = useForm({
    initialValues: {
      name: from?.name ?? '',
      limit: (from?.spend_limit ?? '') as number | string,
      period: from && from.spend_limit !== null ? (from.spend_limit_period ?? 'never') : 'monthly',
    },
    validate: { name: (name) => (name.trim() === '' ? 'Give it a name, such as a team or an application.' : null) },
  });
  const send = form.onSubmit(({ name, limit, period }) =>
    onSubmit({
      name: name.trim(),
      spend_limit: limit === '' ? null : Number(limit),
      spend_limit_period: limit === '' || period === 'never' ? null : (period as 'daily' | 'monthly'),
    }),
  );
  return (
    <DialogForm {...frame} onSubmit={send}>
      <TextInput
        label="Name"
        placeholder="Support bot"
        withAsterisk
        data-autofocus
        maxLength={100}
        {...form.getInputProps('name')}
      />
      <SpendLimitFields
        limit={form.getInputProps('limit')}
        period={form.getInputProps('period')}
        isUnlimited={form.values.limit === ''}
      />
      <Text size="xs" c="dimmed">
        All keys of the project share the limit. Calls beyond it are refused, exactly as for the limit of a key.
      </Text>
    </DialogForm>
  );
}
