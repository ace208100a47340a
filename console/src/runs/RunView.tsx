import '../parts/work.css';
import { Alert, Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { api, sendJson } from '../api/client.ts';
import { useEventStream } from '../api/events.ts';
import { readAnew, useAnswer, useChange } from '../api/hooks.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { DateTime, durationText } from '../parts/figures.tsx';
import { Money } from '../parts/Money.tsx';
import { Panel } from '../parts/Panel.tsx';
import { FilePreview } from '../files/FilePreview.tsx';
import { isOver, RunStatus } from './RunStatus.tsx';
import { RunMeters } from './RunMeters.tsx';
import { RunSteps } from './RunSteps.tsx';
import { RunAction } from './RunAction.tsx';
import { isLastType, NO_PROGRESS, withEvent, type Progress, type Run, type RunEvent } from './runEvents.ts';

const WAITING_MS = 10_000;

/** Reads a run and follows its events while the component is mounted. */
export function useRun(id: string) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress>(NO_PROGRESS);
  const run = useAnswer(
    ['runs', id],
    (signal) => api.GET('/v1/runs/{run_id}', { params: { path: { run_id: id } }, signal }),
    // No event reports that it waits for a worker.
    { refetchInterval: ({ state }) => (state.data?.status === 'in_progress' ? WAITING_MS : false) },
  );
  const onEvent = useCallback(
    ({ data }: { data: string }) => {
      const event = JSON.parse(data) as RunEvent;
      setProgress((before) => withEvent(before, event));
      if (!/delta|step|usage/.test(event.type)) void readAnew(queries, ['runs', id]);
    },
    [queries, id],
  );
  const stream = useEventStream(`/v1/runs/${id}/events`, { onEvent, isLast: ({ event }) => isLastType(event) });
  return { run, progress, stream };
}

/** A run with all its details: output, steps, bill and actions. */
export function RunView({ id, isBrief = false }: { id: string; isBrief?: boolean }) {
  const { run, progress, stream } = useRun(id);
  const cancel = useChange(() => sendJson<Run>(`/v1/runs/${id}/cancel`, {}), { stale: [['runs']] });
  if (run.error && !run.data) return <TableFailure error={run.error} retry={() => void run.refetch()} />;
  if (!run.data) return <Skeleton height={240} />;
  const { data } = run;
  return (
    <Stack gap="lg">
      <Panel
        title="State"
        actions={
          !isOver(data.status) && (
            <Button
              variant="default"
              size="xs"
              loading={cancel.isPending}
              disabled={data.status === 'cancelling'}
              onClick={() => cancel.mutate(undefined)}
            >
              Cancel the run
            </Button>
          )
        }
      >
        <dl className="facts" aria-live="polite">
          <Fact name="Status">
            <RunStatus status={data.status} />
            {data.status_reason === 'waits_for_worker' && <Text size="sm">Waits for a worker</Text>}
            {stream === 'retrying' && <Text size="sm">Reconnecting…</Text>}
          </Fact>
          <Fact name={data.usage.settled ? 'Cost' : 'Cost so far'}>
            <Money usd={data.usage.settled ? data.usage.total_usd : (progress.totalUsd ?? data.usage.total_usd)} />
            <Text size="sm" c="dimmed">
              of at most <Money usd={data.max_cost_usd} />
              {data.usage.children_usd > 0 && (
                <>
                  , and <Money usd={data.usage.children_usd} /> for agents that it called
                </>
              )}
            </Text>
          </Fact>
          <Fact name="Started">
            <DateTime at={data.started_at ?? data.created_at} />
          </Fact>
          <Fact name="Took">{data.duration_seconds === null ? '—' : durationText(data.duration_seconds * 1000)}</Fact>
        </dl>
        <Causes run={data} />
      </Panel>
      {data.required_action && !isOver(data.status) && <RunAction run={data} />}
      <Output run={data} progress={progress} />
      <RunSteps run={data} progress={progress} isBrief={isBrief} />
      {!isBrief && <RunMeters run={data} />}
      {isBrief && (
        <Group gap="md">
          <Anchor component={Link} {...({ to: '/runs/$id', params: { id } } as { to: string })}>
            Open the run: events, bill, feedback
          </Anchor>
        </Group>
      )}
    </Stack>
  );
}

/** A term and its value in a `dl`. */
export function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Why a run did not complete. */
function Causes({ run }: { run: Run }) {
  return (
    <>
      {run.error && (
        <Alert color="red" mt="md" title={`Failed${run.fault ? `: the fault of the ${run.fault}` : ''}`}>
          {run.error.message} <span className="id">{run.error.code}</span>
        </Alert>
      )}
      {run.limit && (
        <Alert color="yellow" mt="md" title="A limit was reached">
          {run.limit.kind.replaceAll('_', ' ')}: {run.limit.used} of {run.limit.value}
        </Alert>
      )}
    </>
  );
}

/** Texts as text, files as previews, data as JSON: an agent's output is never rendered as markup. */
function Output({ run, progress }: { run: Run; progress: Progress }) {
  const texts = run.output.filter((item) => item.type === 'output_text');
  const shown = (texts.length > 0 ? texts : progress.texts).map(({ text }) => text);
  // A step that continues a text extends the last one.
  const live = progress.texts.at(-1)?.text;
  if (shown.length > 0 && live?.startsWith(shown.at(-1)!)) shown[shown.length - 1] = live;
  const isEmpty = shown.length === 0 && run.output.length === 0;
  return (
    <Panel title="Output">
      <Stack gap="sm">
        {shown.map((text, at) => (
          <pre key={at} className="written">
            {text}
          </pre>
        ))}
        {run.output.map((item, at) => {
          if (item.type === 'output_file')
            return (
              <FilePreview
                key={item.file_id}
                id={item.file_id}
                name={item.filename}
                mediaType={item.media_type}
                sizeBytes={item.size_bytes}
                showsPicture
              />
            );
          if (item.type !== 'output_data') return null;
          return (
            <pre key={at} className="code" tabIndex={0}>
              {JSON.stringify(item.data, null, 2)}
            </pre>
          );
        })}
        {isEmpty && <Text c="dimmed">{isOver(run.status) ? 'It wrote nothing.' : 'Nothing is written yet.'}</Text>}
      </Stack>
    </Panel>
  );
}
