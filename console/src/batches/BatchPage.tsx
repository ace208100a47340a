import '../parts/work.css';
import { Anchor, Button, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { contentPath } from '../files/FilePreview.tsx';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { Figure, Figures } from '../parts/Figure.tsx';
import { Count, countText, DateTime } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { PageFailure } from '../parts/PageFailure.tsx';
import { PageHeader } from '../parts/PageHeader.tsx';
import { Panel } from '../parts/Panel.tsx';
import { doneOf, isCancellable, isOver, stateOf, timeOf, type Batch } from './batchStates.ts';

const LIVE_MS = 1_000;

type BatchError = NonNullable<Batch['errors']>['data'][number];

export default function BatchPage() {
  const { id } = useParams({ strict: false }) as { id: string };
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
  if (!batch.data) return <Skeleton height={320} />;
  const { errors } = batch.data;
  return (
    <>
      <PageHeader
        title="Batch"
        description={<span className="id">{id}</span>}
        actions={mayWrite && isCancellable(batch.data) && <CancelBatch id={id} />}
      />
      <Stack gap="lg">
        <Progression of={batch.data} />
        {errors && (
          <Panel title="Errors of the file" description="No line ran. Mend the file, and create a batch of it again.">
            <DataTable<BatchError>
              label="Errors of the file"
              isStacked
              columns={ERROR_COLUMNS}
              from={{ rows: errors.data, error: null, isLoading: false }}
              rowKey={({ line, code, param }) => `${line} ${code} ${param}`}
              empty="No errors."
            />
          </Panel>
        )}
        <Files of={batch.data} />
        <Times of={batch.data} />
      </Stack>
    </>
  );
}

function Progression({ of: batch }: { of: Batch }) {
  const [words, look] = stateOf(batch);
  const { done, share } = doneOf(batch);
  const { total, completed, failed } = batch.request_counts;
  return (
    <>
      <Figures>
        <Figure label="State" isWide value={<span className={`status ${look}`}>{words}</span>}>
          {batch.endpoint}
        </Figure>
        <Figure label="Answered" value={<Count value={completed} />}>
          of {countText(total)} calls
        </Figure>
        <Figure label="Failed" value={<Count value={failed} />}>
          failed calls cost nothing
        </Figure>
        <Figure label="Cost" isWide value={<Money usd={batch.usage.cost} />}>
          {countText(batch.usage.input_tokens)} tokens in, {countText(batch.usage.output_tokens)} out
          {batch.estimate && (
            <>
              , of <Money usd={batch.estimate.max_cost} /> at most
            </>
          )}
        </Figure>
      </Figures>
      <Progress
        value={share}
        color="ledger.7"
        aria-label={`${countText(done)} of ${countText(total)} calls are done`}
        animated={!isOver(batch)}
      />
    </>
  );
}

const ERROR_COLUMNS: Column<BatchError>[] = [
  { title: 'Line', isNumber: true, cell: ({ line }) => (line === null ? 'File' : countText(line)) },
  { title: 'What is wrong', cell: ({ message }) => <span className="cell-short">{message}</span> },
  { title: 'Parameter', cell: ({ param }) => <span className="id">{param ?? '—'}</span> },
  { title: 'Code', visibleFrom: 'sm', cell: ({ code }) => <span className="id">{code}</span> },
];

/** The files of a batch, to download. */
function Files({ of: { id, input_file_id: input, output_file_id: output, error_file_id: errors } }: { of: Batch }) {
  const files = [
    { fileId: input, name: 'Calls', file: `${id}_input.jsonl`, what: 'The file that was uploaded' },
    { fileId: output, name: 'Answers', file: `${id}_output.jsonl`, what: 'A line for each answered call' },
    {
      fileId: errors,
      name: 'Errors',
      file: `${id}_error.jsonl`,
      what: 'A line for each call that failed or did not run',
    },
  ];
  return (
    <Panel title="Files" description="Each line of a result has the custom_id of its call.">
      <Stack gap="sm">
        {files.map(({ fileId, name, file, what }) => (
          <div key={name} className="file file-line">
            <div>
              <Text fw={600}>{name}</Text>
              <Text size="sm" c="dimmed">
                {what}
              </Text>
            </div>
            {fileId ? (
              <Anchor href={contentPath(fileId)} download={file}>
                Download<span className="for-readers"> {name.toLowerCase()}</span>
              </Anchor>
            ) : (
              <Text size="sm" c="dimmed">
                None
              </Text>
            )}
          </div>
        ))}
      </Stack>
    </Panel>
  );
}

function Times({ of: batch }: { of: Batch }) {
  const times: [name: string, seconds: number | null][] = [
    ['Created', batch.created_at],
    ['Began', batch.in_progress_at],
    ['Cancelled by you', batch.cancelling_at],
    ['Calls ended', batch.finalizing_at],
    ['Ended', batch.completed_at ?? batch.failed_at ?? batch.expired_at ?? batch.cancelled_at],
    ['Ends at the latest', isOver(batch) ? null : batch.expires_at],
  ];
  return (
    <Panel title="Times">
      <dl className="facts">
        {times
          .filter(([, seconds]) => seconds !== null)
          .map(([name, seconds]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <DateTime at={timeOf(seconds)} />
              </dd>
            </div>
          ))}
      </dl>
    </Panel>
  );
}

function CancelBatch({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const cancel = useChange(
    () => answerOf(api.POST('/v1/batches/{batch_id}/cancel', { params: { path: { batch_id: id } } })),
    { stale: [['batches']], onSuccess: () => setOpen(false) },
  );
  return (
    <Group>
      <Button variant="default" onClick={() => setOpen(true)}>
        Cancel the batch
      </Button>
      <ConfirmDialog
        title="Cancel this batch?"
        confirmLabel="Cancel the batch"
        isOpen={isOpen}
        isPending={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined)}
        onClose={() => setOpen(false)}
      >
        <Text size="sm">Calls that run are finished and billed. The others do not run, and cost nothing.</Text>
      </ConfirmDialog>
    </Group>
  );
}
