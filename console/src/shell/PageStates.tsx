import { Alert, Anchor, Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ApiFailure, sentenceOf } from '../api/failure.ts';

export function PagePending() {
  return (
    <Center mih="40vh">
      <Loader role="status" aria-label="The page is loading" />
    </Center>
  );
}

/** A page whose code or data could not be loaded. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const requestId = error instanceof ApiFailure ? error.requestId : null;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <main className="page-alone">
      <Stack>
        <Title order={1} tabIndex={-1}>
          This page could not be shown
        </Title>
        <Alert color="red">{sentenceOf(error)}</Alert>
        {requestId && (
          <Text size="sm" c="dimmed">
            Request {requestId}
          </Text>
        )}
        <Button onClick={retry}>Try again</Button>
      </Stack>
    </main>
  );
}

export function PageNotFound() {
  return (
    <main className="page-alone">
      <Stack>
        <Title order={1} tabIndex={-1}>
          Page not found
        </Title>
        <Text>There is no page at this address.</Text>
        <Anchor href="/">Go to the home page</Anchor>
      </Stack>
    </main>
  );
}
