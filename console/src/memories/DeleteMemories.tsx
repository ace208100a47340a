import { Button, Text } from '@mantine/core';
import { TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { IconAction } from '../parts/IconAction.tsx';

/** Deletes one memory. */
export function DeleteMemory({ of: { id, text, user } }: { of: components['schemas']['Memory'] }) {
  const [isOpen, setOpen] = useState(false);
  const remove = useChange(
    () => answerOf(api.DELETE('/v1/memories/{memory_id}', { params: { path: { memory_id: id } } })),
    { done: 'Memory deleted', stale: [['memories']], onSuccess: () => setOpen(false) },
  );
  return (
    <>
      <IconAction tip="Delete" name={`Delete “${text.slice(0, 60)}”`} onClick={() => setOpen(true)}>
        <TrashIcon />
      </IconAction>
      <ConfirmDialog
        title="Delete this memory?"
        confirmLabel="Delete memory"
        isOpen={isOpen}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setOpen(false)}
      >
        <Text>The agent no longer knows it of {user}.</Text>
      </ConfirmDialog>
    </>
  );
}

/** Deletes all that is remembered of a user, by one agent or by all. */
export function DeleteOfUser({ user, agent }: { user: string; agent: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const remove = useChange(
    () => answerOf(api.DELETE('/v1/memories', { params: { query: { user, ...(agent && { agent }) } } })),
    { done: 'Memories deleted', stale: [['memories']], onSuccess: () => setOpen(false) },
  );
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Delete all of this user
      </Button>
      <ConfirmDialog
        title={`Delete the memories of ${user}?`}
        confirmLabel="Delete memories"
        isOpen={isOpen}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setOpen(false)}
      >
        <Text>
          {agent
            ? `All that ${agent} remembers of this user is deleted for good.`
            : 'All that agents remember of this user is deleted for good.'}
        </Text>
      </ConfirmDialog>
    </>
  );
}
