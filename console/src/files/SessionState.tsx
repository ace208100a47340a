import '../parts/readable.css';
import { Button, Group, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';
import { TableFailure } from '../parts/DataTable.tsx';
import { Ago } from '../parts/figures.tsx';
import { JsonTree } from '../parts/JsonTree.tsx';
import { Panel } from '../parts/Panel.tsx';
import { ChangedBy, type State } from './ChangedBy.tsx';
import { StateEditor } from './StateEditor.tsx';
import { StateVersions } from './StateVersions.tsx';

const BUSY_MS = 2_000;

/** The state of a session: read, edited, and its versions. */
export function SessionState({ id, isBusy }: { id: string; isBusy: boolean }) {
  const [isEditing, setEditing] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const answer = useAnswer(
    ['sessions', id, 'state'],
    (signal) => api.GET('/v1/sessions/{session_id}/state', { params: { path: { session_id: id } }, signal }),
    { refetchInterval: isBusy && BUSY_MS },
  );
  const state = answer.data;
  return (
    <Panel
      title="State"
      description={state ? <Facts of={state} /> : 'What runs of this session keep as JSON.'}
      actions={
        state &&
        !isEditing && (
          <Group gap="xs">
            {state.version > 0 && (
              <Button variant="default" size="xs" onClick={() => setOpen(true)}>
                Versions
              </Button>
            )}
            <Button variant="default" size="xs" onClick={() => setEditing(true)}>
              Edit state
            </Button>
          </Group>
        )
      }
    >
      {answer.error && !state ? (
        <TableFailure error={answer.error} retry={() => void answer.refetch()} />
      ) : !state ? (
        <Skeleton height={72} aria-busy />
      ) : isEditing ? (
        <StateEditor from={state} onClose={() => setEditing(false)} />
      ) : (
        <JsonTree value={state.state} />
      )}
      {state && <StateVersions current={state} isOpen={isOpen} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

function Facts({ of: { version, run_id: runId, changed_at: at } }: { of: State }) {
  if (version === 0) return <>Empty. Tools of agents and programs keep JSON here, from run to run.</>;
  return (
    <>
      Version {version}, changed <Ago at={at} /> <ChangedBy runId={runId} />
    </>
  );
}
