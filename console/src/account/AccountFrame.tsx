import { Alert, Stack, Text, Title } from '@mantine/core';
import { useEffect, type FormEvent, type ReactNode } from 'react';
import { sentenceOf } from '../api/failure.ts';

/** The frame of the pages for signed-out people: one form in the middle. */
export function AccountFrame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Ledgerline`;
  }, [title]);
  return (
    <main className="page-alone">
      <Stack gap="lg">
        <span className="brand brand-alone">
          <img src="/favicon.svg" alt="" width={28} height={28} />
          Ledgerline
        </span>
        <div>
          <Title order={1} tabIndex={-1}>
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" mt={4}>
              {lead}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </main>
  );
}

/** A form that shows an error above its fields and announces it to screen readers. */
export function AccountForm({
  error,
  onSubmit,
  children,
}: {
  error: unknown;
  onSubmit: () => void;
  children: ReactNode;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <div role="alert">{Boolean(error) && <Alert color="red">{sentenceOf(error)}</Alert>}</div>
        {children}
      </Stack>
    </form>
  );
}
