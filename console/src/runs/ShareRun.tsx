import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DateTime } from '../parts/figures.tsx';
import type { Run } from './runEvents.ts';

const DAYS = [1, 3, 7, 14, 30].map((days) => ({ value: String(days), label: days === 1 ? '1 day' : `${days} days` }));

/** Lets the publisher of another workspace's agent read an ended run, and ends that. */
export function ShareRun({ run }: { run: Run }) {
  const [isOpen, setOpen] = useState(false);
  const [days, setDays] = useState('7');
  const params = { path: { run_id: run.id } };
  const share = useAnswer(['runs', run.id, 'share'], (signal) =>
    api.GET('/v1/runs/{run_id}/share', { params, signal }),
  );
  const stale = [['runs', run.id, 'share']];
  const start = useChange(
    () => answerOf(api.POST('/v1/runs/{run_id}/share', { params, body: { days: Number(days) } })),
    {
      stale,
      done: 'The run is shared',
      onSuccess: () => setOpen(false),
    },
  );
  const end = useChange(() => answerOf(api.DELETE('/v1/runs/{run_id}/share', { params })), {
    stale,
    done: 'The run is no longer shared',
    onSuccess: () => setOpen(false),
  });
  const isShared = share.data?.status === 'active';
  if (!share.data?.is_shareable) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {isShared ? 'Shared' : 'Share'}
      </Button>
      <Dialog title="Share with the publisher" isOpen={isOpen} onClose={() => setOpen(false)}>
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
              <Button variant="default" loading={end.isPending} onClick={() => end.mutate(undefined)}>
                Stop sharing
              </Button>
            )}
            <Button loading={start.isPending} onClick={() => start.mutate(undefined)}>
              {isShared ? 'Share for longer' : 'Share'}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
