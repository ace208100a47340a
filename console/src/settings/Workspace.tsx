import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api, linkPath } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { LeaveWorkspace } from './LeaveWorkspace.tsx';
import { Retention, WorkspaceProfile } from './WorkspaceProfile.tsx';

const ERASURE = ['erasure'];

/** The selected workspace: what it is called, and saving, leaving and erasing it. */
export function Workspace() {
  const { role, scopes } = useMe();
  return (
    <Stack gap="lg">
      {scopes.includes('manage') && <WorkspaceProfile />}
      {scopes.includes('manage') && <Retention />}
      {role === 'owner' && <Export />}
      <LeaveWorkspace />
      {role === 'owner' && <ErasePanel />}
    </Stack>
  );
}

function Export() {
  return (
    <Panel title="Export">
      <Stack>
        <Text size="sm">
          All data and files of the workspace in one archive, without secrets. It can take a few minutes.
        </Text>
        <Group>
          <Button component="a" href={linkPath('/console/v1/export')} download variant="default">
            Download archive
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}

function ErasePanel() {
  const erasure = useAnswer(ERASURE, (signal) => api.GET('/console/v1/erasure', { signal }));
  const { status, erase_at: eraseAt } = erasure.data ?? { status: 'none', erase_at: null };
  return (
    <Panel title="Erase workspace">
      {status === 'ordered' && eraseAt !== null ? <Ordered at={eraseAt} /> : <Erase isStarted={status === 'started'} />}
    </Panel>
  );
}

function Ordered({ at }: { at: string }) {
  const cancel = useChange(() => answerOf(api.DELETE('/console/v1/erasure', {})), {
    stale: [ERASURE, ['me'], ['keys'], ['overview']],
    done: 'The workspace is not erased',
  });
  return (
    <Stack>
      <Alert color="red" title="This workspace will be erased">
        On <DateTime at={at} />. Its keys have ended, and its public agents are suspended.
      </Alert>
      <Group>
        <Button onClick={() => cancel.mutate(undefined)} loading={cancel.isPending}>
          Keep workspace
        </Button>
      </Group>
    </Stack>
  );
}

function Erase({ isStarted }: { isStarted: boolean }) {
  const { workspace } = useMe();
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState('');
  const close = () => {
    setIsOpen(false);
    setName('');
  };
  const order = useChange(() => answerOf(api.POST('/console/v1/erasure', { body: { name } })), {
    stale: [ERASURE, ['me'], ['keys'], ['overview']],
    onSuccess: close,
  });
  if (isStarted) return <Text size="sm">The erasure has begun.</Text>;
  return (
    <Stack>
      <Text size="sm">
        Keys stop working at once, runs are cancelled, and public agents are suspended. For seven days you can undo this
        here. Then all content is erased, with the accounts of people who have no other workspace. Bills are kept
        without content and names. A remaining balance is not paid out.
      </Text>
      <Group>
        <Button color="red.8" onClick={() => setIsOpen(true)}>
          Erase workspace
        </Button>
      </Group>
      <ConfirmDialog
        title={`Erase ${workspace.name}?`}
        confirmLabel="Erase it in seven days"
        isOpen={isOpen}
        isPending={order.isPending}
        isDisabled={name !== workspace.name}
        onConfirm={() => order.mutate(undefined)}
        onClose={close}
      >
        <Text size="sm">
          <Anchor href={linkPath('/console/v1/export')} download>
            Download an archive
          </Anchor>{' '}
          first. To confirm, type the name of the workspace: {workspace.name}
        </Text>
        <TextInput label="Name of the workspace" value={name} onChange={(event) => setName(event.target.value)} />
      </ConfirmDialog>
    </Stack>
  );
}
