import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { DotsHorizontalIcon, LockOpen1Icon, PauseIcon, PlayIcon, TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { DeleteEndpoint, EditEndpoint, RotateEndpointSecret } from './EndpointDialogs.tsx';
import type { Endpoint } from './endpoints.ts';

/** What can be done with an endpoint. */
export function EndpointActions({ of: endpoint }: { of: Endpoint }) {
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete' | null>(null);
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
            onClick={() => toggle.mutate(!endpoint.disabled)}
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
      <DeleteEndpoint of={endpoint} isOpen={open === 'delete'} onClose={close} />
    </Group>
  );
}
