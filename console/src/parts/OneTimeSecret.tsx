import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { CopiedText, useCloseGuard } from './closeGuard.ts';
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
    <ShownOnce text={secret} leave="I have copied it" onClose={onClose}>
      <Alert color="yellow">Copy it now: it is shown this once, and kept nowhere.</Alert>
      <Group wrap="nowrap" gap="xs" className="secret">
        <code className="id" data-testid="secret">
          {secret}
        </code>
        <CopyButton value={secret} label="Copy" />
      </Group>
      {children}
    </ShownOnce>
  );
}

/** What is in a dialog and shown this once. Until it is copied, the dialog closes by its buttons alone: Escape must not lose it. */
export function ShownOnce({
  text,
  leave,
  children,
  onClose,
}: {
  text: string;
  /** The button that closes it, or that does what it is shown for. */
  leave: ReactNode;
  children: ReactNode;
  onClose: () => void;
}) {
  const [state, setState] = useState<'shown' | 'asked' | 'copied'>('shown');
  useCloseGuard(() => {
    if (state === 'copied') return false;
    setState('asked');
    return true;
  });
  const note = (copied: string) => {
    if (copied.includes(text)) setState('copied');
  };
  return (
    <CopiedText value={note}>
      <Stack onCopy={() => note(String(getSelection()))}>
        {children}
        <div role="alert">
          {state === 'asked' && (
            <Text size="sm" className="text-bad">
              Not copied yet, and it cannot be shown again.
            </Text>
          )}
        </div>
        <Group justify="flex-end">
          {state === 'asked' && (
            <Button variant="default" onClick={onClose}>
              Close without copying
            </Button>
          )}
          {typeof leave === 'string' ? <Button onClick={onClose}>{leave}</Button> : leave}
        </Group>
      </Stack>
    </CopiedText>
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
