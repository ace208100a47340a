import { Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accounts, type Invitation, type Member } from '../api/accounts.ts';
import { rowsFrom, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { Confirmed } from '../parts/Confirmed.tsx';
import { DataTable, type Column } from '../parts/DataTable.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Form } from '../parts/Form.tsx';
import { Panel } from '../parts/Panel.tsx';
import { KeysLeft, revokeKeys, useKeysOf } from './ownKeys.tsx';
import { capitalised } from '../parts/capitalised.ts';

const ROLES = [
  { value: 'owner', label: 'Owner: everything' },
  { value: 'developer', label: 'Developer: keys and calls' },
  { value: 'finance', label: 'Finance: payments and statements' },
  { value: 'publisher', label: 'Publisher: agents and calls' },
];

const MEMBERS = ['members'];
const INVITATIONS = ['invitations'];

/** The members of the workspace, and the invitations. */
export function Members() {
  const { role, workspace } = useMe();
  const isOwner = role === 'owner';
  const members = useQuery({ queryKey: MEMBERS, queryFn: () => accounts.listMembers(workspace.id) });
  const columns: Column<Member>[] = [
    { title: 'Name', cell: ({ user }) => <span className="cell-short">{user.name}</span> },
    { title: 'Email', visibleFrom: 'sm', cell: ({ user }) => <span className="cell-short">{user.email}</span> },
    { title: 'Role', cell: (member) => (isOwner ? <RoleOf member={member} /> : capitalised(member.role)) },
    { title: 'Since', visibleFrom: 'lg', cell: ({ createdAt }) => <DateTime at={createdAt} isDay /> },
    ...(isOwner
      ? [
          {
            title: 'Actions',
            isTitleHidden: true,
            isNumber: true,
            cell: (member: Member) => <Remove member={member} />,
          },
        ]
      : []),
  ];
  return (
    <Stack gap="lg" className="in-order">
      <Panel title={`Members of ${workspace.name}`}>
        <DataTable
          label="Members"
          isStacked
          columns={columns}
          from={rowsFrom(members, members.data?.members)}
          rowKey={({ id }) => id}
          empty="No members."
        />
      </Panel>
      {isOwner && <Invitations />}
    </Stack>
  );
}

function RoleOf({ member: { id, role, user, userId } }: { member: Member }) {
  const me = useMe();
  const change = useChange(
    (next: string) => accounts.updateRole({ organizationId: me.workspace.id, memberId: id, role: next }),
    {
      stale: [MEMBERS],
      done: 'The role is changed',
    },
  );
  if (userId === me.user.id) return capitalised(role);
  return (
    <Select
      aria-label={`Role of ${user.name}`}
      data={ROLES}
      value={role}
      onChange={(next) => next && next !== role && change.mutate(next)}
      disabled={change.isPending}
      allowDeselect={false}
      miw={{ base: 190, xs: 250 }}
    />
  );
}

function Remove({ member: { id, user, userId } }: { member: Member }) {
  const me = useMe();
  const [isOpen, setIsOpen] = useState(false);
  const [revokes, setRevokes] = useState(false);
  const keys = useKeysOf(userId, isOpen);
  const remove = useChange(
    async () => {
      await accounts.removeMember({ organizationId: me.workspace.id, memberIdOrEmail: id });
      if (revokes) await revokeKeys(keys.own ?? []);
    },
    {
      stale: [MEMBERS, ['keys']],
      done: `${user.name} is no longer a member`,
      onSuccess: () => setIsOpen(false),
    },
  );
  if (userId === me.user.id) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)} aria-label={`Remove ${user.name}`}>
        Remove
      </Button>
      <ConfirmDialog
        title={`Remove ${user.name}?`}
        confirmLabel="Remove member"
        isOpen={isOpen}
        isPending={remove.isPending}
        isDisabled={keys.isLoading}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setIsOpen(false)}
      >
        <Stack gap="sm">
          <Text size="sm">They lose access to this workspace at once.</Text>
          <KeysLeft of={keys} they="They" canRevoke revokes={revokes} onRevokes={setRevokes} />
        </Stack>
      </ConfirmDialog>
    </>
  );
}

function Invitations() {
  const organizationId = useMe().workspace.id;
  const form = useForm({ initialValues: { email: '', role: 'developer' } });
  const invitations = useQuery({ queryKey: INVITATIONS, queryFn: () => accounts.listInvitations(organizationId) });
  const invite = useChange(
    (invited: { email: string; role: string }) => accounts.invite({ organizationId, ...invited }),
    {
      stale: [INVITATIONS],
      done: 'The invitation is on its way',
      onSuccess: () => form.reset(),
      onError: () => {},
    },
  );
  return (
    <Panel title="Invitations">
      <Stack>
        <Form error={invite.error} onSubmit={form.onSubmit((values) => invite.mutate(values))}>
          <div className="setting">
            <TextInput label="Email" type="email" required withAsterisk={false} {...form.getInputProps('email')} />
            <Select label="Role" data={ROLES} allowDeselect={false} miw={230} {...form.getInputProps('role')} />
            <Button type="submit" loading={invite.isPending}>
              Invite
            </Button>
          </div>
        </Form>
        <DataTable
          label="Invitations"
          isStacked
          columns={COLUMNS}
          from={rowsFrom(
            invitations,
            invitations.data?.filter(({ status }) => status === 'pending'),
          )}
          rowKey={({ id }) => id}
          empty="No open invitations."
        />
      </Stack>
    </Panel>
  );
}

const COLUMNS: Column<Invitation>[] = [
  { title: 'Email', cell: ({ email }) => <span className="cell-short">{email}</span> },
  { title: 'Role', cell: ({ role }) => capitalised(role) },
  { title: 'Expires', visibleFrom: 'sm', cell: ({ expiresAt }) => <DateTime at={expiresAt} isDay /> },
  { title: 'Actions', isTitleHidden: true, isNumber: true, cell: (invitation) => <Withdraw of={invitation} /> },
];

function Withdraw({ of: { id, email } }: { of: Invitation }) {
  const cancel = useChange(() => accounts.cancelInvitation(id), {
    stale: [INVITATIONS],
    done: 'The invitation is withdrawn',
  });
  return (
    <Confirmed
      title="Withdraw this invitation?"
      confirmLabel="Withdraw invitation"
      change={cancel}
      trigger={(ask) => (
        <Button size="xs" variant="default" onClick={ask} aria-label={`Withdraw the invitation of ${email}`}>
          Withdraw
        </Button>
      )}
    >
      The link that <b>{email}</b> got no longer works.
    </Confirmed>
  );
}
