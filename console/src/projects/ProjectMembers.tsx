import { Button, MultiSelect, Radio, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { rowsFrom, useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import type { components } from '../api/openapi.d.ts';
import { DEFAULT_PROJECT, useProjectChoice, type Project } from '../api/projects.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { Panel } from '../parts/Panel.tsx';
import { capitalised } from '../parts/capitalised.ts';

type Member = components['schemas']['Member'];

/** Owners and finance people always see everything. */
const LIMITABLE = ['developer', 'publisher'];

/** Who sees a project: members who are not limited, and those who are limited to it among others. */
export function ProjectMembers({ of: { id } }: { of: Project }) {
  const isOwner = useMe().role === 'owner';
  const [open, setOpen] = useState<Member>();
  const members = useAnswer(['members', 'projects'], (signal) => api.GET('/console/v1/members', { signal }));
  const seeing = members.data?.data.filter(({ project_ids: ids }) => isOwner || ids === null || ids.includes(id));
  const columns: Column<Member>[] = [
    { title: 'Name', cell: ({ name }) => <span className="cell-short">{name}</span> },
    { title: 'Email', visibleFrom: 'sm', cell: ({ email }) => <span className="cell-short">{email}</span> },
    { title: 'Role', visibleFrom: 'sm', cell: ({ role }) => capitalised(role) },
    { title: 'Sees', cell: ({ project_ids: ids }) => accessText(ids, id) },
    ...(isOwner
      ? [
          {
            title: 'Actions',
            isTitleHidden: true,
            isNumber: true,
            cell: (member: Member) =>
              LIMITABLE.includes(member.role) && (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Change what ${member.name} sees`}
                  onClick={() => setOpen(member)}
                >
                  Change
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <Panel title="Members" description="Developers and publishers can be limited to projects. Others see everything.">
      <DataTable
        label="Members"
        columns={columns}
        from={rowsFrom(members, seeing)}
        rowKey={({ user_id: userId }) => userId}
        empty="No members."
      />
      <Dialog title={`What ${open?.name} sees`} isOpen={open !== undefined} onClose={() => setOpen(undefined)}>
        {open && <AccessForm key={open.user_id} of={open} projectId={id} onDone={() => setOpen(undefined)} />}
      </Dialog>
    </Panel>
  );
}

function accessText(ids: string[] | null, here: string): string {
  if (ids === null) return 'All projects';
  if (!ids.includes(here)) return 'Other projects only';
  if (ids.length === 1) return 'This project only';
  return `This and ${ids.length - 1} more`;
}

function AccessForm({ of: member, projectId, onDone }: { of: Member; projectId: string; onDone: () => void }) {
  const projects = useProjectChoice().filter(({ id }) => id !== DEFAULT_PROJECT);
  const form = useForm({
    initialValues: {
      isLimited: member.project_ids !== null,
      ids: member.project_ids ?? (projectId === DEFAULT_PROJECT ? [] : [projectId]),
    },
    validate: { ids: (ids, { isLimited }) => (isLimited && ids.length === 0 ? 'Choose at least one.' : null) },
  });
  const save = useChange(
    (ids: string[] | null) =>
      answerOf(
        api.PATCH('/console/v1/members/{user_id}', {
          params: { path: { user_id: member.user_id } },
          body: { project_ids: ids },
        }),
      ),
    { stale: [['members']], done: 'Access changed', onSuccess: onDone, onError: () => {} },
  );
  const { isLimited } = form.values;
  return (
    <DialogForm
      submitLabel="Save"
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit(({ ids }) => save.mutate(isLimited ? ids : null))}
    >
      <Radio.Group
        aria-label="Sees"
        value={isLimited ? 'some' : 'all'}
        onChange={(value) => form.setFieldValue('isLimited', value === 'some')}
      >
        <Stack gap="xs">
          <Radio value="all" label="The whole workspace" />
          <Radio
            value="some"
            label="Only these projects"
            description="Their keys, requests, usage and runs. New keys, and calls from the console, go to the first."
          />
        </Stack>
      </Radio.Group>
      {isLimited && (
        <MultiSelect
          label="Projects"
          data={projects.map(({ id, name }) => ({ value: id, label: name }))}
          searchable
          {...form.getInputProps('ids')}
        />
      )}
    </DialogForm>
  );
}
