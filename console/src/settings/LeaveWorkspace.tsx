import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accounts } from '../api/accounts.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { forgetWorkspace } from '../api/tab.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { TableFailure } from '../parts/DataTable.tsx';
import { Panel } from '../parts/Panel.tsx';
import { KeysLeft, revokeKeys, useKeysOf } from './ownKeys.tsx';

/** Leaves the workspace, unless it would be without an owner. */
export function LeaveWorkspace() {
  const { workspace, role, user, scopes } = useMe();
  const [isOpen, setIsOpen] = useState(false);
  const [revokes, setRevokes] = useState(false);
  const members = useQuery({ queryKey: ['members'], queryFn: () => accounts.listMembers(workspace.id) });
  const keys = useKeysOf(user.id, isOpen);
  const canRevoke = scopes.includes('manage');
  const leave = useChange(
    async () => {
      if (revokes && canRevoke) await revokeKeys(keys.own ?? []);
      await accounts.leave(workspace.id);
    },
    {
      onSuccess: () => {
        forgetWorkspace();
        location.assign('/');
      },
    },
  );
  const owners = members.data?.members.filter((member) => member.role === 'owner').length;
  const isLastOwner = role === 'owner' && owners === 1;
  return (
    <Panel title="Leave workspace">
      <Stack>
        {members.error && !members.data && <TableFailure error={members.error} retry={() => void members.refetch()} />}
        <Text size="sm">
          {isLastOwner
            ? 'You are its only owner. Make another member an owner first, or erase the workspace.'
            : 'You lose access at once. An owner can invite you again.'}
        </Text>
        <Group>
          <Button variant="default" disabled={isLastOwner || owners === undefined} onClick={() => setIsOpen(true)}>
            Leave workspace
          </Button>
        </Group>
      </Stack>
      <ConfirmDialog
        title={`Leave ${workspace.name}?`}
        confirmLabel="Leave workspace"
        isOpen={isOpen}
        isPending={leave.isPending}
        isDisabled={keys.isLoading}
        onConfirm={() => leave.mutate(undefined)}
        onClose={() => setIsOpen(false)}
      >
        <Stack gap="sm">
          <Text size="sm">Your calls and runs from the console end here, on all your devices.</Text>
          <KeysLeft of={keys} they="You" canRevoke={canRevoke} revokes={revokes} onRevokes={setRevokes} />
        </Stack>
      </ConfirmDialog>
    </Panel>
  );
}
