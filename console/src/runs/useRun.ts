import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { api } from '../api/client.ts';
import { useEventStream } from '../api/events.ts';
import { readAnew, useAnswer } from '../api/hooks.ts';
import { isLastType, NO_PROGRESS, withEvent, type Progress, type RunEvent } from './runEvents.ts';

const WAITING_MS = 10_000;
const QUEUED_MS = 3_000;

/** Reads a run and follows its events while the component is mounted. */
export function useRun(id: string) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress>(NO_PROGRESS);
  const run = useAnswer(
    ['runs', id],
    (signal) => api.GET('/v1/runs/{run_id}', { params: { path: { run_id: id } }, signal }),
    // No event reports that it waits for a worker, or that its queue has moved.
    {
      refetchInterval: ({ state: { data } }) =>
        data?.queue ? QUEUED_MS : data?.status === 'in_progress' ? WAITING_MS : false,
    },
  );
  const onEvent = useCallback(
    ({ data }: { data: string }) => {
      const event = JSON.parse(data) as RunEvent;
      setProgress((before) => withEvent(before, event));
      if (!/delta|step|usage/.test(event.type)) void readAnew(queries, ['runs', id]);
    },
    [queries, id],
  );
  const stream = useEventStream(`/v1/runs/${id}/events`, {
    onEvent,
    isLast: ({ event }) => isLastType(event),
    onRefused: () => void readAnew(queries, ['runs', id]),
  });
  return { run, progress, stream };
}
