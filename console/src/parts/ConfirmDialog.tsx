import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusBack } from './useFocusBack.ts';

/** Confirms an action that cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  isOpen,
  isPending,
  isDisabled = false,
  onConfirm,
  onClose,
}: {
  title: string;
  children: ReactNode;
  confirmLabel: string;
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
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep
          </Button>
          <Button color="red.8" onClick={onConfirm} loading={isPending} disabled={isDisabled}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** A dialog that closes with Escape and restores the focus. */
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
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={size}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  );
}
