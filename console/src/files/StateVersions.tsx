import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useAnswer, useChange, usePages } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { Ago } from '../parts/figures.tsx';
import { JsonTree } from '../parts/JsonTree.tsx';
import { ChangedBy, type State } from './ChangedBy.tsx';
import { Sheet } from '../parts/Sheet.tsx';

type Version = components['schemas']['SessionStateVersionPage']['data'][number];

/** The versions of a session's state at the side, each to read and to bring back. */
export function StateVersions({ current, isOpen, onClose }: { current: State; isOpen: boolean; onClose: () => void }) {
  return (
    <Sheet isOpen={isOpen} onClose={onClose} size="lg" title="Versions of the state">
      {isOpen && <Versions current={current} onClose={onClose} />}
    </Sheet>
  );
}

function Versions({ current, onClose }: { current: State; onClose: () => void }) {
  const { session_id: id } = current;
  const list = usePages<Version>(['sessions', id, 'state', 'versions', current.version], (cursor, signal) =>
    api.GET('/v1/sessions/{session_id}/state/versions', {
      params: { path: { session_id: id }, query: { limit: 20, cursor } },
      signal,
    }),
  );
  const [openVersion, setOpenVersion] = useState<number | null>(null);
  if (list.error && !list.rows) return <TableFailure error={list.error} retry={list.retry} />;
  if (!list.rows) return <Skeleton height={240} />;
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        The last 100 are kept.
      </Text>
      {list.rows.map((one) => {
        const isShown = openVersion === one.version;
        return (
          <div key={one.version} className="file">
            <div className="file-line">
              <Text size="sm">
                <b>Version {one.version}</b>
                {one.version === current.version && ', current'} · <Ago at={one.changed_at} />{' '}
                <ChangedBy runId={one.run_id} />
              </Text>
              <Button
                variant="default"
                size="compact-xs"
                aria-expanded={isShown}
                aria-label={`${isShown ? 'Hide' : 'Show'} version ${one.version}`}
                onClick={() => setOpenVersion(isShown ? null : one.version)}
              >
                {isShown ? 'Hide' : 'Show'}
              </Button>
            </div>
            {isShown && <Content of={one} current={current} onRestored={onClose} />}
          </div>
        );
      })}
      {list.hasMore && (
        <Button variant="default" onClick={list.loadMore} loading={list.isLoadingMore}>
          Earlier versions
        </Button>
      )}
    </Stack>
  );
}

function Content({ of, current, onRestored }: { of: Version; current: State; onRestored: () => void }) {
  const { session_id: id, version } = of;
  const path = { session_id: id };
  const answer = useAnswer(['sessions', id, 'state', 'at', version], (signal) =>
    api.GET('/v1/sessions/{session_id}/state', { params: { path, query: { version } }, signal }),
  );
  const restore = useChange(
    (state: State['state']) => {
      const header = { 'If-Match': `"state-${current.version}"` };
      return answerOf(api.PUT('/v1/sessions/{session_id}/state', { params: { path, header }, body: { state } }));
    },
    { stale: [['sessions', id, 'state']], done: `State of version ${version} restored`, onSuccess: onRestored },
  );
  if (answer.error && !answer.data) return <TableFailure error={answer.error} retry={() => void answer.refetch()} />;
  if (!answer.data) return <Skeleton height={72} mt="xs" />;
  const { state } = answer.data;
  return (
    <Stack gap="xs" mt="xs">
      <JsonTree value={state} />
      {version !== current.version && (
        <Group justify="flex-end">
          <Button variant="default" size="xs" loading={restore.isPending} onClick={() => restore.mutate(state)}>
            Restore this version
          </Button>
        </Group>
      )}
    </Stack>
  );
}
