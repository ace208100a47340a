import { Alert } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useSearchState } from '../parts/useSearchState.ts';

/** What became of a payment, for people who come back from its page. It has the focus, because the page begins anew. */
export function Returned() {
  const [{ paid, cancelled }, set] = useSearchState();
  const notice = useRef<HTMLDivElement>(null);
  const isShown = Boolean(paid ?? cancelled);
  useEffect(() => notice.current?.focus({ preventScroll: true }), [isShown]);
  const close = () => {
    notice.current?.closest('main')?.querySelector('h1')?.focus({ preventScroll: true });
    set({ paid: undefined, cancelled: undefined });
  };
  if (!isShown) return null;
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      className="returned"
      color={paid ? 'green' : 'gray'}
      title={paid ? 'Thank you' : 'Payment cancelled'}
      withCloseButton
      closeButtonLabel="Close"
      onClose={close}
    >
      {paid
        ? 'Your credit arrives as soon as the payment clears: at once by card, in a few days by bank transfer.'
        : 'Nothing was charged, and nothing was saved. You can begin again below.'}
    </Alert>
  );
}
