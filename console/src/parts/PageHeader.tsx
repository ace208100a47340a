import { Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

/** The header of a page: its name, which is also the tab's title, a description, and its actions. */
export function PageHeader({
  title,
  description,
  actions,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Ledgerline`;
  }, [title]);
  return (
    <header className="page-header">
      <Title order={1} tabIndex={-1}>
        {title}
      </Title>
      {description && <div className="page-description">{description}</div>}
      {actions && <div className="page-actions">{actions}</div>}
    </header>
  );
}
