import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { ConfirmDialog, Dialog } from '../parts/ConfirmDialog.tsx';
import { DateTime } from '../parts/figures.tsx';
import type { Run } from './runEvents.ts';

const DAYS = [1, 3, 7, 14, 30].map((days) => ({ value: String(days), label: days === 1 ? '1 day' : `${days} days` }));

/** Lets the publisher of another workspace's agent read an ended run, and ends that. */
export function ShareRun({ run }: { run: Run }) {
  const [open, setOpen] = useState<'share' | 'stop'>();
  const close = () => setOpen(undefined);
  const [days, setDays] = useState('7');
  const { share, start, end } = useShare(run.id, close);
  const isShared = share.data?.status === 'active';
  if (!share.data?.is_shareable) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen('share')}>
        {isShared ? 'Shared' : 'Share'}
      </Button>
      <Dialog title="Share with the publisher" isOpen={open === 'share'} onClose={close}>
        <Stack>
          <Text size="sm">
            The publisher of {run.agent} sees how long this run took and what it cost, and nothing of what you sent or
            got. Share it, and they read its input, its output and its steps. Not its files, no other run, and not who
            you are.
          </Text>
          {isShared && share.data && (
            <Text size="sm">
              Shared until <DateTime at={share.data.expires_at} />
              {share.data.read_at ? (
                <>
                  , read on <DateTime at={share.data.read_at} />.
                </>
              ) : (
                ', not read yet.'
              )}
            </Text>
          )}
          <Select
            label="For"
            data={DAYS}
            value={days}
            allowDeselect={false}
            onChange={(value) => setDays(value ?? days)}
          />
          <Group justify="flex-end">
            {isShared && (
              <Button variant="default" onClick={() => setOpen('stop')}>
                Stop sharing
              </Button>
            )}
            <Button loading={start.isPending} onClick={() => start.mutate(Number(days))}>
              {isShared ? 'Share for longer' : 'Share'}
            </Button>
          </Group>
        </Stack>
      </Dialog>
      <ConfirmDialog
        title="Stop sharing this run?"
        confirmLabel="Stop sharing"
        isOpen={open === 'stop'}
        isPending={end.isPending}
        onConfirm={() => end.mutate(undefined)}
        onClose={close}
      >
        <Text size="sm">
          The publisher of {run.agent} can no longer read its input, its output and its steps. You can share it again.
        </Text>
      </ConfirmDialog>
    </>
  );
}

/** The run's share, and what begins it and ends it. */
function useShare(runId: string, onDone: () => void) {
  const params = { path: { run_id: runId } };
  const key = ['runs', runId, 'share'];
  const share = useAnswer(key, (signal) => api.GET('/v1/runs/{run_id}/share', { params, signal }));
  const start = useChange((days: number) => answerOf(api.POST('/v1/runs/{run_id}/share', { params, body: { days } })), {
    stale: [key],
    done: 'The run is shared',
    onSuccess: onDone,
  });
  const end = useChange(() => answerOf(api.DELETE('/v1/runs/{run_id}/share', { params })), {
    stale: [key],
    done: 'The run is no longer shared',
    onSuccess: onDone,
  });
  return { share, start, end };
}
