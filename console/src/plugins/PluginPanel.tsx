import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Fact } from '../parts/Fact.tsx';

type Plugin = components['schemas']['CallerPluginPage']['data'][number];
type SignIn = NonNullable<Plugin['sign_in']>;

const STALE = [['plugins']];

/** One plugin: its sign-in, and its secrets. */
export function PluginPanel({ plugin, mayWrite }: { plugin: Plugin; mayWrite: boolean }) {
  const { plugin_id: id, name, secrets, sign_in: signIn } = plugin;
  return (
    <Panel title={name} description={<span className="id">{id}</span>}>
      <Stack gap="lg">
        {signIn && <Connection signIn={signIn} name={name} mayWrite={mayWrite} />}
        {secrets.map((secret) => (
          <SecretForm key={secret.name} id={id} secret={secret} mayWrite={mayWrite} />
        ))}
        {!mayWrite && (
          <Text size="sm" c="dimmed">
            Owners and developers of the workspace change this.
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

const STATES: Record<SignIn['status'], [words: string, look: string]> = {
  connected: ['Connected', 'text-good'],
  ended: ['Ended: sign in again', 'text-warn'],
  missing: ['Not connected', ''],
};

function Connection({ signIn, name, mayWrite }: { signIn: SignIn; name: string; mayWrite: boolean }) {
  const path = { plugin_id: signIn.plugin_id };
  const [isAsking, setAsking] = useState(false);
  const connect = useChange(() => answerOf(api.POST('/console/v1/plugins/{plugin_id}/sign-in', { params: { path } })), {
    onSuccess: ({ authorization_url: url }) => location.assign(url),
  });
  const disconnect = useChange(() => answerOf(api.DELETE('/v1/plugins/{plugin_id}/sign-in', { params: { path } })), {
    stale: STALE,
    done: `${name} is disconnected`,
    onSuccess: () => setAsking(false),
  });
  const [words, look] = STATES[signIn.status];
  const isConnected = signIn.status === 'connected';
  return (
    <Stack gap="sm">
      <dl className="facts">
        <Fact name="Sign-in">
          <span className={`status ${look}`}>{words}</span>
        </Fact>
        {signIn.account !== null && <Fact name="Connected as">{signIn.account}</Fact>}
        {signIn.connected_at !== null && (
          <Fact name="Connected">
            <DateTime at={signIn.connected_at} />
            {signIn.connected_by === null ? '' : ` by ${signIn.connected_by}`}
          </Fact>
        )}
        {signIn.scope !== null && <Fact name="Access">{signIn.scope}</Fact>}
        {signIn.issuer !== null && (
          <Fact name="Signed in at">
            <span className="id">{signIn.issuer}</span>
          </Fact>
        )}
      </dl>
      {mayWrite && (
        <Group gap="xs">
          <Button
            variant={isConnected ? 'default' : 'filled'}
            loading={connect.isPending}
            onClick={() => connect.mutate(undefined)}
          >
            {isConnected ? 'Connect another account' : 'Connect'}
          </Button>
          {signIn.status !== 'missing' && (
            <Button variant="default" onClick={() => setAsking(true)}>
              Disconnect
            </Button>
          )}
        </Group>
      )}
      <ConfirmDialog
        title={`Disconnect ${name}`}
        confirmLabel="Disconnect"
        isOpen={isAsking}
        isPending={disconnect.isPending}
        onConfirm={() => disconnect.mutate(undefined)}
        onClose={() => setAsking(false)}
      >
        <Text>The access ends at once, for all agents. Runs that need it wait until somebody connects again.</Text>
      </ConfirmDialog>
    </Stack>
  );
}

function SecretForm({ id, secret, mayWrite }: { id: string; secret: Plugin['secrets'][number]; mayWrite: boolean }) {
  const { name, description, set_at: setAt } = secret;
  const [value, setValue] = useState('');
  const path = { plugin_id: id };
  const save = useChange(
    () =>
      answerOf(api.PUT('/v1/plugins/{plugin_id}/secrets', { params: { path }, body: { secrets: { [name]: value } } })),
    { stale: STALE, done: `The secret ${name} is set`, onSuccess: () => setValue('') },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined);
      }}
    >
      <Stack gap="xs">
        <Text size="sm">
          Secret <span className="id">{name}</span>:{' '}
          {setAt === null ? (
            'missing'
          ) : (
            <>
              set <DateTime at={setAt} />
            </>
          )}
        </Text>
        {mayWrite && (
          <Group align="flex-end" gap="xs">
            <PasswordInput
              label={setAt === null ? `Value of ${name}` : `New value of ${name}`}
              description={description}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
              autoComplete="off"
              miw={0}
              w="22rem"
              maw="100%"
              required
            />
            <Button type="submit" variant="default" loading={save.isPending} disabled={value === ''}>
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
