import { Anchor, Button, Divider, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { accounts } from '../api/accounts.ts';
import { nextAddress, nextOrNone } from '../api/me.ts';
import { NewPassword } from '../parts/PasswordFields.tsx';
import { pageAt } from '../parts/pageAt.ts';
import { AccountForm, AccountFrame } from './AccountFrame.tsx';
import { useIsSignedIn } from './useIsSignedIn.ts';
import { ProviderButtons } from './ProviderButtons.tsx';
import { signInProviders } from './providers.ts';

export default function SignUpPage() {
  const form = useForm({ initialValues: { name: '', email: '', password: '' } });
  // The link of the mail may be opened in another browser, so it contains the next page.
  const signUp = useMutation({
    mutationFn: (person: typeof form.values) => accounts.signUp({ ...person, callbackURL: nextOrNone() }),
  });
  const [refusal, setRefusal] = useState<Error | null>(null);
  const isSignedIn = useIsSignedIn();
  useEffect(() => {
    if (isSignedIn) location.replace(nextAddress(location.search));
  }, [isSignedIn]);
  if (signUp.isSuccess) return <CheckMail email={form.values.email} />;
  return (
    <AccountFrame title="Create your account" lead="You get a workspace of your own. You pay only for what you use.">
      <AccountForm error={signUp.error ?? refusal} onSubmit={() => signUp.mutate(form.values)}>
        <TextInput
          label="Name"
          autoComplete="name"
          required
          autoFocus
          withAsterisk={false}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.getInputProps('email')}
        />
        <NewPassword withAsterisk={false} label="Password" {...form.getInputProps('password')} />
        <Button type="submit" loading={signUp.isPending} fullWidth>
          Create account
        </Button>
        {signInProviders().length > 0 && <Divider label="or" />}
        <ProviderButtons onError={setRefusal} />
        <Text size="sm" ta="center">
          Already have an account?{' '}
          <Anchor component={Link} {...pageAt('/sign-in', { next: nextOrNone() })} underline="always">
            Sign in
          </Anchor>
        </Text>
      </AccountForm>
    </AccountFrame>
  );
}

// Elsewhere the page does not exist.
const HAS_TEST_MAILS = /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

/** The same text for a new and for a known address, so that it does not reveal which addresses have accounts. */
function CheckMail({ email }: { email: string }) {
  return (
    <AccountFrame title="Check your email" lead={`We sent a link to ${email}. Open it to confirm your address.`}>
      {HAS_TEST_MAILS && (
        <Text size="sm">
          Without a mail server, this installation shows its messages on the page of{' '}
          <Anchor href="/console/test-mail" underline="always">
            test mails
          </Anchor>
          .
        </Text>
      )}
      <Anchor component={Link} {...pageAt('/sign-in', { next: nextOrNone() })}>
        Back to sign-in
      </Anchor>
    </AccountFrame>
  );
}
