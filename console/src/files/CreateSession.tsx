import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';

/** Creates a session, and opens its page. */
export function CreateSession({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [title, setTitle] = useState('');
  const navigate = useNavigate();
  const create = useChange(
    () => sendJson<components['schemas']['Session']>('/v1/sessions', title.trim() ? { title: title.trim() } : {}),
    { stale: [['sessions']], onSuccess: ({ id }) => void navigate({ to: `/sessions/${id}` }), onError: () => {} },
  );
  return (
    <Dialog title="New session" isOpen={isOpen} onClose={onClose}>
      <DialogForm
        submitLabel="Create session"
        isPending={create.isPending}
        error={create.error}
        onSubmit={() => create.mutate(undefined)}
      >
        <TextInput
          label="Title"
          description="Files of a session are shared by its runs"
          placeholder="Quarterly figures"
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
          data-autofocus
        />
      </DialogForm>
    </Dialog>
  );
}
