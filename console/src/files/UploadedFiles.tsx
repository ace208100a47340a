import { Group, Stack, Text } from '@mantine/core';
import { TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { api, sendJson } from '../api/client.ts';
import { isMissing, sentenceOf } from '../api/failure.ts';
import { useAnswer, useChange, usePages } from '../api/hooks.ts';
import { AbsentNote } from '../parts/AbsentNote.tsx';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago } from '../parts/figures.tsx';
import { IconAction } from '../parts/IconAction.tsx';
import { countOf } from '../parts/totals.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { DropFiles } from './DropFiles.tsx';
import { uploadFile } from './uploadFile.ts';
import { DownloadAction, FilePreview } from './FilePreview.tsx';
import { sizeText } from './sizes.ts';
import { Sheet } from '../parts/Sheet.tsx';

interface Row {
  id: string;
  name: string;
  purpose: string;
  mediaType: string;
  sizeBytes: number;
  createdAt: string;
}

/** A file in either form: OpenAI's, or the agents'. */
type Listed = { id: string; filename: string; purpose: string } & (
  { bytes: number; created_at: number } | { media_type: string; size_bytes: number; created_at: string }
);

/** The files that were uploaded by themselves, newest first. A file opens at the side. */
export function UploadedFiles() {
  const [{ file: openId }, setSearch] = useSearchState();
  const files = usePages(['files'], async (cursor, signal) => {
    const { data, ...answer } = await api.GET('/v1/files', { params: { query: { limit: 50, cursor } }, signal });
    return { ...answer, data: data && { ...data, data: data.data.map(rowOf) } };
  });
  const stale = [['files']];
  const upload = useChange((chosen: File[]) => Promise.all(chosen.map((file) => uploadFile(file, 'agent_input'))), {
    stale,
    done: ({ length }) => `${countOf(length, 'file')} uploaded`,
  });
  const [doomed, setDoomed] = useState<Row | null>(null);
  const remove = useChange((id: string) => sendJson(`/v1/files/${id}`, undefined, 'DELETE'), {
    stale,
    done: 'File deleted',
    onSuccess: () => setDoomed(null),
  });
  const listed = files.rows?.find(({ id }) => id === openId);
  // A link to one that is not among the first.
  const found = useAnswer(
    ['files', 'one', openId],
    (signal) => api.GET('/v1/files/{file_id}', { params: { path: { file_id: openId! } }, signal }),
    { enabled: openId !== undefined && files.rows !== undefined && !listed },
  );
  const shown = listed ?? (openId !== undefined && found.data ? rowOf(found.data) : undefined);
  const close = () => setSearch({ file: undefined });
  return (
    <Stack>
      <DropFiles isPending={upload.isPending} onFiles={(chosen) => upload.mutate(chosen)} />
      {found.error && !shown && (
        <AbsentNote title={isMissing(found.error) ? 'File not found' : 'The file could not be read'} onClose={close}>
          {isMissing(found.error)
            ? 'This workspace has no file with the ID of this address. It may be deleted.'
            : sentenceOf(found.error)}
        </AbsentNote>
      )}
      <DataTable
        label="Uploaded files"
        columns={columnsWith(setDoomed)}
        from={files}
        rowKey={({ id }) => id}
        noun="file"
        rowTo={({ id }) => `/files?view=files&file=${id}`}
        empty={
          <EmptyState drawing="files" title="No files yet">
            Upload what runs or batches read: tables, documents, pictures, sound.
          </EmptyState>
        }
      />
      <Sheet isOpen={shown !== undefined} onClose={close} size="xl" title="File">
        {shown && (
          <FilePreview
            key={shown.id}
            id={shown.id}
            name={shown.name}
            mediaType={shown.mediaType}
            sizeBytes={shown.sizeBytes}
            isShown
          />
        )}
      </Sheet>
      <ConfirmDialog
        title="Delete this file?"
        confirmLabel="Delete file"
        isOpen={doomed !== null}
        isPending={remove.isPending}
        onConfirm={() => doomed && remove.mutate(doomed.id)}
        onClose={() => setDoomed(null)}
      >
        <Text size="sm" className="file-name">
          {doomed?.name} is deleted for good. Copies in sessions stay.
        </Text>
      </ConfirmDialog>
    </Stack>
  );
}

function columnsWith(onDelete: (row: Row) => void): Column<Row>[] {
  return [
    {
      title: 'Name',
      cell: ({ name }) => (
        <span className="file-cell" title={name}>
          {name}
        </span>
      ),
    },
    { title: 'Type', visibleFrom: 'lg', cell: ({ mediaType }) => mediaType },
    { title: 'Purpose', visibleFrom: 'sm', cell: ({ purpose }) => purpose.replaceAll('_', ' ') },
    { title: 'Size', isNumber: true, cell: ({ sizeBytes }) => <span className="number">{sizeText(sizeBytes)}</span> },
    { title: 'Uploaded', visibleFrom: 'sm', cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      isNumber: true,
      cell: (row) => (
        <Group gap={4} justify="flex-end" wrap="nowrap" my={-4}>
          <DownloadAction id={row.id} name={row.name} />
          <IconAction tip="Delete" name={`Delete ${row.name}`} onClick={() => onDelete(row)}>
            <TrashIcon />
          </IconAction>
        </Group>
      ),
    },
  ];
}

function rowOf(file: Listed): Row {
  const { id, filename: name, purpose } = file;
  if ('bytes' in file) {
    const createdAt = new Date(file.created_at * 1_000).toISOString();
    return { id, name, purpose, mediaType: typeByName(name), sizeBytes: file.bytes, createdAt };
  }
  return { id, name, purpose, mediaType: file.media_type, sizeBytes: file.size_bytes, createdAt: file.created_at };
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
