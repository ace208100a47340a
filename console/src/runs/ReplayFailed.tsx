import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import type { paths } from '../api/openapi.d.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { Money } from '../parts/Money.tsx';

type Order = paths['/v1/runs/replay']['post']['requestBody']['content']['application/json'];

/** What one replay has done so far. */
interface Done {
  started: number;
  refused: number;
  stoppedBy: string | null;
}

/** A button that repeats all failed runs of a list, with what that costs before. */
export function ReplayFailed({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
        Replay failed
      </Button>
      <Dialog title="Replay failed runs" isOpen={isOpen} onClose={() => setOpen(false)}>
        <ReplayForm order={order} />
      </Dialog>
    </>
  );
}

function ReplayForm({ order }: { order: Order }) {
  const quote = useAnswer(
    ['runs', 'replay', order],
    (signal) => api.POST('/v1/runs/replay/quote', { body: order, signal }),
    {
      staleTime: 0,
    },
  );
  const queries = useQueryClient();
  const [done, setDone] = useState<Done>();
  const replay = useChange(() => replayAll(order, setDone), {
    onError: () => {},
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['runs'] }),
  });
  if (!quote.data && !quote.error) return <Skeleton height={120} />;
  const { count = 0, refused = 0, has_more: hasMore = false } = quote.data ?? {};
  return (
    <DialogForm
      submitLabel={hasMore ? `Replay ${count} and more` : `Replay ${runsText(count)}`}
      isPending={replay.isPending}
      isDisabled={count === 0 || replay.isSuccess}
      error={replay.error ?? quote.error}
      onSubmit={() => replay.mutate(undefined)}
    >
      {quote.data && (
        <Text size="sm">
          {count === 0 ? (
            'No failed run of this list is left to replay: each is replayed once.'
          ) : (
            <>
              {hasMore ? `The newest ${count} failed runs` : `${runsText(count)} of this list`} would run again from the
              start, with the same input, for at most <Money usd={quote.data.max_usd} />
              {quote.data.p50_usd !== null && (
                <>
                  , most likely about <Money usd={quote.data.p50_usd} />
                </>
              )}
              .
            </>
          )}
          {refused > 0 && ` ${runsText(refused)} cannot: the agent, its version or the content is gone.`}
        </Text>
      )}
      {done && (
        <Alert color={done.stoppedBy ? 'yellow' : 'green'} mt="sm" role="status">
          {runsText(done.started)} started{done.refused > 0 && `, ${done.refused} refused`}.
          {done.stoppedBy && ` Stopped: ${done.stoppedBy}`}
        </Alert>
      )}
    </DialogForm>
  );
}

const runsText = (count: number): string => `${count} ${count === 1 ? 'run' : 'runs'}`;

/** Replays page after page; `show` gets what was done after each. */
async function replayAll(order: Order, show: (done: Done) => void): Promise<void> {
  const done: Done = { started: 0, refused: 0, stoppedBy: null };
  for (let cursor: string | null | undefined; cursor !== null && done.stoppedBy === null;) {
    const body = { ...order, ...(cursor && { cursor }) };
    const page = await answerOf(api.POST('/v1/runs/replay', { body }));
    for (const { new_run_id: id } of page.data) done[id === null ? 'refused' : 'started'] += 1;
    done.stoppedBy = page.stopped_by?.message ?? null;
    cursor = page.next_cursor;
    show({ ...done });
  }
}
