import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { accounts } from '../api/accounts.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { NewPassword, PresentPassword } from '../parts/PasswordFields.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Status } from '../parts/Status.tsx';
import { Form } from '../parts/Form.tsx';

/** The name and the address of the signed-in person. */
export function Profile() {
  const { user } = useMe();
  const name = useForm({ initialValues: { name: user.name } });
  const email = useForm({ initialValues: { email: user.email } });
  const rename = useChange(accounts.updateUser, { stale: [['me']], done: 'Your name is changed', onError: () => {} });
  const move = useChange(accounts.changeEmail, {
    stale: [['me']],
    done: 'Follow the link in the message to confirm the address',
    onError: () => {},
  });
  return (
    <Panel title="Profile" description="Members of your workspaces see your name and address.">
      <Stack gap="lg">
        <Form error={rename.error} onSubmit={name.onSubmit((values) => rename.mutate(values))}>
          <div className="setting">
            <TextInput label="Name" required autoComplete="name" {...name.getInputProps('name')} />
            <Button type="submit" variant="default" loading={rename.isPending} disabled={!name.isDirty()}>
              Save
            </Button>
          </div>
        </Form>
        <Form error={move.error} onSubmit={email.onSubmit((values) => move.mutate(values.email))}>
          <div className="setting">
            <TextInput label="Email" type="email" required autoComplete="email" {...email.getInputProps('email')} />
            <Button type="submit" variant="default" loading={move.isPending} disabled={!email.isDirty()}>
              Change
            </Button>
            <Status
              tone={user.email_verified ? 'good' : 'held'}
              word={user.email_verified ? 'Confirmed' : 'Not confirmed'}
            />
          </div>
        </Form>
      </Stack>
    </Panel>
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
      <Form error={change.error} onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack maw="24rem">
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
      </Form>
    </Panel>
  );
}
