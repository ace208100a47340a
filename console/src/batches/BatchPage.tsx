import './batches.css';
import { Button, Group, Stack, Text } from '@mantine/core';
import { DownloadIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { contentPath } from '../files/FilePreview.tsx';
import { CopiedId } from '../parts/CopiedId.tsx';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { Count, countText, DateTime } from '../parts/figures.tsx';
import { HeadlineMoney, Money } from '../parts/Money.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { PageStart } from '../parts/PageStart.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import { usePathParam } from '../parts/usePathParam.ts';
import { BatchMeter } from './BatchMeter.tsx';
import { isCancellable, isOver, stateOf, timeOf, type Batch } from './batchStates.ts';
import { countOf } from '../parts/totals.tsx';

const LIVE_MS = 1_000;

type BatchError = NonNullable<Batch['errors']>['data'][number];

export default function BatchPage() {
  const id = usePathParam('id');
  const params = { path: { batch_id: id } };
  const batch = useAnswer<Batch>(['batches', id], (signal) => api.GET('/v1/batches/{batch_id}', { params, signal }), {
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : LIVE_MS),
  });
  const mayWrite = useMe().scopes.includes('batch');
  if (batch.error && !batch.data) {
    const list = { path: '/batches', name: 'All batches' };
    const retry = () => void batch.refetch();
    return <PageFailure title="Batch" id={id} error={batch.error} retry={retry} list={list} />;
  }
  if (!batch.data) return <PageStart />;
  const { errors } = batch.data;
  return (
    <>
      <PageHeader
        title="Batch"
        description={<CopiedId id={id} name="Copy the batch ID" />}
        actions={mayWrite && isCancellable(batch.data) && <CancelBatch id={id} />}
      />
      <Stack gap="sm">
        <Progression of={batch.data} />
        {errors && (
          <Panel title="Errors of the file" description="No call ran. Fix the file and create a new batch.">
            <DataTable<BatchError>
              label="Errors of the file"
              columns={ERROR_COLUMNS}
              from={{ rows: errors.data, error: null, isLoading: false }}
              rowKey={({ line, code, param }) => `${line} ${code} ${param}`}
              empty="No errors."
            />
          </Panel>
        )}
        <div className="batch-panels">
          <Files of={batch.data} />
          <Times of={batch.data} />
        </div>
      </Stack>
    </>
  );
}

function Progression({ of: batch }: { of: Batch }) {
  const { total, completed, failed } = batch.request_counts;
  const { input_tokens: input, output_tokens: output, cost } = batch.usage;
  return (
    <Stack gap="sm">
      <Figures label="Progress">
        <Figure
          label="Status"
          isWide
          value={
            <span className="figure-text">
              <Status {...stateOf(batch)} />
            </span>
          }
        >
          <span className="id">{batch.endpoint}</span>
        </Figure>
        <Figure label="Answered" value={<Count value={completed} />}>
          of {countOf(total, 'call')}
        </Figure>
        <Figure label="Failed" value={<Count value={failed} />}>
          Failed calls cost nothing
        </Figure>
        <Figure label="Cost" isWide value={<HeadlineMoney usd={cost} />}>
          {countText(input)} in / {countText(output)} out
          {batch.estimate && (
            <>
              , up to <Money usd={batch.estimate.max_cost} />
            </>
          )}
        </Figure>
      </Figures>
      <BatchMeter of={batch} isWide />
    </Stack>
  );
}

const ERROR_COLUMNS: Column<BatchError>[] = [
  { title: 'Line', isNumber: true, cell: ({ line }) => (line === null ? 'File' : countText(line)) },
  { title: 'Error', cell: ({ message }) => message },
  { title: 'Parameter', visibleFrom: 'sm', cell: ({ param }) => <span className="id">{param ?? '—'}</span> },
  { title: 'Code', visibleFrom: 'sm', cell: ({ code }) => <span className="id">{code}</span> },
];

/** The files of a batch, to download. */
function Files({ of: { id, input_file_id: input, output_file_id: output, error_file_id: errors } }: { of: Batch }) {
  const files = [
    { fileId: input, name: 'Calls', file: `${id}_input.jsonl`, what: 'The file you uploaded' },
    { fileId: output, name: 'Answers', file: `${id}_output.jsonl`, what: 'One line per answer' },
    {
      fileId: errors,
      name: 'Errors',
      file: `${id}_error.jsonl`,
      what: 'One line per failed call',
    },
  ];
  return (
    <Panel title="Files" description="Results carry the custom_id of their calls.">
      <Stack gap="sm">
        {files.map(({ fileId, name, file, what }) => (
          <Group key={name} justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm" fw={500}>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                {what}
              </Text>
            </div>
            {fileId ? (
              <Button
                component="a"
                size="xs"
                variant="default"
                flex="none"
                leftSection={<DownloadIcon />}
                href={contentPath(fileId)}
                download={file}
              >
                Download<span className="for-readers"> {name.toLowerCase()}</span>
              </Button>
            ) : (
              <Text size="sm" c="dimmed">
                None
              </Text>
            )}
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

function Times({ of: batch }: { of: Batch }) {
  const times: [name: string, seconds: number | null][] = [
    ['Created', batch.created_at],
    ['Started', batch.in_progress_at],
    ['Cancelled by you', batch.cancelling_at],
    ['Calls ended', batch.finalizing_at],
    ['Ended', batch.completed_at ?? batch.failed_at ?? batch.expired_at ?? batch.cancelled_at],
  ];
  return (
    <Panel title="Timeline">
      <ol className="stages">
        {times
          .filter(([, seconds]) => seconds !== null)
          .map(([name, seconds]) => (
            <li key={name}>
              {name}
              <DateTime at={timeOf(seconds)} />
            </li>
          ))}
        {!isOver(batch) && batch.expires_at !== null && (
          <li data-next>
            Ends by
            <DateTime at={timeOf(batch.expires_at)} />
          </li>
        )}
      </ol>
    </Panel>
  );
}

function CancelBatch({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const cancel = useChange(
    () => answerOf(api.POST('/v1/batches/{batch_id}/cancel', { params: { path: { batch_id: id } } })),
    { stale: [['batches']], done: 'The batch is being cancelled', onSuccess: () => setOpen(false) },
  );
  return (
    <Group>
      <Button variant="default" onClick={() => setOpen(true)}>
        Cancel batch
      </Button>
      <ConfirmDialog
        title="Cancel this batch?"
        confirmLabel="Cancel batch"
        isOpen={isOpen}
        isPending={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined)}
        onClose={() => setOpen(false)}
      >
        <Text size="sm">Calls in progress finish and are billed. The rest do not run and cost nothing.</Text>
      </ConfirmDialog>
    </Group>
  );
}
