import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './ConfirmDialog.tsx';
import { CopyButton } from './CopyButton.tsx';

/** A secret that is shown once, with what to do with it. */
export function OneTimeSecret({
  secret,
  children,
  onClose,
}: {
  secret: string;
  children?: ReactNode;
  onClose: () => void;
}) {
  return (
    <Stack>
      <Alert color="yellow">Copy it now: it is shown this once, and kept nowhere.</Alert>
      <Group wrap="nowrap" gap="xs" className="secret">
        <code className="id" data-testid="secret">
          {secret}
        </code>
        <CopyButton value={secret} label="Copy" />
      </Group>
      {children}
      <Group justify="flex-end">
        <Button onClick={onClose}>I have copied it</Button>
      </Group>
    </Stack>
  );
}

/** A dialog whose form makes a secret, and which then shows it once in the place of the form. */
export function SecretDialog<Made>({
  title,
  madeTitle = title,
  change,
  isOpen,
  onClose,
  shown,
  children,
}: {
  title: string;
  madeTitle?: string;
  /** What makes the secret: forgotten when the dialog is closed. */
  change: { data: Made | undefined; reset: () => void };
  isOpen: boolean;
  onClose: () => void;
  shown: (made: Made, close: () => void) => ReactNode;
  children: ReactNode;
}) {
  const { data, reset } = change;
  const close = () => {
    reset();
    onClose();
  };
  return (
    <Dialog title={data ? madeTitle : title} isOpen={isOpen} onClose={close} size={data ? 'xl' : 'md'}>
      {data ? shown(data, close) : children}
    </Dialog>
  );
}
