import './account.css';
import { Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { FrontPicture } from './FrontPicture.tsx';
import { Form } from '../parts/Form.tsx';

/** The frame of the pages for signed-out people: one form, and beside it what the product is. */
export function AccountFrame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = title.endsWith('Ledgerline') ? title : `${title} · Ledgerline`;
  }, [title]);
  return (
    <div className="front">
      <main className="front-form">
        <a className="brand" href="/sign-in">
          <img src="/favicon.svg" alt="" width={24} height={24} />
          Ledgerline
        </a>
        <Stack gap="lg" className="front-content">
          <div>
            <Title order={1} tabIndex={-1}>
              {title}
            </Title>
            {lead && (
              <Text c="dimmed" size="sm" mt={4}>
                {lead}
              </Text>
            )}
          </div>
          {children}
        </Stack>
        <p className="front-foot">
          <a href="/docs">Documentation</a>
        </p>
      </main>
      <FrontPicture />
    </div>
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
  return (
    <Form error={error} onSubmit={onSubmit}>
      <Stack>{children}</Stack>
    </Form>
  );
}
