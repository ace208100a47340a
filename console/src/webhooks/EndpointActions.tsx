import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core';
import { DotsHorizontalIcon, LockOpen1Icon, PauseIcon, PlayIcon, TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DeleteEndpoint, EditEndpoint, RotateEndpointSecret } from './EndpointDialogs.tsx';
import type { Endpoint } from './endpoints.ts';

/** What can be done with an endpoint. */
export function EndpointActions({ of: endpoint }: { of: Endpoint }) {
  const [open, setOpen] = useState<'edit' | 'rotate' | 'disable' | 'delete' | null>(null);
  const params = { path: { endpoint_id: endpoint.id } };
  const test = useChange(() => answerOf(api.POST('/platform/v1/webhook_endpoints/{endpoint_id}/test', { params })), {
    stale: [['webhooks', endpoint.id, 'deliveries']],
    done: 'The test event is on its way',
  });
  const toggle = useChange(
    (disabled: boolean) =>
      answerOf(api.PATCH('/platform/v1/webhook_endpoints/{endpoint_id}', { params, body: { disabled } })),
    { stale: [['webhooks']], done: (_, disabled) => (disabled ? 'Endpoint disabled' : 'Endpoint enabled') },
  );
  const close = () => setOpen(null);
  return (
    <Group gap="xs">
      <Button onClick={() => test.mutate(undefined)} loading={test.isPending} disabled={endpoint.disabled}>
        Send test event
      </Button>
      <Button variant="default" onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label="More actions" loading={toggle.isPending}>
            <DotsHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<LockOpen1Icon />} onClick={() => setOpen('rotate')}>
            Rotate secret
          </Menu.Item>
          <Menu.Item
            leftSection={endpoint.disabled ? <PlayIcon /> : <PauseIcon />}
            onClick={() => (endpoint.disabled ? toggle.mutate(false) : setOpen('disable'))}
          >
            {endpoint.disabled ? 'Enable' : 'Disable'}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<TrashIcon />} onClick={() => setOpen('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && <EditEndpoint of={endpoint} isOpen onClose={close} />}
      <RotateEndpointSecret of={endpoint} isOpen={open === 'rotate'} onClose={close} />
      <ConfirmDialog
        title="Disable this endpoint?"
        confirmLabel="Disable endpoint"
        isOpen={open === 'disable'}
        isPending={toggle.isPending}
        onConfirm={() => toggle.mutate(true, { onSuccess: close })}
        onClose={close}
      >
        <Text size="sm">
          It gets no more events, and waiting deliveries are not sent. You can enable it again, and then resend what it
          missed.
        </Text>
      </ConfirmDialog>
      <DeleteEndpoint of={endpoint} isOpen={open === 'delete'} onClose={close} />
    </Group>
  );
}
