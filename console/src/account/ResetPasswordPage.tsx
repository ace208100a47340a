import { Alert, Anchor, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { accounts } from '../api/accounts.ts';
import { NewPassword } from '../parts/PasswordFields.tsx';
import { AccountForm, AccountFrame } from './AccountFrame.tsx';

export default function ResetPasswordPage() {
  const [newPassword, setNewPassword] = useState('');
  const token = new URLSearchParams(location.search).get('token') ?? '';
  const reset = useMutation({ mutationFn: () => accounts.resetPassword({ newPassword, token }) });
  if (reset.isSuccess) {
    return (
      <AccountFrame title="Your password is changed">
        <Button component={Link} to="/sign-in">
          Sign in
        </Button>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title="Set a new password">
      {token === '' && (
        <Alert color="red">
          This link is incomplete.{' '}
          <Anchor component={Link} to="/forgot-password">
            Request a new one
          </Anchor>
        </Alert>
      )}
      <AccountForm error={reset.error} onSubmit={() => reset.mutate()}>
        <NewPassword
          autoFocus
          withAsterisk={false}
          value={newPassword}
          onChange={(event) => setNewPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={reset.isPending} disabled={token === ''}>
          Set password
        </Button>
        {reset.error && (
          <Anchor component={Link} to="/forgot-password">
            Request a new link
          </Anchor>
        )}
      </AccountForm>
    </AccountFrame>
  );
}
