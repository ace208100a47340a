import '../parts/work.css';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { accounts } from '../api/accounts.ts';
import { useChange } from '../api/hooks.ts';
import { signOut, useMe } from '../api/me.ts';
import { forgetWorkspace } from '../api/tab.ts';
import { Panel } from '../parts/Panel.tsx';
import { Passkeys } from '../settings/Passkeys.tsx';
import { TwoFactor } from '../settings/TwoFactor.tsx';
import { goToCompany } from './providers.ts';

/** What a member sees of a workspace that asks for more than their session has: what is missing, and how to get it. */
export default function Lacking() {
  const { session, workspace } = useMe();
  return (
    <main className="page-alone lacking">
      <Stack gap="lg">
        {session.lacks === 'single_sign_on' ? (
          <NeedsCompany name={workspace.name} />
        ) : (
          <NeedsFactor name={workspace.name} />
        )}
        <Others />
      </Stack>
    </main>
  );
}

function NeedsCompany({ name }: { name: string }) {
  const { user } = useMe();
  const go = useChange(() => goToCompany(user.email));
  return (
    <>
      <Title order={1} tabIndex={-1}>
        Sign in with your company
      </Title>
      <Text size="sm">
        {name} is open only through its identity provider. You are signed in as {user.email} in another way.
      </Text>
      <Group>
        <Button onClick={() => go.mutate(undefined)} loading={go.isPending || go.data === true}>
          Continue with your company
        </Button>
      </Group>
    </>
  );
}

function NeedsFactor({ name }: { name: string }) {
  const queries = useQueryClient();
  const again = useChange(() => signOut(queries));
  return (
    <>
      <Title order={1} tabIndex={-1}>
        Set up two-factor authentication
      </Title>
      <Text size="sm">
        {name} requires a second factor. Turn on codes of an authenticator app, or add a passkey of a device that asks
        for a PIN or a fingerprint: the workspace opens right after.
      </Text>
      <TwoFactor />
      <Passkeys isRequired />
      <Text size="sm">
        You have one already?{' '}
        <Button variant="subtle" size="compact-sm" onClick={() => again.mutate(undefined)} loading={again.isPending}>
          Sign in with it
        </Button>
      </Text>
    </>
  );
}

/** The person's other workspaces, and the way out. */
function Others() {
  const { workspaces, workspace } = useMe();
  const queries = useQueryClient();
  const leave = useChange(() => signOut(queries));
  const go = useChange(async (id: string) => {
    await accounts.setActive(id);
    forgetWorkspace();
    location.assign('/');
  });
  const others = workspaces.filter(({ id }) => id !== workspace.id);
  return (
    <Panel title="Go elsewhere">
      <Group>
        {others.map(({ id, name }) => (
          <Button key={id} variant="default" onClick={() => go.mutate(id)} disabled={go.isPending}>
            Open {name}
          </Button>
        ))}
        <Button variant="default" onClick={() => leave.mutate(undefined)} loading={leave.isPending}>
          Sign out
        </Button>
      </Group>
    </Panel>
  );
}
