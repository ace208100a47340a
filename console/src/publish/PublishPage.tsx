import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, sendJson } from '../api/client.ts';
import { ApiFailure, sentenceOf } from '../api/failure.ts';
import { useChange, usePages } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Ago } from '../parts/figures.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { RowLink } from '../parts/RowLink.tsx';
import type { PublisherAgent } from './configuration.ts';
import { Earnings } from './Earnings.tsx';
import { DeploymentStatus } from './reviewParts.tsx';

export default function PublishPage() {
  const [isOpen, setOpen] = useState(false);
  const agents = usePages<PublisherAgent>(['publisher', 'agents'], (cursor, signal) =>
    api.GET('/v1/publisher/agents', { params: { query: { limit: 50, cursor } }, signal }),
  );
  return (
    <>
      <PageHeader
        title="Publish"
        description="Your agents: draft, try privately, submit for review, and earn from each run."
        actions={<Button onClick={() => setOpen(true)}>New agent</Button>}
      />
      <Stack gap="lg">
        <DataTable
          label="Your agents"
          columns={COLUMNS}
          from={agents}
          rowKey={({ id }) => id}
          empty="No agents yet. A draft is yours alone until you submit it."
        />
        <Earnings />
      </Stack>
      <Dialog title="New agent" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewAgent />
      </Dialog>
    </>
  );
}

const COLUMNS: Column<PublisherAgent>[] = [
  {
    title: 'Agent',
    cell: ({ id, namespace, slug, name }) => (
      <>
        <RowLink to={`/publish/${id}`} className="row-link cell-name">
          {name || slug}
        </RowLink>
        <Text size="sm" c="dimmed" className="id">
          {namespace}/{slug}
        </Text>
      </>
    ),
  },
  {
    title: 'Public',
    cell: ({ public_deployment: live }) => (live ? <DeploymentStatus {...live} /> : 'not yet'),
  },
  {
    title: 'Review',
    cell: ({ public_submission: submission }) => (submission ? <DeploymentStatus {...submission} /> : '—'),
  },
  { title: 'Private', visibleFrom: 'sm', cell: ({ private_deployment: own }) => (own ? 'deployed' : '—') },
  { title: 'Changed', visibleFrom: 'sm', cell: ({ updated_at: at }) => <Ago at={at} /> },
];

const FIELDS = [
  { name: 'name', label: 'Name', description: 'What callers read' },
  { name: 'namespace', label: 'Namespace', description: 'Yours for ever: lowercase letters, digits and hyphens' },
  { name: 'slug', label: 'Name in calls', description: 'Calls name the agent namespace/name' },
] as const;

function NewAgent() {
  const navigate = useNavigate();
  const [values, setValues] = useState({ name: '', namespace: '', slug: '' });
  const make = useChange(() => sendJson<PublisherAgent>('/v1/publisher/agents', values), {
    stale: [['publisher']],
    onSuccess: ({ id }) => void navigate({ to: `/publish/${id}` }),
    onError: () => {},
  });
  const errorOf = (path: string) =>
    make.error instanceof ApiFailure ? make.error.fields.find((field) => field.path === path)?.message : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate(undefined);
      }}
    >
      <Stack gap="sm">
        {FIELDS.map(({ name, label, description }) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            required
            value={values[name]}
            error={errorOf(name)}
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        ))}
        {make.error && !FIELDS.some(({ name }) => errorOf(name)) && (
          <Text role="alert" className="text-bad">
            {sentenceOf(make.error)}
          </Text>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={make.isPending}>
            Make the draft
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
