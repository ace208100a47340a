import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx';
import { DateTime } from '../parts/figures.tsx';
import { Form } from '../parts/Form.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Fact } from '../parts/Fact.tsx';
import { Status, type Tone } from '../parts/Status.tsx';

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
            Only owners and developers can change this.
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

const STATES: Record<SignIn['status'], [word: string, tone: Tone]> = {
  connected: ['Connected', 'good'],
  ended: ['Signed out: connect again', 'held'],
  missing: ['Not connected', 'quiet'],
};

function Connection({ signIn, name, mayWrite }: { signIn: SignIn; name: string; mayWrite: boolean }) {
  const path = { plugin_id: signIn.plugin_id };
  const [isAsking, setAsking] = useState(false);
  const connect = useChange(() => answerOf(api.POST('/console/v1/plugins/{plugin_id}/sign-in', { params: { path } })), {
    onSuccess: ({ authorization_url: url }) => location.assign(url),
  });
  const disconnect = useChange(() => answerOf(api.DELETE('/v1/plugins/{plugin_id}/sign-in', { params: { path } })), {
    stale: STALE,
    done: `${name} disconnected`,
    onSuccess: () => setAsking(false),
  });
  const [word, tone] = STATES[signIn.status];
  const isConnected = signIn.status === 'connected';
  const hasFacts = [signIn.account, signIn.connected_at, signIn.scope, signIn.issuer].some((fact) => fact !== null);
  return (
    <Stack gap="sm">
      <div className="plugin-line">
        <Status tone={tone} word={word} />
        {mayWrite && (
          <Group gap="xs">
            {signIn.status !== 'missing' && (
              <Button variant="default" size="xs" onClick={() => setAsking(true)}>
                Disconnect
              </Button>
            )}
            <Button
              size="xs"
              variant={isConnected ? 'default' : 'filled'}
              loading={connect.isPending}
              onClick={() => connect.mutate(undefined)}
            >
              {isConnected ? 'Change account' : 'Connect'}
            </Button>
          </Group>
        )}
      </div>
      {hasFacts && <SignInFacts signIn={signIn} />}
      <ConfirmDialog
        title={`Disconnect ${name}`}
        confirmLabel="Disconnect"
        isOpen={isAsking}
        isPending={disconnect.isPending}
        onConfirm={() => disconnect.mutate(undefined)}
        onClose={() => setAsking(false)}
      >
        <Text>Access ends at once for all agents. Runs that need it wait until someone connects again.</Text>
      </ConfirmDialog>
    </Stack>
  );
}

function SignInFacts({ signIn }: { signIn: SignIn }) {
  return (
    <dl className="facts">
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
  );
}

function SecretForm({ id, secret, mayWrite }: { id: string; secret: Plugin['secrets'][number]; mayWrite: boolean }) {
  const { name, description, set_at: setAt } = secret;
  const [value, setValue] = useState('');
  const path = { plugin_id: id };
  const save = useChange(
    () =>
      answerOf(api.PUT('/v1/plugins/{plugin_id}/secrets', { params: { path }, body: { secrets: { [name]: value } } })),
    { stale: STALE, done: `Secret ${name} saved`, onSuccess: () => setValue(''), onError: () => {} },
  );
  return (
    <Form error={save.error} onSubmit={() => save.mutate(undefined)}>
      <Stack gap="xs">
        <div className="plugin-line">
          <span>
            Secret <span className="id">{name}</span>
          </span>
          {setAt === null ? <Status tone="held" word="Missing" /> : <Status tone="good" word="Set" />}
        </div>
        {setAt !== null && (
          <Text size="xs" c="dimmed">
            Set <DateTime at={setAt} />
          </Text>
        )}
        {mayWrite && (
          <div className="plugin-secret">
            <PasswordInput
              data-param={name}
              aria-label={setAt === null ? `Value of ${name}` : `New value of ${name}`}
              placeholder={setAt === null ? 'Value' : 'New value'}
              description={description}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
              autoComplete="off"
              required
            />
            <Button type="submit" variant="default" loading={save.isPending} disabled={value === ''}>
              Save
            </Button>
          </div>
        )}
      </Stack>
    </Form>
  );
}
