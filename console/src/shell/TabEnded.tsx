import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { isSignedOut, sentenceOf } from '../api/failure.ts';
import { meQuery, type Me } from '../api/me.ts';
import { forgetWorkspace } from '../api/tab.ts';
import type { Ending } from './tabState.ts';

// Escape would close the dialog behind, with what is typed there.
const KEEPS_OTHERS = { 'data-mantine-stop-propagation': 'true' };

type Ways = { onReturned: () => void; onLeave: () => void };

/** Covers a page that cannot go on, and says why. What was shown before must not be taken for what is there now. */
export default function TabEnded({ ending, ...ways }: Ways & { ending: Ending }) {
  const before = useQueryClient().getQueryData<Me>(meQuery.queryKey);
  if (ending === 'session') return <SessionEnded before={before?.user.id} {...ways} />;
  const isOfPerson = ending === 'person';
  const goOn = () => {
    forgetWorkspace();
    location.assign('/');
  };
  return (
    <Cover title={isOfPerson ? 'Somebody else has signed in' : 'This workspace is not open to you any more'}>
      <Text size="sm">
        {isOfPerson
          ? `This page was opened by ${before?.user.name ?? 'another person'}. Another person has signed in in this browser since.`
          : `You are no longer a member of ${before?.workspace.name ?? 'this workspace'}, or it was erased.`}
      </Text>
      <Group justify="flex-end">
        <Button onClick={goOn} data-autofocus {...KEEPS_OTHERS}>
          {isOfPerson ? 'Go to their workspace' : 'Go to another workspace'}
        </Button>
      </Group>
    </Cover>
  );
}

/** Keeps what is typed on the page until the same person has signed in beside it. */
function SessionEnded({ before, onReturned, onLeave }: Ways & { before: string | undefined }) {
  const queries = useQueryClient();
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
    <Cover title="Your session has ended">
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
    </Cover>
  );
}

const Cover = ({ title, children }: { title: string; children: ReactNode }) => (
  <Modal
    opened
    onClose={() => {}}
    title={title}
    centered
    withCloseButton={false}
    closeOnEscape={false}
    zIndex={1_000}
    overlayProps={{ backgroundOpacity: 1, color: 'var(--canvas)' }}
  >
    <Stack>{children}</Stack>
  </Modal>
);
