import { Button, Group, Modal, Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { CloseGuard } from './closeGuard.ts';
import { markBeginning, useFocusBack } from './useFocusBack.ts';

/** Confirms an action that cannot be undone. `isGrant`: it gives something and takes nothing, so its button is not red. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  isGrant = false,
  isOpen,
  isPending,
  isDisabled = false,
  onConfirm,
  onClose,
}: {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  isGrant?: boolean;
  isOpen: boolean;
  isPending: boolean;
  isDisabled?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending} data-autofocus>
            {isGrant ? 'Not now' : 'Keep'}
          </Button>
          <Button {...(!isGrant && { color: 'red.8' })} onClick={onConfirm} loading={isPending} disabled={isDisabled}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/**
 * A dialog that closes with Escape and restores the focus. While a button in it is at work it stays open, also after Back: it shows the
 * outcome. So it does while what it shows has a reason (`useCloseGuard`). A click beside it does not lose what is typed.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  size = 'md',
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  size?: string;
  children: ReactNode;
}) {
  useFocusBack(isOpen);
  const root = useRef<HTMLDivElement>(null);
  const [isTyped, setIsTyped] = useState(false);
  const guard = useRef<(() => boolean) | null>(null);
  const isKept = () => Boolean(root.current?.querySelector('button[data-loading]')) || guard.current?.() === true;
  const close = () => {
    if (!isKept()) onClose();
  };
  // Back would leave it without the outcome; what its success opens is a new page.
  useBlocker({
    disabled: !isOpen,
    enableBeforeUnload: false,
    shouldBlockFn: ({ action }) => action !== 'PUSH' && action !== 'REPLACE' && isKept(),
  });
  return (
    <Modal
      ref={root}
      opened={isOpen}
      onClose={close}
      closeOnClickOutside={!isTyped}
      onInput={() => setIsTyped(true)}
      onExitTransitionEnd={() => setIsTyped(false)}
      title={title}
      size={size}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <CloseGuard value={guard}>
        <Body>{children}</Body>
      </CloseGuard>
    </Modal>
  );
}

/** What is in a dialog. It begins where the dialog says, or else at its first field or button: “Close”, which comes before, says nothing. */
function Body({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null);
  // The focus is set after this.
  useLayoutEffect(() => markBeginning(body.current!), []);
  return <div ref={body}>{children}</div>;
}
