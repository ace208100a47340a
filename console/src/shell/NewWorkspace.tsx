import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { accounts } from '../api/accounts.ts';
import { useChange } from '../api/hooks.ts';
import { showWorkspace } from '../api/tab.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';

/** Creates a workspace and opens it. */
export default function NewWorkspace({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const create = useChange(accounts.createWorkspace, {
    onSuccess: ({ id }) => {
      showWorkspace(id);
      location.assign('/');
    },
    onError: () => {},
  });
  return (
    <Dialog title="New workspace" isOpen onClose={onClose}>
      <DialogForm
        submitLabel="Create workspace"
        isPending={create.isPending}
        error={create.error}
        onSubmit={() => create.mutate(name)}
      >
        <Text size="sm">You become its owner. It has its own balance, keys, agents and members, and starts empty.</Text>
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </DialogForm>
    </Dialog>
  );
}
