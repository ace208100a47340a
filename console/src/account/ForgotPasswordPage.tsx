import { Anchor, Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { accounts } from '../api/accounts.ts';
import { AccountForm, AccountFrame } from './AccountFrame.tsx';

export default function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const request = useMutation({ mutationFn: () => accounts.requestPasswordReset(email) });
  const back = (
    <Anchor component={Link} to="/sign-in">
      Back to sign-in
    </Anchor>
  );
  if (request.isSuccess) {
    return (
      <AccountFrame
        title="Check your email"
        lead={`If ${email} has an account, a link to set a new password is on its way.`}
      >
        {back}
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title="Reset your password" lead="We email you a link to set a new one.">
      <AccountForm error={request.error} onSubmit={() => request.mutate()}>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Button type="submit" loading={request.isPending}>
          Send link
        </Button>
        {back}
      </AccountForm>
    </AccountFrame>
  );
}
