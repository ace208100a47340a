import { Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from './ConfirmDialog.tsx';

/** What `useChange` returns, as far as it is needed to make the change. */
export interface Change<Input> {
  isPending: boolean;
  mutate: (input: Input, options: { onSuccess: () => void }) => void;
}

/** What the change is made with; nothing for one that takes nothing. */
type Given<Input> = undefined extends Input ? { input?: Input } : { input: Input };

/** A change that asks first: `trigger` draws the button that opens the question, `children` say what follows from it. */
export function Confirmed<Input>({
  title,
  confirmLabel,
  isGrant,
  change,
  input,
  trigger,
  children,
}: Given<Input> & {
  title: string;
  confirmLabel: string;
  isGrant?: boolean;
  change: Change<Input>;
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
        onConfirm={() => change.mutate(input as Input, { onSuccess: close })}
        onClose={close}
      >
        <Text size="sm">{children}</Text>
      </ConfirmDialog>
    </>
  );
}
