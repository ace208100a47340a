import { Button, Group, Text, TextInput } from '@mantine/core';
import { ArchiveIcon, CounterClockwiseClockIcon, Pencil1Icon, TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { ConfirmDialog, Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { IconAction } from '../parts/IconAction.tsx';
import { FilePreview } from './FilePreview.tsx';
import { Revisions } from './Revisions.tsx';

export type Entry = components['schemas']['SessionFile'];

interface Tools {
  chosenId: string | undefined;
  onChoose: (id: string | undefined) => void;
  onRename: (entry: Entry) => void;
  onDelete: (entry: Entry) => void;
  onRevisions: (entry: Entry) => void;
}

/** The files of a session as a tree of directories. Names are the agents' and are shown as text. */
export function EntryTree({
  entries,
  sessionId,
  chosenId,
  onChoose,
}: {
  entries: Entry[];
  sessionId: string;
  chosenId: string | undefined;
  onChoose: (id: string | undefined) => void;
}) {
  const [renamed, setRenamed] = useState<Entry | null>(null);
  const [doomed, setDoomed] = useState<Entry | null>(null);
  const [viewed, setViewed] = useState<Entry | null>(null);
  const stale = [['sessions', sessionId, 'files']];
  const path = (entry: Entry | null) => `/v1/sessions/${sessionId}/files/${entry?.id}`;
  const remove = useChange(() => sendJson(path(doomed), undefined, 'DELETE'), {
    stale,
    done: 'Deleted from the session',
    onSuccess: () => setDoomed(null),
  });
  if (entries.length === 0) return <Text c="dimmed">No files yet.</Text>;
  const ids = new Set(entries.map(({ id }) => id));
  // No entry has the id of the top directory.
  const top = entries.filter((entry) => !ids.has(entry.parent_id));
  const tools = { chosenId, onChoose, onRename: setRenamed, onDelete: setDoomed, onRevisions: setViewed };
  return (
    <>
      <Branch entries={top} all={entries} tools={tools} label="Files of the session" />
      <ConfirmDialog
        title="Delete from this session?"
        confirmLabel="Delete"
        isOpen={doomed !== null}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setDoomed(null)}
      >
        <Text className="file-name">
          {doomed?.path}
          {doomed?.kind === 'directory' ? ' and everything in it' : ''} is deleted.
        </Text>
      </ConfirmDialog>
      <Dialog title="Rename" isOpen={renamed !== null} onClose={() => setRenamed(null)}>
        {renamed && <RenameForm entry={renamed} path={path(renamed)} stale={stale} onDone={() => setRenamed(null)} />}
      </Dialog>
      <Dialog title={`Versions of ${viewed?.name ?? ''}`} isOpen={viewed !== null} onClose={() => setViewed(null)}>
        {viewed && <Revisions entry={viewed} />}
      </Dialog>
    </>
  );
}

function Branch({ entries, all, tools, label }: { entries: Entry[]; all: Entry[]; tools: Tools; label: string }) {
  const sorted = entries.toSorted((one, other) =>
    one.kind === other.kind ? one.name.localeCompare(other.name) : one.kind === 'directory' ? -1 : 1,
  );
  return (
    <ul className="tree" aria-label={label}>
      {sorted.map((entry) => (
        <li key={entry.id}>
          <div className="tree-line">
            {entry.kind === 'directory' && <DirectoryLine entry={entry} tools={tools} />}
            {entry.file && (
              <div className="grows">
                <FilePreview
                  id={entry.file.id}
                  name={entry.name}
                  mediaType={entry.file.media_type}
                  sizeBytes={entry.file.size_bytes}
                  actions={<EntryActions entry={entry} tools={tools} />}
                />
              </div>
            )}
            {entry.kind === 'directory' && <EntryActions entry={entry} tools={tools} />}
          </div>
          {entry.kind === 'directory' && (
            <Branch
              entries={all.filter(({ parent_id: parent }) => parent === entry.id)}
              all={all}
              tools={tools}
              label={entry.name}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

const EntryActions = ({ entry, tools }: { entry: Entry; tools: Tools }) => (
  <Group gap={4} wrap="nowrap">
    {entry.file && (
      <IconAction tip="Versions" name={`Versions of ${entry.name}`} onClick={() => tools.onRevisions(entry)}>
        <CounterClockwiseClockIcon />
      </IconAction>
    )}
    <IconAction tip="Rename" name={`Rename ${entry.name}`} onClick={() => tools.onRename(entry)}>
      <Pencil1Icon />
    </IconAction>
    <IconAction tip="Delete" name={`Delete ${entry.name}`} onClick={() => tools.onDelete(entry)}>
      <TrashIcon />
    </IconAction>
  </Group>
);

function DirectoryLine({ entry, tools }: { entry: Entry; tools: Tools }) {
  const isChosen = tools.chosenId === entry.id;
  return (
    <Button
      variant={isChosen ? 'light' : 'subtle'}
      color="gray"
      size="compact-sm"
      leftSection={<ArchiveIcon />}
      aria-pressed={isChosen}
      onClick={() => tools.onChoose(isChosen ? undefined : entry.id)}
    >
      {entry.name}/
    </Button>
  );
}

function RenameForm({
  entry,
  path,
  stale,
  onDone,
}: {
  entry: Entry;
  path: string;
  stale: string[][];
  onDone: () => void;
}) {
  const [name, setName] = useState(entry.name);
  const rename = useChange(() => sendJson(path, { name }, 'PATCH'), {
    stale,
    done: `Renamed to ${name}`,
    onSuccess: onDone,
    onError: () => {},
  });
  return (
    <DialogForm
      submitLabel="Rename"
      isPending={rename.isPending}
      isDisabled={!name.trim() || name === entry.name}
      error={rename.error}
      onSubmit={() => rename.mutate(undefined)}
    >
      <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} data-autofocus />
    </DialogForm>
  );
}
