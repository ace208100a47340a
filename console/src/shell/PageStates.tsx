import { Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isCodeMissing, isPassing, sentenceOf } from '../api/failure.ts';
import { afterOutage } from '../api/outage.ts';
import { reloadOnce, reloadWhenReachable } from './reload.ts';

export function PagePending() {
  return (
    <Center mih="40vh">
      <Loader role="status" aria-label="The page is loading" />
    </Center>
  );
}

/** The title that the server wrote into the document's frame, for the address that was opened. */
const start = { path: location.pathname, title: document.querySelector('#start h1')?.textContent };

/** The frame of a page while the person is not known yet: the same as in the document, so that nothing jumps. */
export function FramePending() {
  return (
    <div className="frame">
      <div className="frame-side">Ledgerline</div>
      <div className="frame-main" role="status" aria-label="The page is loading">
        {location.pathname === start.path && <h1>{start.title}</h1>}
        <div className="frame-block" />
      </div>
    </div>
  );
}

/** A page whose code or data could not be loaded. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const isOfCode = isCodeMissing(error);
  const [isWaiting, setWaiting] = useState(false);
  const again = () => {
    reset();
    void router.invalidate();
  };
  useEffect(() => {
    if (isOfCode) return reloadOnce(error as Error);
    const stop = new AbortController();
    // After an outage it is shown by itself.
    if (isPassing(error)) void afterOutage(stop.signal).then((isOver) => isOver && again());
    return () => stop.abort();
  }, [isOfCode, error]);
  const retry = () => {
    if (!isOfCode) return again();
    // A failed import stays failed in this document.
    setWaiting(true);
    return void reloadWhenReachable();
  };
  return (
    <main className="page-alone">
      <Stack>
        <Title order={1} tabIndex={-1}>
          This page could not be shown
        </Title>
        <Text size="sm">{sentenceOf(error)}</Text>
        <Group>
          <Button onClick={retry} loading={isWaiting}>
            {isOfCode ? 'Reload' : 'Try again'}
          </Button>
          <Button component="a" href="/" variant="default">
            Home
          </Button>
        </Group>
      </Stack>
    </main>
  );
}
