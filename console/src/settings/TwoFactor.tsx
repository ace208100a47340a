import '../parts/work.css';
import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { encodeQR } from 'qr';
import { useMemo, useState, type ReactNode } from 'react';
import { accounts } from '../api/accounts.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { Code } from '../parts/CodeSnippets.tsx';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { CopyButton } from '../parts/CopyButton.tsx';
import { ShownOnce } from '../parts/OneTimeSecret.tsx';
import { PresentPassword } from '../parts/PasswordFields.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Form } from '../parts/Form.tsx';

/** The second factor: a code of an authenticator app. */
export function TwoFactor() {
  const { user } = useMe();
  const [open, setOpen] = useState<'enable' | 'disable' | 'codes' | null>(null);
  const close = () => setOpen(null);
  return (
    <Panel
      title="Two-factor authentication"
      description={
        user.two_factor_enabled
          ? 'On: signing in needs a code from your authenticator app.'
          : 'Off. With it, a stolen password is not enough to sign in.'
      }
    >
      {user.two_factor_enabled ? (
        <Group>
          <Button variant="default" onClick={() => setOpen('codes')}>
            New recovery codes
          </Button>
          <Button variant="default" onClick={() => setOpen('disable')}>
            Turn off
          </Button>
        </Group>
      ) : (
        <Button onClick={() => setOpen('enable')}>Turn on</Button>
      )}
      <Dialog title="Turn on the second factor" isOpen={open === 'enable'} onClose={close} size="lg">
        <Enable onDone={close} />
      </Dialog>
      <Dialog title="Turn off the second factor" isOpen={open === 'disable'} onClose={close}>
        <Disable onDone={close} />
      </Dialog>
      <Dialog title="New recovery codes" isOpen={open === 'codes'} onClose={close}>
        <NewCodes onDone={close} />
      </Dialog>
    </Panel>
  );
}

function Enable({ onDone }: { onDone: () => void }) {
  const [code, setCode] = useState('');
  const enable = useChange(accounts.enableTwoFactor, { onError: () => {} });
  const verify = useChange(accounts.verifyTotp, {
    stale: [['me']],
    done: 'The second factor is on',
    onSuccess: onDone,
    onError: () => {},
  });
  if (!enable.data) {
    return <AskPassword label="Continue" error={enable.error} isPending={enable.isPending} onSubmit={enable.mutate} />;
  }
  const { totpURI, backupCodes } = enable.data;
  const codes = backupCodes.join('\n');
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  const turnOn = (
    <Button type="submit" loading={verify.isPending}>
      Turn on
    </Button>
  );
  return (
    <Form error={verify.error} onSubmit={() => verify.mutate({ code: code.trim() })}>
      <ShownOnce text={codes} leave={turnOn} onClose={onDone}>
        <Step number={1} title="Add the account to your authenticator app">
          <QrCode text={totpURI} />
          <Text size="sm">
            Scan the picture, type this key into the app, or{' '}
            <Anchor href={totpURI}>open it in the app of this device</Anchor>.
          </Text>
          <Group gap="xs" wrap="nowrap">
            <code className="id">{secret.replaceAll(/(.{4})/g, '$1 ').trim()}</code>
            <CopyButton value={secret} name="Copy the key" />
          </Group>
        </Step>
        <Step number={2} title="Keep the recovery codes">
          <Text size="sm">Each one signs you in once, when the app is lost.</Text>
          <Code code={codes} label="Recovery codes" />
        </Step>
        <Step number={3} title="Confirm with a code">
          <TextInput
            label="Code from the app"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        </Step>
      </ShownOnce>
    </Form>
  );
}

/** Dark on white in either colour scheme, because many scanners read nothing else. */
function QrCode({ text }: { text: string }) {
  const address = useMemo(() => `data:image/svg+xml;base64,${btoa(encodeQR(text, 'svg'))}`, [text]);
  return <img src={address} alt="QR code for the authenticator app" width={180} height={180} className="qr-code" />;
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Text fw={600}>
        {number}. {title}
      </Text>
      {children}
    </Stack>
  );
}

function Disable({ onDone }: { onDone: () => void }) {
  const disable = useChange(accounts.disableTwoFactor, {
    stale: [['me']],
    done: 'The second factor is off',
    onSuccess: onDone,
    onError: () => {},
  });
  return <AskPassword label="Turn off" error={disable.error} isPending={disable.isPending} onSubmit={disable.mutate} />;
}

function NewCodes({ onDone }: { onDone: () => void }) {
  const renew = useChange(accounts.newBackupCodes, { onError: () => {} });
  if (!renew.data) {
    return (
      <AskPassword label="Make new codes" error={renew.error} isPending={renew.isPending} onSubmit={renew.mutate} />
    );
  }
  const codes = renew.data.backupCodes.join('\n');
  return (
    <ShownOnce text={codes} leave="I have kept them" onClose={onDone}>
      <Text size="sm">The earlier codes no longer work.</Text>
      <Code code={codes} label="Recovery codes" />
    </ShownOnce>
  );
}

function AskPassword({
  label,
  error,
  isPending,
  onSubmit,
}: {
  label: string;
  error: Error | null;
  isPending: boolean;
  onSubmit: (password: string) => void;
}) {
  const [password, setPassword] = useState('');
  return (
    <Form error={error} onSubmit={() => onSubmit(password)}>
      <Stack>
        <PresentPassword
          label="Your password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {label}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
