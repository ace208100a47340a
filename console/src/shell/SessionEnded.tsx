import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isSignedOut, sentenceOf } from '../api/failure.ts';
import { meQuery, type Me } from '../api/me.ts';

// Escape would close the dialog behind, with what is typed there.
const KEEPS_OTHERS = { 'data-mantine-stop-propagation': 'true' };

/** Covers the page after its session has ended, and keeps what is typed there until the same person has signed in beside it. */
export default function SessionEnded({ onReturned, onLeave }: { onReturned: () => void; onLeave: () => void }) {
  const queries = useQueryClient();
  const before = queries.getQueryData<Me>(meQuery.queryKey)?.user.id;
  const check = useMutation({
    mutationFn: () => queries.fetchQuery({ ...meQuery, staleTime: 0 }),
    onSuccess: async ({ user }) => {
      // Another person must not see what this one has opened.
      if (user.id !== before) return location.assign('/');
      onReturned();
      await queries.invalidateQueries();
    },
  });
  const { mutate } = check;
  useEffect(() => {
    const onFocus = () => mutate();
    addEventListener('focus', onFocus);
    return () => removeEventListener('focus', onFocus);
  }, [mutate]);
  return (
    <Modal
      opened
      onClose={() => {}}
      title="Your session has ended"
      centered
      withCloseButton={false}
      closeOnEscape={false}
      zIndex={1_000}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--canvas)' }}
    >
      <Stack>
        <Text size="sm">
          What you typed is kept on this page. Sign in again in a new tab, then come back and send it.
        </Text>
        <div role="status">
          {check.error && (
            <Text size="sm">{isSignedOut(check.error) ? 'You are not signed in yet.' : sentenceOf(check.error)}</Text>
          )}
        </div>
        <Group justify="flex-end">
          <Button variant="subtle" color="gray" onClick={onLeave} {...KEEPS_OTHERS}>
            Discard it
          </Button>
          <Button variant="default" onClick={() => mutate()} loading={check.isPending} {...KEEPS_OTHERS}>
            I have signed in
          </Button>
          <Button component="a" href="/sign-in" target="_blank" rel="noreferrer" data-autofocus {...KEEPS_OTHERS}>
            Sign in again
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
