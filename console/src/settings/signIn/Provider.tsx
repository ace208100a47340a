import { Alert, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { accounts } from '../../api/accounts.ts';
import { answerOf, api } from '../../api/client.ts';
import { useAnswer, useChange } from '../../api/hooks.ts';
import { ConfirmDialog, Dialog } from '../../parts/ConfirmDialog.tsx';
import { Confirmed } from '../../parts/Confirmed.tsx';
import { CopiedId } from '../../parts/CopiedId.tsx';
import { TableFailure } from '../../parts/DataTable.tsx';
import { DateTime } from '../../parts/figures.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { Status } from '../../parts/Status.tsx';
import { useSearchState } from '../../parts/useSearchState.ts';
import { providerFailure } from '../../account/providers.ts';
import { ProviderForm } from './ProviderForm.tsx';
import { PROBLEMS, PROVIDER, roleLabel, type IdentityProvider } from './shapes.ts';

/** The identity provider of the workspace. */
export function Provider() {
  const state = useAnswer(PROVIDER, (signal) => api.GET('/console/v1/single-sign-on', { signal }));
  const [isOpen, setIsOpen] = useState(false);
  const provider = state.data?.provider ?? null;
  const close = () => setIsOpen(false);
  return (
    <Panel
      title="Single sign-on"
      description="Members sign in with your identity provider, and get their roles from their groups there."
      actions={
        <Button
          variant={provider ? 'default' : 'filled'}
          disabled={!state.data?.can_seal}
          onClick={() => setIsOpen(true)}
        >
          {provider ? 'Change provider' : 'Set up provider'}
        </Button>
      }
    >
      {state.data && !state.data.can_seal && (
        <Alert color="yellow">
          This installation stores no secrets of providers yet: its operator must set CATALOG_SECRETS_KEY.
        </Alert>
      )}
      {state.error && !state.data ? (
        <TableFailure error={state.error} retry={() => void state.refetch()} />
      ) : provider ? (
        <Present provider={provider} />
      ) : (
        <Text size="sm" aria-busy={state.isLoading}>
          OpenID Connect or SAML 2.0: Okta, Entra ID, Keycloak and others.
        </Text>
      )}
      <Dialog title={provider ? 'Change provider' : 'Set up provider'} isOpen={isOpen} onClose={close} size="lg">
        <ProviderForm from={provider} onDone={close} />
      </Dialog>
    </Panel>
  );
}

function Present({ provider }: { provider: IdentityProvider }) {
  return (
    <Stack>
      <Group gap="xs">
        <Text fw={600}>{provider.name}</Text>
        <Text size="sm" c="dimmed">
          {provider.kind === 'oidc' ? 'OpenID Connect' : 'SAML 2.0'} · {provider.issuer}
        </Text>
        {provider.tested_at === null ? (
          <Status tone="held" word="Not tried yet" />
        ) : (
          <Status tone="good" word="Works" />
        )}
      </Group>
      <Addresses provider={provider} />
      <Trial provider={provider} />
      <Enforced provider={provider} />
      <Removal />
    </Stack>
  );
}

/** What the provider asks for. */
function Addresses({ provider }: { provider: IdentityProvider }) {
  return (
    <Stack gap={4}>
      <Text size="sm">{provider.kind === 'oidc' ? 'Redirect URL' : 'Assertion consumer service (ACS) URL'}</Text>
      <CopiedId id={provider.redirect_url} name="Copy the URL" />
      {provider.entity_id !== null && (
        <>
          <Text size="sm">Entity ID, and address of our metadata</Text>
          <CopiedId id={provider.entity_id} name="Copy the entity ID" />
        </>
      )}
    </Stack>
  );
}

function Trial({ provider }: { provider: IdentityProvider }) {
  const [{ error }] = useSearchState();
  const go = useChange(accounts.tryCompany, { onSuccess: ({ url }) => location.assign(url) });
  const { last_trial: trial } = provider;
  const failure = error === undefined || error === 'sso_trial' ? null : providerFailure(error);
  return (
    <Stack gap="xs">
      {failure !== null && <Alert color="red">{failure}</Alert>}
      {trial && (
        <Alert
          color={trial.problem === null ? 'green' : 'red'}
          title={trial.problem === null ? 'The trial worked' : 'The trial failed'}
        >
          The provider named {trial.email}
          {trial.groups.length > 0 ? ` with the groups ${trial.groups.join(', ')}` : ' without groups'}
          {trial.problem === null
            ? `: the role is ${roleLabel(trial.role ?? '')}.`
            : `, but ${PROBLEMS[trial.problem] ?? trial.problem}.`}
        </Alert>
      )}
      <Group gap="sm">
        <Button variant="default" loading={go.isPending || go.isSuccess} onClick={() => go.mutate(undefined)}>
          Try it
        </Button>
        <Text size="sm" c="dimmed">
          Shows what the provider says of you. You stay signed in as you are.
          {provider.tested_at !== null && (
            <>
              {' '}
              First worked <DateTime at={provider.tested_at} />.
            </>
          )}
        </Text>
      </Group>
    </Stack>
  );
}

function Enforced({ provider }: { provider: IdentityProvider }) {
  const change = useChange(
    (enforced: boolean) => answerOf(api.PATCH('/console/v1/single-sign-on', { body: { enforced } })),
    {
      stale: [PROVIDER],
      done: 'The rule is changed',
    },
  );
  return (
    <Confirmed
      title="Require sign-in with the provider?"
      confirmLabel="Require it"
      change={change}
      input
      trigger={(ask) => (
        <Switch
          label="Members with your domains sign in only with it"
          description="An owner with a second factor still gets in another way; that is in the audit log."
          checked={provider.enforced}
          disabled={change.isPending || provider.tested_at === null}
          onChange={(event) => (event.currentTarget.checked ? ask() : change.mutate(false))}
        />
      )}
    >
      Passwords, passkeys and links no longer sign in members with your domains. Whoever has no account at the provider
      is locked out.
    </Confirmed>
  );
}

function Removal() {
  const [isOpen, setIsOpen] = useState(false);
  const remove = useChange(() => answerOf(api.DELETE('/console/v1/single-sign-on', {})), {
    stale: [PROVIDER],
    done: 'The provider is removed',
    onSuccess: () => setIsOpen(false),
  });
  return (
    <Group>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Remove provider
      </Button>
      <ConfirmDialog
        title="Remove the identity provider?"
        confirmLabel="Remove provider"
        isOpen={isOpen}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setIsOpen(false)}
      >
        Whoever signed in with it is signed out. Members stay, and need a password, a passkey or a link to sign in
        again.
      </ConfirmDialog>
    </Group>
  );
}
