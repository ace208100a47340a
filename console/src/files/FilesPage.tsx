import '../parts/work.css';
import { Badge, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, sendJson } from '../api/client.ts';
import { useAnswer, useChange, usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, TableFailure, type Column } from '../parts/DataTable.tsx';
import { Ago, DateTime } from '../parts/figures.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { RowLink } from '../parts/RowLink.tsx';
import { DropFiles, uploadFile } from './DropFiles.tsx';
import { FilePreview } from './FilePreview.tsx';

type Session = components['schemas']['Session'];

/** A file in either form: OpenAI's, or the agents'. */
interface StoredFile {
  id: string;
  filename: string;
  purpose: string;
  bytes?: number;
  size_bytes?: number;
  media_type?: string;
  created_at: number | string;
}

export default function FilesPage() {
  const [{ view = 'sessions' }, setSearch] = useSearchState();
  return (
    <>
      <PageHeader title="Files and sessions" description="What runs are given, and what they write." />
      <SegmentedControl
        mb="lg"
        aria-label="What to show"
        data={[
          { value: 'sessions', label: 'Sessions' },
          { value: 'files', label: 'Uploaded files' },
        ]}
        value={view}
        onChange={(value) => setSearch({ view: value })}
      />
      {view === 'files' ? <Files /> : <Sessions />}
    </>
  );
}

function Sessions() {
  const [title, setTitle] = useState('');
  const navigate = useNavigate();
  const sessions = usePages<Session>(['sessions'], (cursor, signal) =>
    api.GET('/v1/sessions', { params: { query: { limit: 50, cursor } }, signal }),
  );
  const open = useChange(() => sendJson<Session>('/v1/sessions', title.trim() ? { title: title.trim() } : {}), {
    stale: [['sessions']],
    onSuccess: ({ id }) => void navigate({ to: `/sessions/${id}` }),
  });
  return (
    <Stack>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open.mutate(undefined);
        }}
      >
        <Group align="flex-end">
          <TextInput label="Title" value={title} onChange={(event) => setTitle(event.currentTarget.value)} />
          <Button type="submit" loading={open.isPending}>
            Open a session
          </Button>
        </Group>
      </form>
      <DataTable
        label="Sessions"
        columns={SESSION_COLUMNS}
        from={sessions}
        rowKey={({ id }) => id}
        empty="No session yet. Each run without one opens its own."
      />
    </Stack>
  );
}

const SESSION_COLUMNS: Column<Session>[] = [
  {
    title: 'Session',
    cell: ({ id, title }) => (
      <RowLink to={`/sessions/${id}`} className="row-link file-name">
        {title || id}
      </RowLink>
    ),
  },
  {
    title: 'State',
    cell: ({ status }) => (
      <Badge variant="outline" color="gray" className="badge-plain">
        {status}
      </Badge>
    ),
  },
  { title: 'Changed', cell: ({ updated_at: at }) => <Ago at={at} /> },
  { title: 'Opened', visibleFrom: 'sm', cell: ({ created_at: at }) => <DateTime at={at} /> },
];

function Files() {
  const files = useAnswer(['files'], (signal) => api.GET('/v1/files', { signal }));
  const stale = [['files']];
  const upload = useChange((chosen: File[]) => Promise.all(chosen.map((file) => uploadFile(file))), {
    stale,
    done: 'Uploaded.',
  });
  const [doomed, setDoomed] = useState<StoredFile | null>(null);
  const remove = useChange((id: string) => sendJson(`/v1/files/${id}`, undefined, 'DELETE'), {
    stale,
    onSuccess: () => setDoomed(null),
  });
  if (files.error) return <TableFailure error={files.error} retry={() => void files.refetch()} />;
  const rows = (files.data?.data ?? []) as StoredFile[];
  return (
    <Stack>
      <DropFiles isPending={upload.isPending} onFiles={(chosen) => upload.mutate(chosen)} />
      {files.data && rows.length === 0 && <Text c="dimmed">No file is uploaded.</Text>}
      {rows.map((file) => (
        <Group key={file.id} align="flex-start" wrap="nowrap" gap="sm">
          <div className="grows">
            <FilePreview
              id={file.id}
              name={file.filename}
              mediaType={file.media_type ?? typeByName(file.filename)}
              sizeBytes={file.size_bytes ?? file.bytes ?? 0}
            />
          </div>
          <Button variant="default" size="xs" mt={14} onClick={() => setDoomed(file)}>
            Delete<span className="for-readers"> {file.filename}</span>
          </Button>
        </Group>
      ))}
      <ConfirmDialog
        title="Delete the file"
        confirmLabel="Delete"
        isOpen={doomed !== null}
        isPending={remove.isPending}
        onConfirm={() => doomed && remove.mutate(doomed.id)}
        onClose={() => setDoomed(null)}
      >
        <Text className="file-name">{doomed?.filename} is deleted for good. Copies in sessions stay.</Text>
      </ConfirmDialog>
    </Stack>
  );
}

const TYPES: Record<string, string> = {
  csv: 'text/csv',
  txt: 'text/plain',
  json: 'application/json',
  jsonl: 'application/jsonl',
  md: 'text/markdown',
};

// OpenAI's form of a file does not state its type.
const typeByName = (name: string): string =>
  TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
