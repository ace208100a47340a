import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { CodeSnippets } from '../parts/CodeSnippets.tsx';
import { ConfirmDialog, Dialog } from '../parts/ConfirmDialog.tsx';
import { OneTimeSecret, SecretDialog } from '../parts/OneTimeSecret.tsx';
import { EndpointForm } from './EndpointForm.tsx';
import { receivers, type Endpoint, type NewEndpoint } from './endpoints.ts';

type Open = { isOpen: boolean; onClose: () => void };

const stale = [['webhooks']];

/** Creates an endpoint, and shows its secret once. */
export function CreateEndpoint({ isOpen, onClose }: Open) {
  const create = useChange((body: NewEndpoint) => answerOf(api.POST('/platform/v1/webhook_endpoints', { body })), {
    stale,
    onError: () => {},
  });
  return (
    <SecretDialog
      title="Add endpoint"
      madeTitle="Signing secret"
      change={create}
      isOpen={isOpen}
      onClose={onClose}
      shown={({ secret }, close) => (
        <OneTimeSecret secret={secret ?? ''} onClose={close}>
          <CodeSnippets snippets={receivers} label="Receive and check events in" />
        </OneTimeSecret>
      )}
    >
      <EndpointForm
        submitLabel="Add endpoint"
        isPending={create.isPending}
        error={create.error}
        onSubmit={(endpoint) => create.mutate(endpoint)}
      />
    </SecretDialog>
  );
}

const pathOf = ({ id }: Endpoint) => ({ path: { endpoint_id: id } });

/** Changes the address, the types and the description. */
export function EditEndpoint({ of: endpoint, isOpen, onClose }: Open & { of: Endpoint }) {
  const change = useChange(
    (body: NewEndpoint) =>
      answerOf(api.PATCH('/platform/v1/webhook_endpoints/{endpoint_id}', { params: pathOf(endpoint), body })),
    { stale, done: 'Endpoint saved', onSuccess: onClose, onError: () => {} },
  );
  return (
    <Dialog title="Edit endpoint" isOpen={isOpen} onClose={onClose}>
      <EndpointForm
        from={endpoint}
        submitLabel="Save"
        isPending={change.isPending}
        error={change.error}
        onSubmit={(body) => change.mutate(body)}
      />
    </Dialog>
  );
}

/** Gives an endpoint a new secret; for a day, deliveries are signed with both. */
export function RotateEndpointSecret({ of: endpoint, isOpen, onClose }: Open & { of: Endpoint }) {
  const rotate = useChange(
    () =>
      answerOf(api.POST('/platform/v1/webhook_endpoints/{endpoint_id}/rotate_secret', { params: pathOf(endpoint) })),
    { stale },
  );
  return (
    <SecretDialog
      title="Rotate signing secret"
      change={rotate}
      isOpen={isOpen}
      onClose={onClose}
      shown={({ secret }, close) => <OneTimeSecret secret={secret} onClose={close} />}
    >
      <Stack>
        <Text size="sm">
          For 24 hours each delivery is signed with both secrets: change your receiver within that time.
        </Text>
        <Group justify="flex-end">
          <Button onClick={() => rotate.mutate(undefined)} loading={rotate.isPending}>
            Rotate secret
          </Button>
        </Group>
      </Stack>
    </SecretDialog>
  );
}

/** Deletes an endpoint permanently. */
export function DeleteEndpoint({ of: endpoint, isOpen, onClose }: Open & { of: Endpoint }) {
  const navigate = useNavigate();
  const remove = useChange(
    () => answerOf(api.DELETE('/platform/v1/webhook_endpoints/{endpoint_id}', { params: pathOf(endpoint) })),
    {
      stale: [['webhooks', 'list']],
      done: 'Endpoint deleted',
      onSuccess: () => void navigate({ to: '/webhooks' }),
    },
  );
  return (
    <ConfirmDialog
      title="Delete this endpoint?"
      confirmLabel="Delete endpoint"
      isOpen={isOpen}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">It gets no more events, and waiting deliveries are not sent. This cannot be undone.</Text>
    </ConfirmDialog>
  );
}
