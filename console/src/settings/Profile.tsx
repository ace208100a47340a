import { Alert, Anchor, Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { accounts } from '../api/accounts.ts';
import { sentenceOf } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { NewPassword, PresentPassword } from '../parts/PasswordFields.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';

/** The name and the address of the signed-in person. */
export function Profile() {
  const { user } = useMe();
  const name = useForm({ initialValues: { name: user.name } });
  const email = useForm({ initialValues: { email: user.email } });
  const rename = useChange(accounts.updateUser, { stale: [['me']], done: 'Your name is changed' });
  const move = useChange(accounts.changeEmail, {
    stale: [['me']],
    done: 'Follow the link in the message to confirm the address',
  });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Panel title="Name">
        <form onSubmit={name.onSubmit((values) => rename.mutate(values))}>
          <Stack align="flex-start">
            <TextInput label="Name" required w="100%" autoComplete="name" {...name.getInputProps('name')} />
            <Button type="submit" loading={rename.isPending}>
              Save
            </Button>
          </Stack>
        </form>
      </Panel>
      <Panel
        title="Email"
        actions={
          <Status
            tone={user.email_verified ? 'good' : 'held'}
            word={user.email_verified ? 'Confirmed' : 'Not confirmed'}
          />
        }
      >
        <form onSubmit={email.onSubmit((values) => move.mutate(values.email))}>
          <Stack align="flex-start">
            <TextInput
              label="Email"
              type="email"
              required
              w="100%"
              autoComplete="email"
              {...email.getInputProps('email')}
            />
            <Button type="submit" loading={move.isPending} disabled={!email.isDirty()}>
              Change
            </Button>
          </Stack>
        </form>
      </Panel>
    </SimpleGrid>
  );
}

const EMPTY = { currentPassword: '', newPassword: '' };

/** Changes the password and ends all other sessions. */
export function Password() {
  const form = useForm({ initialValues: EMPTY });
  const change = useChange(accounts.changePassword, {
    stale: [['sessions']],
    done: 'Your password is changed, and your other sessions have ended',
    onSuccess: () => form.setValues(EMPTY),
    onError: () => {},
  });
  return (
    <Panel title="Password" description="A new password ends your other sessions.">
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack maw="24rem">
          <div role="alert">{change.error && <Alert color="red">{sentenceOf(change.error)}</Alert>}</div>
          <PresentPassword label="Current password" {...form.getInputProps('currentPassword')} />
          <NewPassword {...form.getInputProps('newPassword')} />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
            <Anchor component={Link} to="/forgot-password" size="sm">
              No password yet?
            </Anchor>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
