import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A titled box of a page. A table at its end reaches its edges. */
export function Panel({
  title,
  description,
  actions,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="panel panel-padded" aria-label={title}>
      <Group justify="space-between" align={description ? 'flex-start' : 'center'} gap="sm" className="panel-head">
        <div>
          <Title order={2}>{title}</Title>
          {description && (
            <Text size="xs" c="dimmed" mt={2}>
              {description}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </section>
  );
}
