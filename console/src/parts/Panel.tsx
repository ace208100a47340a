import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A titled box of a page. */
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
      <Group justify="space-between" align="flex-start" mb="md">
        <Stack gap={2}>
          <Title order={2}>{title}</Title>
          {description && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </Stack>
        {actions}
      </Group>
      {children}
    </section>
  );
}
