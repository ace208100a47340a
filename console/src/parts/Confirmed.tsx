import { Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from './ConfirmDialog.tsx';

interface Change {
  isPending: boolean;
  mutate: (input: undefined, options: { onSuccess: () => void }) => void;
}

/** A change that asks first: `trigger` draws the button that opens the question, `children` say what follows from it. */
export function Confirmed({
  title,
  confirmLabel,
  isGrant,
  change,
  trigger,
  children,
}: {
  title: string;
  confirmLabel: string;
  isGrant?: boolean;
  change: Change;
  trigger: (ask: () => void) => ReactNode;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      {trigger(() => setOpen(true))}
      <ConfirmDialog
        title={title}
        confirmLabel={confirmLabel}
        isGrant={isGrant}
        isOpen={isOpen}
        isPending={change.isPending}
        onConfirm={() => change.mutate(undefined, { onSuccess: close })}
        onClose={close}
      >
        <Text size="sm">{children}</Text>
      </ConfirmDialog>
    </>
  );
}
