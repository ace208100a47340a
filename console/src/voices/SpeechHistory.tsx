import { ActionIcon, Button, Text, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { DownloadIcon, TrashIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api, linkPath, type Result } from '../api/client.ts';
import { useChange, usePages, type Page } from '../api/hooks.ts';
import { cut } from '../parts/TableBody.tsx';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { EmptyState } from '../parts/EmptyState.tsx';
import { Ago, countText } from '../parts/figures.tsx';
import { IconAction } from '../parts/IconAction.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { SearchField } from '../parts/SearchField.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { PlayButton } from './PlayButton.tsx';
import type { Speech } from './voiceTypes.ts';

type Row = Page<Speech>;

/** What was said, to play, to download and to delete. */
export function SpeechHistory() {
  const [{ q = '' }] = useSearchState();
  const [words] = useDebouncedValue(q.trim(), 200);
  const speech = usePages<Speech>(['speech', words], (cursor, signal) => readSpeech({ words, cursor, signal }));
  return (
    <>
      <div className="voice-tools">
        <SearchField label="Search what was said" />
      </div>
      <DataTable
        label="History of speech"
        columns={COLUMNS}
        from={speech}
        rowKey={({ history_item_id: id }) => id}
        noun="item"
        empty={
          <EmptyState
            drawing="signal"
            title={words ? 'Nothing said like that' : 'Nothing said yet'}
            action={
              !words && (
                <Button component={Link} {...pageAt('/playground', { tool: 'speech' })} variant="default">
                  Try speech
                </Button>
              )
            }
          >
            {words
              ? 'No item has these words.'
              : 'Speech of the voice family is listed here, and speech of keys that keep prompts and answers.'}
          </EmptyState>
        }
      />
    </>
  );
}

async function readSpeech({
  words,
  cursor,
  signal,
}: {
  words: string;
  cursor: string | undefined;
  signal: AbortSignal;
}): Promise<Result<Row>> {
  const query = { page_size: 50, start_after_history_item_id: cursor, ...(words && { search: words }) };
  const { data, ...rest } = await api.GET('/voiceapi/v1/history', { params: { query }, signal });
  if (!data) return rest;
  const { history, has_more: hasMore, last_history_item_id: last } = data;
  return { ...rest, data: { data: history, has_more: hasMore, next_cursor: hasMore ? last : null } };
}

const soundPath = ({ history_item_id: id }: Speech): string => linkPath(`/voiceapi/v1/history/${id}/audio`);

const nameOf = ({ text, voice_name: voice }: Speech): string => text.slice(0, 60) || `speech of ${voice}`;

const COLUMNS: Column<Speech>[] = [
  {
    title: 'Text',
    cell: (item) => (
      <span className="voice-line">
        <PlayButton id={item.history_item_id} src={soundPath(item)} name={nameOf(item)} />
        <span className="voice-said" title={item.text}>
          {item.text || 'Converted speech'}
          <span className="cell-sub mantine-hidden-from-sm">
            {item.voice_name} · <Ago at={timeOf(item)} />
          </span>
        </span>
      </span>
    ),
  },
  { title: 'Voice', visibleFrom: 'sm', cell: ({ voice_name: name }) => name },
  { title: 'Model', visibleFrom: 'lg', cell: ({ model_id: id }) => cut(id) },
  { title: 'Format', visibleFrom: 'lg', cell: ({ output_format: format }) => <span className="id">{format}</span> },
  {
    title: 'Characters',
    isNumber: true,
    visibleFrom: 'sm',
    cell: ({ character_count_change_to: count }) => countText(count),
  },
  { title: 'Time', visibleFrom: 'sm', cell: (item) => <Ago at={timeOf(item)} /> },
  { title: 'Actions', isTitleHidden: true, isNumber: true, cell: (item) => <Actions of={item} /> },
];

const timeOf = ({ date_unix: seconds }: Speech): string => new Date(seconds * 1_000).toISOString();

function Actions({ of: item }: { of: Speech }) {
  const [isOpen, setOpen] = useState(false);
  const path = { item_id: item.history_item_id };
  const remove = useChange(() => answerOf(api.DELETE('/voiceapi/v1/history/{item_id}', { params: { path } })), {
    stale: [['speech']],
    done: 'Speech deleted',
    onSuccess: () => setOpen(false),
  });
  return (
    <span className="voice-actions">
      <Tooltip label="Download">
        <ActionIcon
          component="a"
          variant="subtle"
          color="gray"
          href={soundPath(item)}
          download={`${item.history_item_id}.${item.output_format.split('_')[0]}`}
          aria-label={`Download ${nameOf(item)}`}
        >
          <DownloadIcon />
        </ActionIcon>
      </Tooltip>
      <IconAction tip="Delete" name={`Delete ${nameOf(item)}`} onClick={() => setOpen(true)}>
        <TrashIcon />
      </IconAction>
      <ConfirmDialog
        title="Delete this speech?"
        confirmLabel="Delete"
        isOpen={isOpen}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setOpen(false)}
      >
        <Text size="sm">Its text and its audio cannot be restored. The request stays, with its cost.</Text>
      </ConfirmDialog>
    </span>
  );
}
