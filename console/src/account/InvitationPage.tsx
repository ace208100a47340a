import { Alert, Anchor, Button, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { accounts } from '../api/accounts.ts';
import { isRefused, isSignedOut, sentenceOf } from '../api/failure.ts';
import { showWorkspace } from '../api/tab.ts';
import { pageAt } from '../parts/pageAt.ts';
import { AccountFrame } from './AccountFrame.tsx';
import { FormError } from '../parts/FormError.tsx';
import { usePathParam } from '../parts/usePathParam.ts';

export default function InvitationPage() {
  const id = usePathParam('id');
  const invitation = useQuery({ queryKey: ['invitation', id], queryFn: () => accounts.getInvitation(id) });
  const accept = useMutation({
    mutationFn: async () => {
      const { invitation: accepted } = await accounts.acceptInvitation(id);
      await accounts.setActive(accepted.organizationId);
      showWorkspace(accepted.organizationId);
    },
    onSuccess: () => location.replace('/'),
  });
  const next = `/invitations/${id}`;

  if (isSignedOut(invitation.error)) {
    return (
      <AccountFrame
        title="You are invited"
        lead="Sign in, or create an account with the address that the invitation went to."
      >
        <Button component={Link} {...pageAt('/sign-in', { next })}>
          Sign in
        </Button>
        <Button component={Link} {...pageAt('/sign-up', { next })} variant="default">
          Create an account
        </Button>
      </AccountFrame>
    );
  }
  if (invitation.error && !isRefused(invitation.error)) {
    return (
      <AccountFrame title="The invitation could not be read">
        <Alert color="red">{sentenceOf(invitation.error)}</Alert>
        <Button onClick={() => void invitation.refetch()} loading={invitation.isFetching}>
          Try again
        </Button>
      </AccountFrame>
    );
  }
  if (invitation.error) {
    return (
      <AccountFrame title="This invitation cannot be used">
        <Alert color="red">{sentenceOf(invitation.error)}</Alert>
        <Text size="sm">If it went to another address of yours, sign in with that one.</Text>
        <Anchor component={Link} to="/">
          Go to your workspace
        </Anchor>
      </AccountFrame>
    );
  }
  if (!invitation.data) return <AccountFrame title="You are invited">{<Skeleton height={120} />}</AccountFrame>;
  const { organizationName, inviterEmail, role } = invitation.data;
  return (
    <AccountFrame title={`Join ${organizationName}`} lead={`${inviterEmail} invites you as ${role}.`}>
      <FormError error={accept.error} />
      <Button loading={accept.isPending} onClick={() => accept.mutate()}>
        Accept invitation
      </Button>
    </AccountFrame>
  );
}
