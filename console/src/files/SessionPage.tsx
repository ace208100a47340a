import '../parts/work.css';
import { Alert, Anchor, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, sendJson } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { CopiedId } from '../parts/CopiedId.tsx';
import { TableFailure } from '../parts/DataTable.tsx';
import { Form } from '../parts/Form.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { PageStart } from '../parts/PageStart.tsx';
import { Panel } from '../parts/Panel.tsx';
import { countOf } from '../parts/totals.tsx';
import { usePathParam } from '../parts/usePathParam.ts';
import { DropFiles } from './DropFiles.tsx';
import { addFile } from './uploadFile.ts';
import { EntryTree, type Entry } from './EntryTree.tsx';
import { SessionState } from './SessionState.tsx';
import { SessionStatus } from './Sessions.tsx';
import { sizeText } from './sizes.ts';

type List = components['schemas']['SessionFileList'];

const BUSY_MS = 2_000;

export default function SessionPage() {
  const id = usePathParam('id');
  const navigate = useNavigate();
  const [isDoomed, setDoomed] = useState(false);
  const session = useAnswer(['sessions', id], (signal) =>
    api.GET('/v1/sessions/{session_id}', { params: { path: { session_id: id } }, signal }),
  );
  const remove = useChange(() => sendJson(`/v1/sessions/${id}`, undefined, 'DELETE'), {
    stale: [['sessions']],
    done: 'Session deleted',
    onSuccess: () => void navigate({ to: '/files' }),
  });
  if (session.error && !session.data) {
    const list = { path: '/files', name: 'All sessions' };
    const retry = () => void session.refetch();
    return <PageFailure title="Session" id={id} error={session.error} retry={retry} list={list} />;
  }
  if (!session.data) return <PageStart />;
  const { title, status, active_run_id: runId } = session.data;
  return (
    <>
      <PageHeader
        title={title || 'Session'}
        description={
          <Group component="span" gap="sm">
            <SessionStatus of={status} />
            <CopiedId id={id} name="Copy the session ID" />
          </Group>
        }
        actions={
          <>
            {runId && (
              <Anchor component={Link} {...{ to: `/runs/${runId}` }}>
                Active run
              </Anchor>
            )}
            <Button variant="default" onClick={() => setDoomed(true)}>
              Delete session
            </Button>
          </>
        }
      />
      <Stack gap="lg" className="in-order">
        <SessionState id={id} isBusy={status === 'busy'} />
        <SessionFiles id={id} />
      </Stack>
      <ConfirmDialog
        title="Delete this session?"
        confirmLabel="Delete session"
        isOpen={isDoomed}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setDoomed(false)}
      >
        <Text>Its conversation, its state and its files are deleted for good.</Text>
      </ConfirmDialog>
    </>
  );
}

/** All entries of a session: each directory is a separate list, read page by page. */
async function readAll(id: string): Promise<{ entries: Entry[]; last: List }> {
  const entries: Entry[] = [];
  const directories: (string | null)[] = [null];
  let last: List | undefined;
  for (const directory of directories) {
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ ...(directory && { parent_id: directory }), ...(cursor && { cursor }) });
      const page: List = await sendJson<List>(`/v1/sessions/${id}/files?${query.toString()}`);
      entries.push(...page.data);
      directories.push(...page.data.filter(({ kind }) => kind === 'directory').map((entry) => entry.id));
      last = page;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }
  return { entries, last: last! };
}

function SessionFiles({ id }: { id: string }) {
  const key = ['sessions', id, 'files'];
  const files = useQuery({
    queryKey: key,
    queryFn: () => readAll(id),
    refetchInterval: ({ state }) => (state.data?.last.busy ? BUSY_MS : false),
  });
  const [parentId, setParentId] = useState<string | undefined>();
  const upload = useChange(
    (chosen: File[]) => Promise.all(chosen.map((file) => addFile(file, { sessionId: id, parentId }))),
    { stale: [key], done: ({ length }) => `${countOf(length, 'file')} added` },
  );
  if (files.error && !files.data) return <TableFailure error={files.error} retry={() => void files.refetch()} />;
  if (!files.data) return <Skeleton height={240} />;
  const { entries, last } = files.data;
  const usedBytes = entries.reduce((sum, { file }) => sum + (file?.size_bytes ?? 0), 0);
  const parent = entries.find((entry) => entry.id === parentId);
  return (
    <Stack gap="lg">
      {last.busy && <Alert title="A run is active">It may change these files. The list updates itself.</Alert>}
      {last.save_error && (
        <Alert color="red" title="Not everything was saved">
          {last.save_error.message}
        </Alert>
      )}
      <Panel
        title="Files"
        description={`${sizeText(usedBytes)} of ${sizeText(last.storage_limit_bytes)}, up to ${sizeText(last.max_file_bytes)} per file`}
      >
        <Stack>
          <EntryTree entries={entries} sessionId={id} chosenId={parentId} onChoose={setParentId} />
          <Text size="sm">
            Uploads go to <b className="file-name">{parent ? parent.path : 'the top directory'}</b>
            {parent && (
              <>
                {' '}
                <Button variant="default" size="compact-xs" onClick={() => setParentId(undefined)}>
                  Use the top directory
                </Button>
              </>
            )}
          </Text>
          <DropFiles isPending={upload.isPending} onFiles={(chosen) => upload.mutate(chosen)} />
          <NewDirectory sessionId={id} parentId={parentId} stale={[key]} />
        </Stack>
      </Panel>
    </Stack>
  );
}

function NewDirectory({
  sessionId,
  parentId,
  stale,
}: {
  sessionId: string;
  parentId: string | undefined;
  stale: unknown[][];
}) {
  const [name, setName] = useState('');
  const make = useChange(
    () =>
      sendJson(`/v1/sessions/${sessionId}/files`, {
        kind: 'directory',
        name,
        ...(parentId && { parent_id: parentId }),
      }),
    { stale, onSuccess: () => setName(''), onError: () => {} },
  );
  return (
    <Form error={make.error} onSubmit={() => make.mutate(undefined)}>
      <div className="setting">
        <TextInput
          label="New directory"
          name="name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={make.isPending} disabled={!name.trim()}>
          Create
        </Button>
      </div>
    </Form>
  );
}
