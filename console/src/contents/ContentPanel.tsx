import './contents.css';
import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import type { RequestRow } from '../api/shapes.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { TableFailure } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { IconAction } from '../parts/IconAction.tsx';
import { Panel } from '../parts/Panel.tsx';
import { ReadableData } from '../parts/Readable.tsx';
import { ContentLines } from './ContentLines.tsx';
import { linesOf } from './contentMessages.ts';
import { useContent, type Content } from './useContent.ts';

/** What a request was asked and answered, where its key keeps that. */
export function ContentPanel({ request }: { request: RequestRow }) {
  const { scopes } = useMe();
  if (!request.has_content) return null;
  if (!scopes.includes('contents'))
    return (
      <Panel title="Prompt and answer">
        <Text size="sm">Kept. Owners and developers of the workspace can read it.</Text>
      </Panel>
    );
  return <Readable request={request} />;
}

function Readable({ request }: { request: RequestRow }) {
  const content = useContent(request.id);
  const [view, setView] = useState('messages');
  const lines = content.data && linesOf(content.data);
  const shown = lines ? view : 'json';
  return (
    <Panel
      title="Prompt and answer"
      description={content.data && <Facts of={content.data} />}
      actions={
        <Group gap="xs">
          {lines && (
            <SegmentedControl
              size="xs"
              aria-label="Shown as"
              value={shown}
              onChange={setView}
              data={[
                { value: 'messages', label: 'Messages' },
                { value: 'json', label: 'JSON' },
              ]}
            />
          )}
          <DeleteContent id={request.id} />
        </Group>
      }
    >
      {content.error ? (
        <TableFailure error={content.error} retry={() => void content.refetch()} />
      ) : !content.data ? (
        <Skeleton height={160} aria-label="Loading" />
      ) : shown === 'messages' ? (
        <ContentLines lines={lines!} />
      ) : (
        <Stack>
          <ReadableData title="Request" value={content.data.request} />
          {content.data.answer !== null && <ReadableData title="Answer" value={content.data.answer} />}
        </Stack>
      )}
    </Panel>
  );
}

function Facts({ of: { ended, is_truncated: isTruncated, expires_at: at } }: { of: Content }) {
  return (
    <>
      {ended === 'client_left' && 'The client disconnected: the answer is what was produced until then. '}
      {ended === 'failed' && 'The call failed. '}
      {isTruncated && 'Long texts were cut. '}
      Kept until <DateTime at={at} />. Each reading is in the audit.
    </>
  );
}

function DeleteContent({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const remove = useChange(
    () => answerOf(api.DELETE('/platform/v1/requests/{request_id}/content', { params: { path: { request_id: id } } })),
    { done: 'Prompt and answer deleted', stale: [['requests']], onSuccess: () => setOpen(false) },
  );
  return (
    <>
      <IconAction tip="Delete the prompt and answer" onClick={() => setOpen(true)}>
        <TrashIcon />
      </IconAction>
      <ConfirmDialog
        title="Delete the prompt and answer?"
        confirmLabel="Delete"
        isOpen={isOpen}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setOpen(false)}
      >
        <Text size="sm">They cannot be restored. The request itself stays, with its cost.</Text>
      </ConfirmDialog>
    </>
  );
}
