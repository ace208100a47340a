import { Anchor, Button, Checkbox, Divider, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { accounts, signInByPasskey, type SignedIn } from '../api/accounts.ts';
import { nextOrNone } from '../api/me.ts';
import { pageAt } from '../parts/pageAt.ts';
import { PresentPassword } from '../parts/PasswordFields.tsx';
import { useSearchState } from '../parts/useSearchState.ts';
import { AccountForm, AccountFrame } from './AccountFrame.tsx';
import { useIsSignedIn } from './useIsSignedIn.ts';
import { ProviderButtons } from './ProviderButtons.tsx';
import { goToCompany, providerFailure, takeNext } from './providers.ts';

export default function SignInPage() {
  const [{ step, error, ended, again }] = useSearchState();
  const [needsSecond, setNeedsSecond] = useState(step === 'second');
  const queries = useQueryClient();
  const goOn = () => {
    queries.clear();
    // Another person's rows must not stay in the page's memory, and Back must not lead to a form that is done.
    location.replace(takeNext());
  };
  const isDone = useIsSignedIn([step, error, again].every((one) => one === undefined)) || step === 'done';
  useEffect(() => {
    if (isDone) location.replace(takeNext());
  }, [isDone]);
  if (isDone) return <AccountFrame title="Signing in">{null}</AccountFrame>;
  return needsSecond ? (
    <SecondFactor onDone={goOn} onBack={() => setNeedsSecond(false)} />
  ) : (
    <FirstFactor
      lead={
        (ended && 'Your session has ended. Sign in to go back to where you were.') ??
        (again && 'Your sign-in is some hours old. Sign in again to go on.')
      }
      failure={providerFailure(error)}
      onDone={goOn}
      onSecond={() => setNeedsSecond(true)}
    />
  );
}

function FirstFactor({
  lead,
  failure,
  onDone,
  onSecond,
}: {
  lead: string | undefined;
  failure: string | null;
  onDone: () => void;
  onSecond: () => void;
}) {
  const form = useForm({ initialValues: { email: '', password: '', rememberMe: true } });
  // The address comes first: its domain may belong to a company whose people sign in with their company.
  const [asksPassword, setAsksPassword] = useState(false);
  const [refusal, setRefusal] = useState<Error | null>(failure === null ? null : new Error(failure));
  const goOn = ({ twoFactorRedirect }: SignedIn) => (twoFactorRedirect ? onSecond() : onDone());
  const password = useMutation({ mutationFn: accounts.signIn, onSuccess: goOn, onError: setRefusal });
  const company = useMutation({
    mutationFn: goToCompany,
    onSuccess: (isGoing) => setAsksPassword(!isGoing),
    onError: setRefusal,
  });
  const passkey = useMutation({ mutationFn: signInByPasskey, onSuccess: goOn, onError: setRefusal });
  return (
    <AccountFrame title="Sign in to Ledgerline" lead={lead}>
      <AccountForm
        error={refusal}
        onSubmit={() => (asksPassword ? password.mutate(form.values) : company.mutate(form.values.email))}
      >
        <TextInput
          label="Email"
          type="email"
          autoComplete="username webauthn"
          required
          autoFocus
          withAsterisk={false}
          readOnly={asksPassword}
          rightSection={asksPassword && <ChangeAddress onClick={() => setAsksPassword(false)} />}
          rightSectionWidth={80}
          {...form.getInputProps('email')}
        />
        {asksPassword && (
          <>
            <PresentPassword withAsterisk={false} autoFocus {...form.getInputProps('password')} />
            <Group justify="space-between">
              <Checkbox label="Stay signed in" {...form.getInputProps('rememberMe', { type: 'checkbox' })} />
              <Anchor component={Link} to="/forgot-password" size="sm">
                Forgot your password?
              </Anchor>
            </Group>
          </>
        )}
        <Button type="submit" loading={password.isPending || company.isPending || company.data === true} fullWidth>
          {asksPassword ? 'Sign in' : 'Continue'}
        </Button>
        <Divider label="or" />
        <ProviderButtons onError={setRefusal} />
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

function ChangeAddress({ onClick }: { onClick: () => void }) {
  return (
    <Anchor component="button" type="button" size="sm" onClick={onClick}>
      Change
    </Anchor>
  );
}

function SecondFactor({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const [isBackup, setIsBackup] = useState(false);
  const [code, setCode] = useState('');
  const verify = useMutation({
    mutationFn: () => (isBackup ? accounts.verifyBackupCode(code.trim()) : accounts.verifyTotp({ code: code.trim() })),
    onSuccess: onDone,
  });
  const label = isBackup ? 'Recovery code' : 'Code from your authenticator app';
  return (
    <AccountFrame title="Two-factor authentication" lead="Enter your second factor to go on.">
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
        {verify.error && (
          <Anchor component="button" type="button" ta="center" onClick={onBack}>
            Back to sign-in
          </Anchor>
        )}
      </AccountForm>
    </AccountFrame>
  );
}
