import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

/** An action as an icon with a tip. `name`: its accessible name, where the tip alone does not say on what it acts. */
export function IconAction({
  tip,
  name = tip,
  onClick,
  children,
}: {
  tip: string;
  name?: string;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Tooltip label={tip}>
      <ActionIcon variant="subtle" color="gray" aria-label={name} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
