import { Anchor, Button, Checkbox, Divider, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { accounts, signInByPasskey } from '../api/accounts.ts';
import { nextAddress, nextOrNone } from '../api/me.ts';
import { pageAt } from '../parts/pageAt.ts';
import { PresentPassword } from '../parts/PasswordFields.tsx';
import { AccountForm, AccountFrame } from './AccountFrame.tsx';

export default function SignInPage() {
  const [needsSecond, setNeedsSecond] = useState(false);
  const queries = useQueryClient();
  const goOn = () => {
    queries.clear();
    // Another person's rows must not stay in the page's memory.
    location.assign(nextAddress(location.search));
  };
  return needsSecond ? (
    <SecondFactor onDone={goOn} />
  ) : (
    <FirstFactor onDone={goOn} onSecond={() => setNeedsSecond(true)} />
  );
}

function FirstFactor({ onDone, onSecond }: { onDone: () => void; onSecond: () => void }) {
  const form = useForm({ initialValues: { email: '', password: '', rememberMe: true } });
  const password = useMutation({
    mutationFn: accounts.signIn,
    onSuccess: ({ twoFactorRedirect }) => (twoFactorRedirect ? onSecond() : onDone()),
  });
  const passkey = useMutation({ mutationFn: signInByPasskey, onSuccess: onDone });
  return (
    <AccountFrame title="Sign in to Ledgerline">
      <AccountForm error={password.error ?? passkey.error} onSubmit={() => password.mutate(form.values)}>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username webauthn"
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
        />
        <PresentPassword withAsterisk={false} {...form.getInputProps('password')} />
        <Group justify="space-between">
          <Checkbox label="Stay signed in" {...form.getInputProps('rememberMe', { type: 'checkbox' })} />
          <Anchor component={Link} to="/forgot-password" size="sm">
            Forgot your password?
          </Anchor>
        </Group>
        <Button type="submit" loading={password.isPending} fullWidth>
          Sign in
        </Button>
        <Divider label="or" />
        <Button variant="default" fullWidth loading={passkey.isPending} onClick={() => passkey.mutate()}>
          Sign in with a passkey
        </Button>
        <Text size="sm" ta="center">
          No account yet?{' '}
          <Anchor component={Link} {...pageAt('/sign-up', { next: nextOrNone() })} underline="always">
            Sign up
          </Anchor>
        </Text>
      </AccountForm>
    </AccountFrame>
  );
}

function SecondFactor({ onDone }: { onDone: () => void }) {
  const [isBackup, setIsBackup] = useState(false);
  const [code, setCode] = useState('');
  const verify = useMutation({
    mutationFn: () => (isBackup ? accounts.verifyBackupCode(code.trim()) : accounts.verifyTotp({ code: code.trim() })),
    onSuccess: onDone,
  });
  const label = isBackup ? 'Recovery code' : 'Code from your authenticator app';
  return (
    <AccountFrame title="Two-factor authentication" lead="Your password was right. Enter your second factor.">
      <AccountForm error={verify.error} onSubmit={() => verify.mutate()}>
        <TextInput
          label={label}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          inputMode={isBackup ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          data-autofocus
          autoFocus
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={verify.isPending} fullWidth>
          Continue
        </Button>
        <Button variant="subtle" onClick={() => setIsBackup(!isBackup)}>
          {isBackup ? 'Use your authenticator app' : 'Use a recovery code'}
        </Button>
      </AccountForm>
    </AccountFrame>
  );
}
