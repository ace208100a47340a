import { Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { drawings, type Drawing } from './drawings.tsx';

/** What stands where there is nothing yet: a drawing, one sentence of use, what to do, and perhaps a snippet. */
export function EmptyState({
  drawing,
  title,
  order = 2,
  children,
  action,
  snippet,
}: {
  drawing: Drawing;
  title: string;
  /** The level of its heading: 1 where it is the whole page. */
  order?: 1 | 2;
  /** One sentence: what will be here, and what it is for. */
  children?: ReactNode;
  action?: ReactNode;
  snippet?: ReactNode;
}) {
  useEffect(() => {
    if (order === 1) document.title = `${title} · Ledgerline`;
  }, [order, title]);
  return (
    <div className="empty">
      {drawings[drawing]}
      <Title order={order}>{title}</Title>
      {children && (
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      )}
      {action}
      {snippet && <div className="empty-snippet">{snippet}</div>}
    </div>
  );
}
